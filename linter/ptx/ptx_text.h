// Parses PTX text to a list of declarations and statements, with names
// unresolved. All strings point into the text.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warplint::ptx {

/// A fundamental type; `f16x2` has two lanes of 16 bits.
struct Type {
  enum Kind : uint8_t { Pred, Bits, Unsigned, Signed, Float, BFloat };
  Kind kind = Bits;
  unsigned bits = 32, lanes = 1;
  bool isSigned() const { return kind == Signed; }
  bool isFloat() const { return kind == Float || kind == BFloat; }
};

/// Returns the type of that name, without its dot ("u32"), or none.
std::optional<Type> typeNamed(llvm::StringRef name);

struct Operand {
  enum Kind : uint8_t {
    Name,    ///< a register, symbol, label or special register
    Integer, ///< `value`
    Real,    ///< `value` holds the bits, of a double if `isDouble`
    Address, ///< `[name + value]`, and coordinates behind a comma in `parts`
    List,    ///< `{a, b}`; in a call also `(a, b)`
    Pair,    ///< `d|p`
  };
  Kind kind = Name;
  bool negated = false; ///< `!%p`, or a minus before a name
  bool isDouble = false;
  llvm::StringRef name;
  int64_t value = 0;
  std::vector<Operand> parts;
};

/// A `.loc`; the function's name is in .debug_str at `function` + `offset`.
struct Location {
  unsigned file = 0, line = 0, column = 0;
  bool isInlined = false;
  llvm::StringRef function;
  int64_t offset = 0;
  unsigned atFile = 0, atLine = 0, atColumn = 0;
};

struct Statement {
  enum Kind : uint8_t { Instruction, Label, Loc };
  Kind kind = Instruction;
  unsigned line = 0;     ///< in the PTX text
  unsigned scope = 0;    ///< index into Function::scopes
  unsigned location = 0; ///< of a Loc, index into Function::locations
  llvm::StringRef name;  ///< the label, or the whole opcode with its dots
  llvm::StringRef guard; ///< `@%p`, empty if there is none
  bool guardNegated = false;
  std::vector<Operand> operands;
};

enum class Space : uint8_t {
  Generic,
  Reg,
  Global,
  Shared,
  Const,
  Local,
  Param
};

struct Variable {
  /// One number of an initialiser, or that number plus a symbol's address.
  struct Element {
    int64_t value = 0;
    llvm::StringRef symbol;
  };
  llvm::StringRef name;
  Space space = Space::Global;
  Type type;
  bool isArray = false, isExtern = false, isPointer = false;
  uint64_t count = 1; ///< elements; 0 for `name[]`
  unsigned align = 0; ///< bytes; 0 if the text does not say
  unsigned line = 0;
  std::vector<Element> initial;
  uint64_t bytes() const { return count * ((type.bits * type.lanes + 7) / 8); }
};

/// The declarations in one pair of braces.
struct Scope {
  int parent = -1;
  llvm::StringMap<Type> registers;
  llvm::StringMap<std::pair<Type, uint64_t>> ranges; ///< `%r<17>` by "%r"
  /// `.reg .v2 .b32 %v` is the registers `%v.x` and `%v.y`, here by "%v".
  llvm::StringMap<std::vector<llvm::StringRef>> vectors;
  llvm::StringMap<unsigned> variables; ///< index into Function::variables
  llvm::StringSet<> labels;
};

/// A performance directive: `.maxntid 256, 1, 1`.
struct Directive {
  std::vector<unsigned> values;
  llvm::StringRef text; ///< from its dot to its last number
};

struct Function {
  llvm::StringRef name;
  unsigned line = 0;
  bool isKernel = false, isVisible = false, isWeak = false, isDefined = false;
  bool isNoReturn = false;
  std::vector<Variable> returns, parameters;
  std::map<std::string, Directive> directives; ///< by name: "maxntid"
  std::deque<Scope> scopes;                    ///< the first is the body
  std::vector<Variable> variables;
  std::vector<Location> locations;
  std::vector<Statement> statements;
  llvm::StringMap<std::vector<llvm::StringRef>> branchTargets;
};

struct Module {
  std::map<unsigned, std::string> files;
  std::vector<Variable> variables;
  std::deque<Function> functions;
  /// Names of the parts of vector registers: the only ones not in the text.
  std::deque<std::string> partNames;
  std::string debugStrings;
  llvm::StringMap<uint64_t> debugLabels; ///< offsets into `debugStrings`
  /// Returns the text in .debug_str at that label; empty if there is none.
  llvm::StringRef debugString(llvm::StringRef label, int64_t offset) const;
};

/// Fails on malformed text with an error that begins with "line N:".
llvm::Expected<Module> parsePtx(llvm::StringRef text);

/// The heads of the kernels that have a body, without their bodies, parameters
/// among them. Finds them by `.entry` alone, so that a text of megabytes costs
/// what a search in it costs. Leaves out heads that are malformed.
std::vector<Function> kernelHeads(llvm::StringRef text);

} // namespace warplint::ptx
