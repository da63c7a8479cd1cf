// Shows the progress of a long run on one line of a terminal: "reading 12/340
// src/a.cu". The line appears after one second and is cleared at the end. Once
// there is something to go by, it says how long the rest takes: "reading
// 4100/10000, 12 min left src/a.cu". Elsewhere, as in the log of a build, a line
// of its own says so after a while, and again at ever longer intervals. Who
// interrupts the run learns how far it was.
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
    bool isLog = false; ///< no line of it can be cleared
    /// Standard error; none if it is wanted quiet.
    static Terminal standardError(bool quiet = false);
  };

  /// `verb` is "reading", "compiling"; `total` is the number of steps, `work`
  /// what they are together, in any unit; 0: each step is as long as another.
  Progress(std::string verb, unsigned total,
           Terminal terminal = Terminal::standardError(), uint64_t work = 0);
  /// Clears the line. Nothing else may write to the terminal before that.
  ~Progress();
  Progress(const Progress &) = delete;

  /// Begins one more step, on `what`, which is `work` of the whole.
  /// Thread-safe.
  void step(llvm::StringRef what, uint64_t work = 1);

private:
  void watch();
  void show();
  void addToLog();
  std::string head() const;
  void noteEnd() const;

  const std::string verb_;
  const unsigned total_;
  const uint64_t work_;
  const Terminal terminal_;
  const std::chrono::steady_clock::time_point begin_ =
      std::chrono::steady_clock::now();
  std::mutex mutex_; ///< guards all members below
  std::condition_variable changed_;
  std::string what_;
  unsigned steps_ = 0;
  uint64_t done_ = 0; ///< of work_
  bool finished_ = false;
  std::thread watcher_; ///< updates the line while the other threads work
};

/// Says how long the rest takes if a share of the work took so long: "12 min
/// left", "2 h 5 min left"; empty as long as that would be a guess.
std::string timeLeft(std::chrono::seconds taken, double share);

} // namespace warplint
