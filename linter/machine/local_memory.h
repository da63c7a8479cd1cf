// PTX text to what each function keeps in local memory, and whom it calls.
//
// PTX holds the local variables of a function in one array, its depot. In ptxas
// a depot stays in memory whole or not at all: pieces of it that nobody needs
// are not taken out (measured with CUDA 13.0 for sm_75 to sm_120).
#pragma once
#include "model/place.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// One variable, as far as PTX separates them: the bytes of a depot between two
/// offsets whose address is taken.
struct LocalPiece {
  unsigned offset = 0, bytes = 0;    ///< within its function's memory
  unsigned used = 0;                 ///< bytes up to the last constant access
  bool isDynamic = false;            ///< has an address that is not constant
  bool isStored = false;             ///< its address is written to memory
  bool isParameter = false;          ///< a parameter by value, in the callee
  std::vector<std::string> passedTo; ///< functions that get its address
  /// Lines of its accesses, and of the calls that they were inlined into.
  std::set<Place> places;
};

/// The local memory of one PTX function.
struct LocalMemory {
  std::string function; ///< mangled
  bool isKernel = false;
  unsigned bytes = 0, alignment = 1; ///< of the depot and other declarations
  std::vector<LocalPiece> pieces;    ///< by offset
  std::vector<std::string> calls;    ///< functions, each once
  bool callsThroughPointers = false;
  bool hasAlloca = false; ///< also memory of a size known at run time
  std::set<Place> allocas, pointerCalls;
};

/// Reads every function that the text defines. Fails on malformed text.
llvm::Expected<std::vector<LocalMemory>> readLocalMemory(llvm::StringRef ptx);

/// Returns `kernel` and the functions that it may call, itself first; calls
/// through pointers are unknown.
std::vector<LocalMemory> reachedFrom(llvm::StringRef kernel,
                                     const std::vector<LocalMemory> &all);

} // namespace warplint
