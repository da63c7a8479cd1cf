#include "os/child_process.h"
#include "os/signals.h"
#include <fcntl.h>
#include <initializer_list>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

void takeMemoryInLargeSteps() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, 32 << 20);
}

} // namespace warplint
