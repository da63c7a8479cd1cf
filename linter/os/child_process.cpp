#include "os/child_process.h"
#include "os/signals.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace warplint {

void becomeChildProcess(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    _exit(1);
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream : {0, 1, 2})
    dup2(nothing, stream);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  cleanUpOnSignals();
}

/// Returns true if the process ends within the time.
static bool hasEnded(pid_t process, std::chrono::milliseconds patience) {
  const auto last = std::chrono::steady_clock::now() + patience;
  while (waitpid(process, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > last)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

void endProcess(pid_t process) {
  kill(process, SIGTERM);
  if (hasEnded(process, std::chrono::seconds(3)))
    return;
  kill(process, SIGKILL);
  hasEnded(process, std::chrono::seconds(3));
}

uint64_t memoryOfMachine() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? uint64_t(pages) * size : 0;
}

/// "2 GiB", "512 MiB".
static std::string inWords(uint64_t bytes) {
  constexpr uint64_t gibibyte = uint64_t(1) << 30;
  return bytes >= gibibyte && (bytes % gibibyte == 0 || bytes >= 10 * gibibyte)
             ? std::to_string(bytes / gibibyte) + " GiB"
             : std::to_string(bytes >> 20) + " MiB";
}

std::string tookTooMuch(uint64_t bytes) {
  return "took more than " + inWords(bytes) + " of memory and was ended";
}

void takeMemoryInLargeSteps() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, 32 << 20);
}

} // namespace warplint
