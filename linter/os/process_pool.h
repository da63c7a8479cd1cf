// Independent pieces of work in processes of their own, for code that may crash
// or never end.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <chrono>
#include <functional>
#include <string>

namespace warplint {

struct ProcessLimits {
  unsigned processes = 0; ///< at a time; 0: as many as cores
  /// Of one piece; zero: none.
  std::chrono::milliseconds longest{0};
};

struct ProcessWork {
  /// Runs in a process that has a copy of all that is here, on a stack deep
  /// enough for Clang; its answer is all that is left of it.
  std::function<std::string(size_t)> work;
  /// These run here, in any order, on the thread of the caller.
  std::function<void(size_t, std::string answer)> done;
  /// `why`: "ended in a crash (Segmentation fault)".
  std::function<void(size_t, std::string why)> failed;
  /// There is no piece left to begin, so no other process will be started, and
  /// as many as `processes` could do something else; may be null.
  std::function<void(unsigned processes)> idle = nullptr;
};

/// Does `work` for each of `pieces`, the first first; a process does one after
/// another. If one crashes or takes too long its piece fails, and no other one.
/// To be called where no other thread runs. There are never more processes than
/// memory for them: a GiB each.
void forEachInProcesses(llvm::ArrayRef<size_t> pieces,
                        const ProcessLimits &limits, const ProcessWork &work);

} // namespace warplint
