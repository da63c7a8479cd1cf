// A temporary folder, and programs that run in its care.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace warplint {

/// What became of a program.
struct Exit {
  int code = 0;          ///< its exit code, 0 if a signal ended it
  int signal = 0;        ///< that signal, else 0
  bool timedOut = false; ///< it took too long, so it was ended

  bool hasSucceeded() const { return !code && !signal && !timedOut; }
};

struct ScratchRecord;

/// A new folder under TMPDIR that goes with this object, and also if SIGHUP,
/// SIGINT, SIGQUIT, SIGPIPE or SIGTERM end the program; what `run` started is
/// ended then too, with all that it has started itself. Any number of threads
/// may have one each.
class Scratch {
public:
  static llvm::Expected<Scratch> create();
  Scratch(Scratch &&other) : record_(std::exchange(other.record_, nullptr)) {}
  Scratch &operator=(Scratch &&) = delete;
  ~Scratch();

  llvm::StringRef folder() const;
  std::string path(llvm::StringRef name) const;

  /// Runs `arguments` in `directory`, its two outputs going to one file of this
  /// folder. NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS are not passed on, since
  /// they are in the arguments already; TMPDIR is this folder, so that whatever
  /// is left behind goes with it. Fails if there is no such program.
  llvm::Expected<Exit> run(const std::vector<std::string> &arguments,
                           const std::string &directory,
                           llvm::StringRef outputName,
                           std::chrono::milliseconds limit);

private:
  explicit Scratch(ScratchRecord *record) : record_(record) {}
  ScratchRecord *record_;
};

} // namespace warplint
