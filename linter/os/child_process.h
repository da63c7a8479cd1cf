// The first steps of any fork of this program (os/background_process.h,
// os/process_pool.h), before it does its work.
#pragma once
#include <cstdint>
#include <string>
#include <sys/types.h>

namespace warplint {

/// Makes this process end when its parent ends, remove its temporary files at a
/// signal, write no core, and print nothing (Clang may crash in it). `parent`
/// is the process before the fork.
void becomeChildProcess(pid_t parent);

/// Ends a child process with SIGTERM, on which it removes its folders and ends
/// its compiler; after three seconds with SIGKILL.
void endProcess(pid_t process);

/// The memory of this machine in bytes; 0 if the system does not tell.
uint64_t memoryOfMachine();

/// "took more than 2 GiB of memory and was ended".
std::string tookTooMuch(uint64_t bytes);

/// Lets the heap grow in large steps, which halves the page faults. For a
/// short-lived process with one busy thread.
void takeMemoryInLargeSteps();

} // namespace warplint
