#include "report/progress.h"
#include "base/printable.h"
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
  const char *kind = std::getenv("TERM");
  if (quiet || !sys::Process::StandardErrIsDisplayed() || !kind ||
      StringRef(kind) == "dumb")
    return terminal;
  terminal.out = &errs();
  if (unsigned columns = sys::Process::StandardErrColumns())
    terminal.columns = columns;
  return terminal;
}

Progress::Progress(std::string verb, unsigned total, Terminal terminal)
    : verb_(std::move(verb)), total_(total), terminal_(terminal) {
  if (terminal_.out)
    watcher_ = std::thread([this] { watch(); });
}

Progress::~Progress() {
  if (!terminal_.out)
    return;
  {
    std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  watcher_.join();
}

void Progress::step(StringRef what) {
  std::lock_guard lock(mutex_);
  ++steps_;
  what_ = printable(what);
}

void Progress::watch() {
  std::unique_lock lock(mutex_);
  auto finished = [this] { return finished_; };
  if (changed_.wait_for(lock, terminal_.patience, finished))
    return;
  do
    show();
  while (!changed_.wait_for(lock, interval, finished));
  *terminal_.out << clearLine;
  terminal_.out->flush();
}

/// A single write, so that the line does not flicker. A wrapped line could not
/// be cleared, so the path loses its beginning, the least useful end.
void Progress::show() {
  if (steps_ == 0)
    return;
  std::string head = formatv("{0} {1}/{2} ", verb_, steps_, total_);
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
