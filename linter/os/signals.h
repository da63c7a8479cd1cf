// Removes temporary files on SIGHUP, SIGINT, SIGQUIT, SIGPIPE and SIGTERM; then
// the program ends by the signal. A run that has results to report takes the
// first SIGINT or SIGTERM as a request to end soon.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <csignal>

namespace warplint {

inline constexpr int terminationSignals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE,
                                             SIGTERM};

/// Installs the handlers in this process; a fork that resets its signals calls
/// this again. A handler removes LLVM's temporary files and runs the function
/// of `alsoAtTermination`. Further signals have no effect meanwhile, whichever
/// thread gets them: builds send several.
void cleanUpOnSignals();

/// Sets the function that the handler runs, once. There is one per program.
void alsoAtTermination(void (*work)());

/// Sets what the handler writes to standard error, as one line, where SIGINT or
/// SIGTERM ends this process; not where it ends a fork. Empty: nothing.
void sayAtTheEnd(llvm::StringRef line);

/// While an object lives, the first SIGINT or SIGTERM does not end this process:
/// it writes `notice`, a line, to standard error, and `isInterrupted` is true
/// from then on. So are those of the same second, since `timeout` and terminals
/// send several; a later one ends the process. One at a time.
class Interruptible {
public:
  explicit Interruptible(llvm::StringRef notice);
  ~Interruptible();
  Interruptible(const Interruptible &) = delete;
};

bool isInterrupted();

/// True some seconds behind the interruption, when even short work has to end:
/// a program that sends the signal sends SIGKILL soon. A person at a terminal
/// does not, and has a minute.
bool isInterruptedForLong();

/// Why something is missing: "was interrupted".
inline constexpr const char *interruptedWords = "was interrupted";

/// Ends this process by the signal that interrupted it, so that a shell sees
/// it; returns if there was none.
void endIfInterrupted();

/// While an object lives, the handlers wait, so that a temporary file is
/// created and registered without interruption. For short sections: the
/// handlers wait two seconds at most.
class DeferredSignals {
public:
  DeferredSignals();
  ~DeferredSignals();
  DeferredSignals(const DeferredSignals &) = delete;

private:
  sigset_t former_;
};

} // namespace warplint
