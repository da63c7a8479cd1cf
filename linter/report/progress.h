// How far a long run is, on one line of a terminal: "reading 12/340 src/a.cu".
// The line appears after a second only and leaves nothing behind.
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
    llvm::raw_ostream *out = nullptr; ///< null: nowhere
    unsigned columns = 80;
    std::chrono::milliseconds patience{1000};
    /// Standard error, if a person sees it and it can clear a line.
    static Terminal standardError();
  };

  /// `verb` is "reading", "compiling"; `total` how many steps there will be.
  Progress(std::string verb, unsigned total,
           Terminal terminal = Terminal::standardError());
  /// Clears the line. Nothing else may write to the terminal before.
  ~Progress();
  Progress(const Progress &) = delete;

  /// One more step begins, with `what`. Any thread may call this.
  void step(llvm::StringRef what);

private:
  void watch();
  void show();

  const std::string verb_;
  const unsigned total_;
  const Terminal terminal_;
  std::mutex mutex_; ///< guards all below
  std::condition_variable changed_;
  std::string what_;
  unsigned steps_ = 0;
  bool finished_ = false;
  std::thread watcher_; ///< shows the line while the others are busy
};

} // namespace warplint
