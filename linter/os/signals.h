// Removes temporary files on SIGHUP, SIGINT, SIGQUIT, SIGPIPE and SIGTERM; then
// the program ends by the signal.
#pragma once
#include "llvm/ADT/StringRef.h"
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
