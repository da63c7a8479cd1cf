// A process of ours beside this one, and what goes through its pipes.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <sys/types.h>

namespace warplint {

/// What it does first: it ends when its parent does, leaves nothing temporary
/// and no core, and says nothing (Clang may crash in it). `parent` is the
/// process before the fork.
void becomeChildProcess(pid_t parent);

/// What one of two processes hears the other by, and speaks to it.
struct Ends {
  int in = -1, out = -1;
};
struct Pipes {
  Ends parent, child; ///< none stays open in a program that is started
};
std::optional<Pipes> openPipes();
void closeEnds(const Ends &ends);

/// One heap that grows in large steps: half of the page faults go. For a
/// process that is short-lived and has one busy thread.
void takeMemoryInLargeSteps();

/// Appends what is there now; false at the end of the file.
bool readSome(int file, std::string &text);

/// All of it, unless nobody reads any more.
void writeAll(int file, llvm::StringRef text);

} // namespace warplint
