// Runs many independent pieces of work in a pool of forks of this program, for
// code that may crash or never end, and waits for them. os/workers.h does the
// same on threads, for code that does neither; os/background_process.h runs one
// piece beside the program.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace warplint {

/// The begin of what `failed` is told of a process that crashed.
inline constexpr const char *crashWords = "ended in a crash";

struct ProcessLimits {
  unsigned processes = 0; ///< at a time; 0: as many as cores
  /// For one piece, without the time in which it waits for a processor; zero:
  /// no limit.
  std::chrono::milliseconds longest{0};
  /// Bytes that a process may take for itself, beside its stack; 0: no limit;
  /// empty: a share of the machine's memory, which one process alone may
  /// exceed up to 4 GiB or half of it.
  std::optional<uint64_t> memory = {};
};

struct ProcessWork {
  /// Runs in a child process, on a copy of this process's memory and on a stack
  /// deep enough for Clang. Its answer is its only effect.
  std::function<std::string(size_t)> work;
  /// `done` and `failed` run in this process, on the thread of the caller, in
  /// any order.
  std::function<void(size_t, std::string answer)> done;
  /// `why`: "ended in a crash (Segmentation fault)".
  std::function<void(size_t, std::string why)> failed;
  /// Called when no piece is left to begin, so that no other process starts and
  /// `processes` processors are free; may be null.
  std::function<void(unsigned processes)> idle = nullptr;
};

/// Runs `work` on each of `pieces`, in order; each process runs one piece after
/// another. If a process crashes, takes too long or too much memory, only its
/// current piece fails. Call this while no other thread runs. Starts at most
/// one process for each GiB of available memory.
void forEachInProcesses(llvm::ArrayRef<size_t> pieces,
                        const ProcessLimits &limits, const ProcessWork &work);

} // namespace warplint
