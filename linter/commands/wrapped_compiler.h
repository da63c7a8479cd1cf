// Words to a compiler that runs as if warplint were not there.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <sys/types.h>
#include <vector>

namespace warplint {

/// What became of the compiler.
struct CompilerEnd {
  int status = 0;     ///< waitpid's
  std::string report; ///< the lines of ptxas' report
  bool isGood() const { return status == 0; }
};

/// A process beside it, and the two ends of its pipes that are ours.
struct ChildProcess {
  pid_t process = 0;
  int to = -1, from = -1;
};

/// Becomes the command. Returns 126 or 127, as a shell does, after one line on
/// standard error, only if it cannot be run.
int become(const std::vector<std::string> &words);

/// While one of these lives, SIGHUP, SIGINT, SIGQUIT and SIGTERM go to the
/// compiler, which decides what comes of them, and end the child. One per
/// process.
class WrappedCompiler {
public:
  /// `hideReport`: lines of `-Xptxas -v` that nobody asked for are not shown.
  WrappedCompiler(const std::vector<std::string> &words, bool hideReport);
  ~WrappedCompiler();
  WrappedCompiler(const WrappedCompiler &) = delete;

  /// Forks. In the child `work` runs, and its exit code is the child's; it is
  /// given the two ends of the pipes that are the child's.
  template <typename Work> void forkChild(Work work) {
    if (fork())
      return;
    leave(work(in_, out_));
  }

  /// 0, or why there is none: errno.
  int start();

  /// Hands its output on, a line at a time, until it ends. A second stream that
  /// is the same file as the first goes through the same pipe, so that what is
  /// written to both stays in order.
  CompilerEnd wait();

  /// Tells the child that the compile succeeded and what ptxas reported,
  /// and waits for what it answers; empty if it ended early or a signal came.
  std::string answer(llvm::StringRef report);

  /// Ends the child and what it has started.
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

/// Ends this process as `status` says that another one ended: by the same
/// signal, or with the same exit code.
int endLike(int status);

} // namespace warplint
