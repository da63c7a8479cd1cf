#include "os/signals.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <ctime>
#include <mutex>
#include <unistd.h>

using namespace llvm;

namespace warplint {

/// Set before the handler looks at `disturbances`. Whoever adds to those looks
/// at it afterwards, so one of the two sees the other.
static std::atomic<bool> isTerminating;
static std::atomic<int> undisturbed;
static std::atomic<void (*)()> alsoDone;

static sigset_t terminationSignalSet() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : terminationSignals)
    sigaddset(&signals, signal);
  return signals;
}

/// The process ends before this does.
[[noreturn]] static void waitForTheEnd() {
  for (;;)
    pause();
}

static void waitForDeferred() {
  constexpr timespec step = {0, 1'000'000};
  for (int steps = 0; undisturbed && steps < 2000; ++steps)
    nanosleep(&step, nullptr);
}

static void onSignal(int signal) {
  if (isTerminating.exchange(true))
    waitForTheEnd(); // another thread is at it
  waitForDeferred();
  if (auto work = alsoDone.load())
    work();
  sys::RunInterruptHandlers();
  // Then what would have happened without us, with its exit status.
  for (int each : terminationSignals)
    ::signal(each, SIG_DFL);
  raise(signal);
}

void cleanUpOnSignals() {
  static std::mutex one;
  static pid_t isDoneIn;
  std::lock_guard<std::mutex> lock(one);
  if (isDoneIn == getpid())
    return;
  isDoneIn = getpid();
  isTerminating = false; // of the process that this one is a fork of
  undisturbed = 0;
  // LLVM's own handlers end the program at a second signal, whatever is still
  // to be removed. They come once, so they have to come before ours.
  sys::SetInterruptFunction(nullptr);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_mask = terminationSignalSet();
  for (int signal : terminationSignals) {
    struct sigaction former;
    sigaction(signal, nullptr, &former);
    // nohup's SIGHUP, or a caller who does not mind a closed pipe.
    if (former.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
}

void alsoAtTermination(void (*work)()) { alsoDone = work; }

DeferredSignals::DeferredSignals() {
  cleanUpOnSignals();
  // Else the handler may run on this thread, and wait for itself.
  const sigset_t signals = terminationSignalSet();
  pthread_sigmask(SIG_BLOCK, &signals, &former_);
  ++undisturbed;
  if (!isTerminating)
    return;
  --undisturbed;
  waitForTheEnd();
}

DeferredSignals::~DeferredSignals() {
  --undisturbed;
  pthread_sigmask(SIG_SETMASK, &former_, nullptr);
}

} // namespace warplint
