// PTX text to where the values of its registers come from: a parameter, a load,
// the address of an access, an index, or the arithmetic of a statement.
//
// PTX has a register for each value; copies join those of one variable around
// loops and branches. Statements are told apart by their `.loc`, with the calls
// that inlined them.
#pragma once
#include "model/place.h"
#include "ptx/inline_frames.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// A parameter of a PTX function, or a variable of the PTX.
struct PtxObject {
  std::optional<unsigned> parameter; ///< its index
  unsigned offset = 0;               ///< bytes into the parameter
  std::string symbol;                ///< of a variable, mangled
  bool isKnown() const { return parameter || !symbol.empty(); }
};

struct ValueOrigin {
  enum Kind {
    Unknown,
    Constant,
    Special,   ///< `special` is "%tid.x"
    Parameter, ///< `object`
    Load,      ///< from the memory of `object`
    Address,   ///< into the memory of `object`
    Index,     ///< used for the address of an access in the same statement
    Result,    ///< of a call that is not inlined
    Computed,
  };
  Kind kind = Unknown;
  PtxObject object;
  std::string special;
  /// Other statements use the value, too: it is the statement's result.
  bool isFinal = false;
  bool isInduction = false; ///< a loop adds a constant to it
  bool isSelected = false;  ///< one of two values, by a condition
  bool isFloat = false;
  unsigned bits = 32;
  /// The statement, then the calls that inlined it, outermost last. Empty if
  /// the PTX does not say.
  std::vector<SourceFrame> frames;
  /// As `frames`, the first statement that uses the value, if it is another. It
  /// names the value where the PTX gives no place to a value that the compiler
  /// moved.
  std::vector<SourceFrame> usedIn;
  bool isConvertedThere = false; ///< that statement's value is this one
};

/// A parameter of a kernel.
struct PtxParameter {
  unsigned offset = 0, bytes = 0; ///< in the parameters' memory
};

class PtxOrigins {
public:
  static llvm::Expected<std::unique_ptr<PtxOrigins>> read(llvm::StringRef text);
  ~PtxOrigins();

  /// The value that the statement on a line of the text writes: of a vector,
  /// the part that holds its 32-bit word `word`. None if it writes no register,
  /// or there is no such statement.
  std::optional<ValueOrigin> writtenAt(unsigned line, unsigned word = 0) const;
  /// The object that a load, store or atomic on that line accesses.
  PtxObject accessedAt(unsigned line) const;
  /// The source of that line, as ValueOrigin's.
  std::vector<SourceFrame> framesAt(unsigned line) const;
  /// The function that contains the line, mangled; empty if none does.
  std::string functionAt(unsigned line) const;

  /// True if a counter of the loop whose head is at a line goes on by one, and
  /// none at its place by more: `++i` of a loop that is not unrolled. False if
  /// the text has no such counter.
  bool countsByOne(llvm::StringRef function, const Place &head) const;

  struct Kernel {
    std::vector<PtxParameter> parameters;
    Place place; ///< of its first `.loc`
  };
  /// Returns none if the text does not define that function.
  std::optional<Kernel> kernel(llvm::StringRef mangled) const;

private:
  struct Data;
  explicit PtxOrigins(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

} // namespace warplint
