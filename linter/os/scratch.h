// A temporary folder, and other programs that run with it.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace warplint {

/// How a program ended.
struct Exit {
  int code = 0;          ///< its exit code, 0 if a signal ended it
  int signal = 0;        ///< that signal, else 0
  bool timedOut = false; ///< it exceeded its limit and was killed

  bool hasSucceeded() const { return !code && !signal && !timedOut; }
};

struct ScratchRecord;

/// A new folder under TMPDIR. The destructor removes it; so do SIGHUP, SIGINT,
/// SIGQUIT, SIGPIPE and SIGTERM, which also end the program that `run` started
/// and its descendants. After SIGKILL, the next process of this user removes
/// it. Each of any number of threads may have its own.
class Scratch {
public:
  static llvm::Expected<Scratch> create();
  Scratch(Scratch &&other) : record_(std::exchange(other.record_, nullptr)) {}
  Scratch &operator=(Scratch &&) = delete;
  ~Scratch();

  llvm::StringRef folder() const;
  std::string path(llvm::StringRef name) const;

  /// Runs `arguments` in `directory`, with stdout and stderr in the file
  /// `outputName` of this folder. Unsets NVCC_PREPEND_FLAGS and
  /// NVCC_APPEND_FLAGS, since the arguments contain them already, and sets
  /// TMPDIR to this folder, so that the program's temporary files are removed
  /// with it. Each program that it starts may take `memory` bytes for itself;
  /// 0: no limit. A signal that interrupts the run ends it. Fails if there is no
  /// such program.
  llvm::Expected<Exit> run(const std::vector<std::string> &arguments,
                           const std::string &directory,
                           llvm::StringRef outputName,
                           std::chrono::milliseconds limit,
                           uint64_t memory = 0);

private:
  explicit Scratch(ScratchRecord *record) : record_(record) {}
  ScratchRecord *record_;
};

} // namespace warplint
