#include "os/pipes.h"
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace llvm;

namespace warplint {

std::optional<Pipes> openPipes() {
  int to[2], from[2]; // each: the end to read from, the end to write to
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
    if (written < 0 && errno == EAGAIN) { // a terminal in non-blocking mode
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
