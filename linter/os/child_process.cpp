#include "os/child_process.h"
#include "os/signals.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace llvm;

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

std::optional<Pipes> openPipes() {
  int to[2], from[2]; // each: to read from, to write to
  if (pipe2(to, O_CLOEXEC))
    return std::nullopt;
  if (pipe2(from, O_CLOEXEC)) {
    closeEnds({to[0], to[1]});
    return std::nullopt;
  }
  return Pipes{{from[0], to[1]}, {to[0], from[1]}};
}

void closeEnds(const Ends &ends) {
  close(ends.in);
  close(ends.out);
}

void takeMemoryInLargeSteps() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, 32 << 20);
}

bool readSome(int file, std::string &text) {
  char buffer[1 << 16];
  ssize_t count = read(file, buffer, sizeof buffer);
  if (count > 0)
    text.append(buffer, count);
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

void writeAll(int file, StringRef text) {
  while (!text.empty()) {
    ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EAGAIN) { // a terminal that does not block
      pollfd ready = {file, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (written < 0 && errno != EINTR) {
      return;
    } else if (written > 0) {
      text = text.drop_front(written);
    }
  }
}

} // namespace warplint
