// Runs a compiler as if warplint were not there.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace warplint {

/// How the compiler ended.
struct CompilerEnd {
  int status = 0;     ///< waitpid's
  std::string report; ///< the lines of ptxas' report
  bool isGood() const { return status == 0; }
};

/// A child process and the parent's ends of its two pipes.
struct ChildProcess {
  pid_t process = 0;
  int to = -1, from = -1;
};

/// Replaces this process by the command. If it cannot be run, prints one line
/// to standard error and returns 126 or 127, as a shell does.
int become(const std::vector<std::string> &words);

/// Forwards SIGHUP, SIGINT, SIGQUIT and SIGTERM to the compiler, and ends the
/// child process, as long as it lives. One per process.
class WrappedCompiler {
public:
  /// `hideReport`: do not show the lines of `-Xptxas -v`.
  WrappedCompiler(const std::vector<std::string> &words, bool hideReport);
  ~WrappedCompiler();
  WrappedCompiler(const WrappedCompiler &) = delete;

  /// Forks. The child process runs `work` with its ends of the two pipes, and
  /// ends with its exit code.
  template <typename Work> void forkChild(Work work) {
    if (fork())
      return;
    leave(work(in_, out_));
  }

  /// Starts the compiler. Returns 0, or errno if it cannot be run.
  int start();

  /// Passes the output on, line by line, until the compiler ends. If standard
  /// output and standard error are one file, both use one pipe, so that their
  /// lines stay in order.
  CompilerEnd wait();

  /// Sends the report of ptxas to the child process and returns its answer, for
  /// which the build waits no longer than `limit` (0: for ever). Empty if the
  /// child ended early or a signal came; nothing if it is late.
  std::optional<std::string> answer(llvm::StringRef report,
                                    std::chrono::milliseconds limit);

  /// Ends the child process and its own children.
  void endChild();

  /// The signal that came, or 0.
  static int signal();

private:
  bool fork();
  [[noreturn]] void leave(int code);
  void handOn(std::string &text, bool isAll, std::string &report) const;

  std::vector<std::string> words_;
  bool hideReport_;
  ChildProcess child_;
  int in_ = -1, out_ = -1; ///< in the child
  int output_ = -1;        ///< what the compiler writes
  pid_t compiler_ = 0;
};

/// Ends this process as another one ended by its `status`: by the same signal,
/// or with the same exit code.
int endLike(int status);

} // namespace warplint
