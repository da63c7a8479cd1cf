// Shows the progress of a long run on one line of a terminal: "reading 12/340
// src/a.cu". The line appears after one second and is cleared at the end.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace warplint {

class Progress {
public:
  /// Where and when the line appears.
  struct Terminal {
    llvm::raw_ostream *out = nullptr; ///< null: none
    unsigned columns = 80;
    std::chrono::milliseconds patience{1000};
    /// Standard error, if it is a terminal that can clear a line, and nobody
    /// wants it quiet.
    static Terminal standardError(bool quiet = false);
  };

  /// `verb` is "reading", "compiling"; `total` is the number of steps.
  Progress(std::string verb, unsigned total,
           Terminal terminal = Terminal::standardError());
  /// Clears the line. Nothing else may write to the terminal before that.
  ~Progress();
  Progress(const Progress &) = delete;

  /// Begins one more step, on `what`. Thread-safe.
  void step(llvm::StringRef what);

private:
  void watch();
  void show();

  const std::string verb_;
  const unsigned total_;
  const Terminal terminal_;
  std::mutex mutex_; ///< guards all members below
  std::condition_variable changed_;
  std::string what_;
  unsigned steps_ = 0;
  bool finished_ = false;
  std::thread watcher_; ///< updates the line while the other threads work
};

} // namespace warplint
