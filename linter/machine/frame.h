// The stack frame of a kernel to who owns which of its bytes.
//
// How ptxas lays a frame out, read from the machine code of some hundred
// kernels (CUDA 11.8 to 13.0, sm_75 to sm_120), from the stack pointer up:
//
//   1. arguments, for calls with more of them than registers hold: only calls
//      of functions with a frame of their own (recursion, function pointers,
//      everything under -rdc=true);
//   2. the local variables of the kernel, which are its depot in PTX, behind
//      them those of the functions that it calls (with their parameters by
//      value whose address is needed), and so on along the calls; two functions
//      that do not call each other lie in the same bytes. A depot is there as
//      a whole or not at all (its array became registers and selects);
//   3. what spilled.
//
// Each part is aligned, the whole to 8 bytes or more. Which instructions are
// spills ptxas says itself since 12.8 (machine/cubin.h); for older ones,
// spills begin where the bytes that the instructions above move by the stack
// pointer are exactly those of the report. A depot is there if that explains
// the number of bytes below the spills, and if local instructions remain that
// address it. What several ways would explain, or none, is not told apart.
#pragma once
#include "machine/compiled.h"
#include "model/model.h"
#include <map>

namespace warplint {

struct FrameShare {
  enum Kind {
    Array,     ///< of the source; `name` and `array` say which
    Parameter, ///< the kernel's, copied here to be indexed; `name`, `access`
    Variable,  ///< its address is passed to a called function
    Arguments, ///< of calls: printf's, and those beyond the registers
    Copy,      ///< of a parameter by value, for the called function
    Library,   ///< of CUDA's own function, such as a double's sin
    Unnamed,   ///< a variable of the PTX that the source does not name
    Spill,
    Alignment,
    Unknown, ///< unidentified
  };
  Kind kind = Unknown;
  /// The array's name; otherwise the demangled name of the function it is for,
  /// if known.
  std::string name;
  std::optional<unsigned> array;  ///< index into the source's arrays
  std::optional<unsigned> access; ///< of the source, which indexes a Parameter
  unsigned bytes = 0;             ///< of the frame
  unsigned loads = 0, stores = 0; ///< instructions of the machine code
  /// Instructions by place, counted; without a cubin, the PTX's places.
  std::map<Place, unsigned> places;
  /// Shares that use the same bytes at another time: "'b' of 'sort'".
  std::vector<std::string> shared;
};

/// A function that the kernel calls and that has a frame of its own.
struct CallFrame {
  std::string name; ///< demangled
  unsigned bytes = 0;
  bool isRecursive = false;
  /// Indexes of the source's arrays that are its variables; true if they are
  /// certainly in the frame.
  std::set<unsigned> arrays;
  bool areVariablesKept = false;
};

struct Frame {
  unsigned bytes = 0;             ///< as ptxas reports them
  std::vector<FrameShare> shares; ///< largest first; they add up to `bytes`
  std::vector<CallFrame> calls;
  bool callsThroughPointers = false;
  bool hasAlloca = false; ///< plus memory of a size known at run time
  std::set<Place> allocas, pointerCalls;

  unsigned of(FrameShare::Kind kind) const;
  /// Returns the share of that array of the source; null if it has none.
  const FrameShare *ofArray(unsigned array) const;
  const FrameShare *spills() const;
};

/// `source` names the arrays; null if there is none.
Frame frameOf(const CompiledKernel &kernel, const Kernel *source);

/// "64 of 256 bytes of the stack frame are 't'; the other 192 are spills, most
/// at lines 40 to 44"; what `first` is (an array's share) comes first.
std::string inWords(const Frame &frame, const FrameShare *first = nullptr);

/// Returns where most of its instructions are: "at line 7", "most at lines 7 to
/// 9".
std::string mostly(const FrameShare &share);

/// "'t'", "spills", "arguments of 'printf'".
std::string inWords(const FrameShare &share);

} // namespace warplint
