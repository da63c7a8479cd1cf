#include "os/signals.h"
#include "llvm/Support/Signals.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <ctime>
#include <mutex>
#include <string>
#include <unistd.h>

using namespace llvm;

namespace warplint {

/// The handler sets this before it reads `deferring`, and DeferredSignals reads
/// it after adding to `deferring`, so at least one of them sees the other.
static std::atomic<bool> isTerminating;
static std::atomic<int> deferring;
static std::atomic<void (*)()> extraWork;

/// The handler reads one of them while the other may be written.
static struct {
  char text[256];
  size_t size;
} lastWords[2];
static std::atomic<int> validWords;
static std::atomic<pid_t> speaker; ///< the process; 0: nobody has words

static std::atomic<pid_t> interruptible; ///< the process; 0: none
static std::string interruptNotice;
static std::atomic<int> interruptedBy; ///< a signal; 0: none
static std::atomic<int64_t> interruptedAt;
static std::atomic<bool> isFromTerminal; ///< probably by a person

static int64_t millisecondsNow() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

/// Returns true if the signal is a request that the run answers by itself.
static bool interrupts(int signal) {
  if (signal != SIGINT && signal != SIGTERM)
    return false;
  if (interruptedBy)
    return millisecondsNow() - interruptedAt < 1000;
  if (interruptible != getpid())
    return false;
  interruptedAt = millisecondsNow();
  isFromTerminal = signal == SIGINT && isatty(STDERR_FILENO);
  if (!interruptedBy.exchange(signal))
    (void)!write(STDERR_FILENO, interruptNotice.data(), interruptNotice.size());
  return true;
}

static void sayLastWords(int signal) {
  if ((signal != SIGINT && signal != SIGTERM) || speaker != getpid())
    return;
  const auto &[text, size] = lastWords[validWords];
  if (size)
    (void)!write(STDERR_FILENO, text, size);
}

static sigset_t terminationSignalSet() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : terminationSignals)
    sigaddset(&signals, signal);
  return signals;
}

/// The process ends while this waits.
[[noreturn]] static void waitForTheEnd() {
  for (;;)
    pause();
}

static void waitForDeferred() {
  constexpr timespec step = {0, 1'000'000};
  for (int steps = 0; deferring && steps < 2000; ++steps)
    nanosleep(&step, nullptr);
}

static void onSignal(int signal) {
  if (interrupts(signal))
    return;
  if (isTerminating.exchange(true))
    waitForTheEnd(); // another thread handles a signal
  sayLastWords(signal);
  waitForDeferred();
  if (auto work = extraWork.load())
    work();
  sys::RunInterruptHandlers();
  // The default action gives the usual exit status.
  for (int each : terminationSignals)
    ::signal(each, SIG_DFL);
  raise(signal);
}

void cleanUpOnSignals() {
  static std::mutex one;
  static pid_t installedIn;
  std::lock_guard<std::mutex> lock(one);
  if (installedIn == getpid())
    return;
  installedIn = getpid();
  isTerminating = false; // a fork inherits these values
  deferring = 0;
  interruptible = interruptedBy = 0;
  // LLVM installs its own handlers once, and they end the program at a second
  // signal without removing the rest. Installed first, they are replaced here.
  sys::SetInterruptFunction(nullptr);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_mask = terminationSignalSet();
  action.sa_flags = SA_RESTART; // an interrupted run goes on
  for (int signal : terminationSignals) {
    struct sigaction former;
    sigaction(signal, nullptr, &former);
    // Such as SIGHUP under nohup.
    if (former.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
}

void alsoAtTermination(void (*work)()) { extraWork = work; }

void sayAtTheEnd(StringRef line) {
  static std::mutex one;
  std::lock_guard<std::mutex> lock(one);
  const int other = 1 - validWords;
  auto &[text, size] = lastWords[other];
  size = 0;
  if (!line.empty()) {
    cleanUpOnSignals();
    size = std::min(line.size(), sizeof text - 1);
    memcpy(text, line.data(), size);
    text[size++] = '\n';
  }
  validWords = other;
  speaker = getpid();
}

Interruptible::Interruptible(StringRef notice) {
  cleanUpOnSignals();
  interruptNotice = notice.empty() ? "" : notice.str() + "\n";
  interruptible = getpid();
}

Interruptible::~Interruptible() { interruptible = 0; }

bool isInterrupted() { return interruptedBy; }

bool isInterruptedForLong() {
  // What was read is worth a minute; a second Ctrl-C ends the wait.
  const int64_t patience = isFromTerminal ? 60'000 : 5000;
  return interruptedBy && millisecondsNow() - interruptedAt > patience;
}

void endIfInterrupted() {
  if (const int signal = interruptedBy) {
    ::signal(signal, SIG_DFL);
    raise(signal);
  }
}

DeferredSignals::DeferredSignals() {
  cleanUpOnSignals();
  // Otherwise the handler may run on this thread and wait for itself.
  const sigset_t signals = terminationSignalSet();
  pthread_sigmask(SIG_BLOCK, &signals, &former_);
  ++deferring;
  if (!isTerminating)
    return;
  --deferring;
  waitForTheEnd();
}

DeferredSignals::~DeferredSignals() {
  --deferring;
  pthread_sigmask(SIG_SETMASK, &former_, nullptr);
}

} // namespace warplint
