#include "report/progress.h"
#include "base/printable.h"
#include "os/signals.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include <cstdlib>

using namespace llvm;

namespace warplint {

/// The time between updates: visibly alive, yet readable.
static constexpr std::chrono::milliseconds interval{100};
static constexpr StringRef clearLine = "\r\x1b[K";

Progress::Terminal Progress::Terminal::standardError(bool quiet) {
  Terminal terminal;
  if (quiet)
    return terminal;
  terminal.out = &errs();
  const char *kind = std::getenv("TERM");
  if (!sys::Process::StandardErrIsDisplayed() || !kind ||
      StringRef(kind) == "dumb") {
    terminal.isLog = true;
    terminal.patience = std::chrono::seconds(15);
  }
  if (unsigned columns = sys::Process::StandardErrColumns())
    terminal.columns = columns;
  return terminal;
}

std::string timeLeft(std::chrono::seconds taken, double share) {
  using namespace std::chrono_literals;
  constexpr double enough = 0.01; // of the work, to draw conclusions from
  if (taken < 5s || share < enough || share >= 1)
    return "";
  const double seconds = taken.count() * (1 - share) / share;
  if (seconds < 60)
    return formatv("{0} s left", std::max(1, int(seconds + 0.5)));
  const uint64_t minutes = uint64_t(seconds / 60 + 0.5);
  return minutes < 60
             ? formatv("{0} min left", minutes).str()
             : formatv("{0} h {1} min left", minutes / 60, minutes % 60).str();
}

Progress::Progress(std::string verb, unsigned total, Terminal terminal,
                   uint64_t work)
    : verb_(std::move(verb)), total_(total), work_(work ? work : total),
      terminal_(terminal) {
  noteEnd();
  if (terminal_.out)
    watcher_ = std::thread([this] { watch(); });
}

Progress::~Progress() {
  sayAtTheEnd("");
  if (!terminal_.out)
    return;
  {
    std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  watcher_.join();
}

void Progress::step(StringRef what, uint64_t work) {
  std::lock_guard lock(mutex_);
  ++steps_;
  done_ += work;
  what_ = printable(what);
  noteEnd();
}

void Progress::noteEnd() const {
  if (terminal_.out)
    sayAtTheEnd(formatv("{0}warplint: ended while {1} {2}/{3}; nothing is "
                        "reported",
                        terminal_.isLog ? "" : clearLine, verb_, steps_, total_)
                    .str());
}

void Progress::watch() {
  std::unique_lock lock(mutex_);
  auto finished = [this] { return finished_; };
  std::chrono::milliseconds wait = terminal_.patience;
  if (terminal_.isLog) {
    for (; !changed_.wait_for(lock, wait, finished); wait *= 2)
      addToLog();
    return;
  }
  if (changed_.wait_for(lock, wait, finished))
    return;
  do
    show();
  while (!changed_.wait_for(lock, interval, finished));
  *terminal_.out << clearLine;
  terminal_.out->flush();
}

/// "reading 4100/10000, 12 min left"
std::string Progress::head() const {
  const std::string left =
      timeLeft(std::chrono::duration_cast<std::chrono::seconds>(
                   std::chrono::steady_clock::now() - begin_),
               work_ ? double(done_) / work_ : 0);
  return formatv("{0} {1}/{2}{3}{4}", verb_, steps_, total_,
                 left.empty() ? "" : ", ", left);
}

void Progress::addToLog() {
  *terminal_.out << "warplint: " + head() + "\n";
  terminal_.out->flush();
}

/// A single write, so that the line does not flicker. A wrapped line could not
/// be cleared, so the path loses its beginning, the least useful end.
void Progress::show() {
  const std::string head = this->head() + " ";
  const size_t room = terminal_.columns > head.size() + 1
                          ? terminal_.columns - head.size() - 1
                          : 0;
  StringRef what = what_;
  std::string shown = what.str();
  if (what.size() > room)
    shown = room > 3 ? ("..." + what.take_back(room - 3)).str() : "";
  *terminal_.out << (clearLine + head + shown).str();
  terminal_.out->flush();
}

} // namespace warplint
