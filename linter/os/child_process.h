// The first steps of any fork of this program (os/background_process.h,
// os/process_pool.h), before it does its work.
#pragma once
#include <sys/types.h>

namespace warplint {

/// Makes this process end when its parent ends, remove its temporary files at a
/// signal, write no core, and print nothing (Clang may crash in it). `parent`
/// is the process before the fork.
void becomeChildProcess(pid_t parent);

/// Lets the heap grow in large steps, which halves the page faults. For a
/// short-lived process with one busy thread.
void takeMemoryInLargeSteps();

} // namespace warplint
