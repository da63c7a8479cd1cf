// The contents of a kernel's registers where most of them are live, by the
// names of the source. Plain values; machine/register_owners makes them.
#pragma once
#include "model/place.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// The contents of a register.
enum class RegisterKind : unsigned {
  Variable,     ///< of the source, or an element of an array
  Counter,      ///< of a loop
  Parameter,    ///< that the code keeps in a register
  Load,         ///< a loaded value on its way into a statement
  Address,      ///< into the memory of `name`
  Index,        ///< from which an address is made
  Special,      ///< threadIdx and its like
  Result,       ///< of a function that is not inlined
  Intermediate, ///< on the way to the variable `name`, or of the statement
  Constant,
  Stack, ///< the stack pointer
  Unnamed,
};

const char *spelling(RegisterKind kind); ///< "variable", "address", ...

/// A holder of registers at the peak.
struct RegisterOwner {
  RegisterKind kind = RegisterKind::Unnamed;
  std::string name;     ///< "acc[8][8]", "a", "`x * y + 1`"
  std::string function = {}; ///< the inlined one that it is in; may be empty
  unsigned registers = 0;
  unsigned bits = 32; ///< of one value
  bool isFloat = false;
  Place place = {};             ///< of the first statement that writes it
  std::vector<Place> callSites = {}; ///< of the calls that inlined it
};

/// A variable that is stored to the stack frame and loaded again.
struct SpilledOwner {
  RegisterKind kind = RegisterKind::Unnamed;
  std::string name;
  unsigned bytes = 0;                   ///< of the frame
  std::vector<unsigned> stored, loaded; ///< lines, each once
  bool inLoop = false;                  ///< it is loaded in a loop
};

struct LineRegisters {
  Place place;       ///< in the user's code, inlined or not
  unsigned most = 0; ///< live at one of its instructions
};

/// A function of the source that the kernel calls without a call.
struct InlinedFunction {
  std::string name;
  Place inside; ///< in its body
};

struct RegisterReport {
  unsigned live = 0;                    ///< at the peak
  unsigned predicates = 0, uniform = 0; ///< there
  Place place;                          ///< of the peak
  std::vector<Place> callSites;
  std::string function; ///< not inlined, that has the peak; else empty
  std::vector<RegisterOwner> owners; ///< they add up to `live`; largest first
  std::vector<SpilledOwner> spills;  ///< largest first
  std::vector<LineRegisters> lines;  ///< by place
  std::vector<std::string> reasons;  ///< why so many, a phrase each
  std::vector<Place> unrolled;       ///< the loops that reasons speak of
  std::vector<InlinedFunction> inlined; ///< the functions that they speak of
  std::string whyNot; ///< why there is none of this; a sentence, else empty

  /// The registers at the peak that have a name.
  unsigned named() const;
};

} // namespace warplint
