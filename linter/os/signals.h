// What SIGHUP, SIGINT, SIGQUIT, SIGPIPE and SIGTERM do to the program: what is
// temporary goes first, then the program ends by the signal.
#pragma once
#include <csignal>

namespace warplint {

inline constexpr int terminationSignals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE,
                                             SIGTERM};

/// From now on, in this process: a fork that resets its signals says so anew.
/// Temporary files that LLVM knows of go, and what `alsoAtTermination` does is
/// done. A signal that comes meanwhile, whichever thread gets it, changes
/// nothing: builds send several.
void cleanUpOnSignals();

/// Runs in a signal handler, once. One per program.
void alsoAtTermination(void (*work)());

/// While one of these lives, the program does not end: what is made meanwhile
/// is also known to whoever tidies up, or is not made. For moments; a program
/// that hangs is ended after two seconds all the same.
class DeferredSignals {
public:
  DeferredSignals();
  ~DeferredSignals();
  DeferredSignals(const DeferredSignals &) = delete;

private:
  sigset_t former_;
};

} // namespace warplint
