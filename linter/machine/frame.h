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
    Variable,  ///< what a called function gets the address of
    Arguments, ///< of calls: printf's, and those that registers do not hold
    Copy,      ///< of a parameter by value, made for the called function
    Library,   ///< of a function of CUDA's own, such as a double's sin
    Unnamed,   ///< a variable of the PTX that the source does not name
    Spill,
    Alignment,
    Unknown, ///< not told apart
  };
  Kind kind = Unknown;
  /// Of an array its own; else of the function that it is for, demangled, as
  /// far as it is known.
  std::string name;
  std::optional<unsigned> array;  ///< index into the source's arrays
  unsigned bytes = 0;             ///< of the frame
  unsigned loads = 0, stores = 0; ///< instructions of the machine code
  /// Of the instructions, counted; else what the PTX says.
  std::map<Place, unsigned> places;
  /// Shares that lie in the same bytes, at another time: "'b' of 'sort'".
  std::vector<std::string> shared;
};

/// A function that the kernel calls with a frame of its own, on top.
struct CallFrame {
  std::string name; ///< demangled
  unsigned bytes = 0;
  bool isRecursive = false;
  /// Indexes into the source's arrays that are its variables; whether those are
  /// in the frame for certain.
  std::set<unsigned> arrays;
  bool areVariablesKept = false;
};

struct Frame {
  unsigned bytes = 0;             ///< as ptxas reports them
  std::vector<FrameShare> shares; ///< largest first; they add up to `bytes`
  std::vector<CallFrame> calls;
  bool callsThroughPointers = false;
  bool hasAlloca = false; ///< more at run time
  std::set<Place> allocas, pointerCalls;

  unsigned of(FrameShare::Kind kind) const;
  /// The share of that array of the source; null if it has none.
  const FrameShare *ofArray(unsigned array) const;
  const FrameShare *spills() const;
};

/// `source` names the arrays; null if there is none.
Frame frameOf(const CompiledKernel &kernel, const Kernel *source);

/// "64 of 256 bytes of the stack frame are 't'; the other 192 are spills, most
/// at lines 40 to 44"; what `first` is (an array's share) comes first.
std::string inWords(const Frame &frame, const FrameShare *first = nullptr);

/// "at line 7", "most at lines 7 to 9": where most instructions of it are.
std::string mostly(const FrameShare &share);

/// "'t'", "spills", "arguments of 'printf'".
std::string inWords(const FrameShare &share);

} // namespace warplint
