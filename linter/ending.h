// What SIGHUP, SIGINT, SIGQUIT, SIGPIPE and SIGTERM do to the program: what is
// temporary goes first, then the program ends by the signal.
#pragma once
#include <csignal>

namespace warplint {

inline constexpr int endingSignals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE,
                                        SIGTERM};

/// From now on, in this process: a fork that resets its signals says so anew.
/// Temporary files that LLVM knows of go, and what `alsoAtEnding` does is done.
/// A signal that comes meanwhile, whichever thread gets it, changes nothing:
/// builds send several.
void tidyUpOnSignals();

/// Runs in a signal handler, once. One per program.
void alsoAtEnding(void (*work)());

/// While one of these lives, the program does not end: what is made meanwhile
/// is also known to whoever tidies up, or is not made. For moments; a program
/// that hangs is ended after two seconds all the same.
class Undisturbed {
public:
  Undisturbed();
  ~Undisturbed();
  Undisturbed(const Undisturbed &) = delete;

private:
  sigset_t former_;
};

} // namespace warplint
