#include "os/process_pool.h"
#include "os/child_process.h"
#include "os/deadline.h"
#include "os/pipes.h"
#include "os/processor_wait.h"
#include "os/signals.h"
#include "os/workers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/thread.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <optional>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace warplint {

namespace {

using Clock = MovingEnd::Clock;

/// Reads the next piece; false if there is none.
bool readPiece(int file, uint64_t &piece) {
  char *bytes = reinterpret_cast<char *>(&piece);
  for (size_t have = 0; have < sizeof piece;) {
    const ssize_t count = read(file, bytes + have, sizeof piece - have);
    if (count == 0 || (count < 0 && errno != EINTR))
      return false;
    have += std::max<ssize_t>(count, 0);
  }
  return true;
}

/// The number of kilobytes behind `key` in a file of /proc, in bytes; none if
/// the system does not tell.
std::optional<uint64_t> kilobytesIn(const char *name, StringRef key) {
  auto file = MemoryBuffer::getFileAsStream(name);
  if (!file)
    return std::nullopt;
  StringRef rest = (*file)->getBuffer().split(key).second.ltrim();
  uint64_t kilobytes = 0;
  if (rest.consumeInteger(10, kilobytes))
    return std::nullopt;
  return kilobytes << 10;
}

/// Returns the memory that RLIMIT_DATA counts.
uint64_t dataBytes() {
  return kilobytesIn("/proc/self/status", "VmData:").value_or(0);
}

StringRef bytesOf(const uint64_t &number) {
  return {reinterpret_cast<const char *>(&number), sizeof number};
}

/// The exit code of a child process that may not have the memory it asks for.
constexpr int outOfMemory = 86;

/// Limits this process, and ends it when it asks for more. What is written to
/// counts, not what is mapped from a file, such as a precompiled header.
void limitMemory(uint64_t bytes) {
  if (!bytes)
    return;
  // The copy of the parent's memory, and the stack, do not count.
  const rlim_t limit = bytes + deepStackBytes + dataBytes();
  rlimit now;
  if (getrlimit(RLIMIT_DATA, &now) || now.rlim_max < limit)
    return;
  const rlimit limits = {limit, now.rlim_max};
  setrlimit(RLIMIT_DATA, &limits);
  std::set_new_handler([] { _exit(outOfMemory); });
  install_bad_alloc_error_handler(
      [](void *, const char *, bool) { _exit(outOfMemory); });
}

/// The child process: reads pieces and writes answers.
[[noreturn]] void serve(int in, int out, const ProcessWork &work) {
  takeMemoryInLargeSteps();
  llvm::thread deep(std::optional<unsigned>(deepStackBytes), [&] {
    for (uint64_t piece; readPiece(in, piece);) {
      const std::string answer = work.work(piece);
      writeAll(out, bytesOf(answer.size()));
      writeAll(out, answer);
    }
    _exit(0); // skips destructors: the process frees its memory anyway
  });
  deep.join();
  _exit(0);
}

/// A child process, as the parent sees it.
class Process {
public:
  /// `memory`: the limit in bytes; 0: none. `longest`: of a piece; 0: no limit.
  Process(const ProcessWork &work, uint64_t memory,
          std::chrono::milliseconds longest)
      : work_(work), memory_(memory), longest_(longest) {}
  Process(const Process &) = delete;
  ~Process() { end(SIGKILL); } // its work has no effects

  bool isBusy() const { return piece_.has_value(); }
  size_t piece() const { return *piece_; }
  int file() const { return ends_.in; }

  bool isLate() {
    return end_ && end_->isOver([this] { return waitOfProcess(pid_); });
  }
  /// When to look again if it is late.
  Clock::time_point nextLook() const {
    return end_ ? end_->end() : Clock::time_point::max();
  }

  /// Starts the process if there is none; false if that is not possible.
  bool begin(size_t piece) {
    if (!pid_ && !start())
      return false;
    piece_ = piece;
    answer_.clear();
    if (longest_.count())
      end_.emplace(Clock::now() + longest_, waitOfProcess(pid_));
    // If the process is gone, waiting for its answer notices.
    writeAll(ends_.out, bytesOf(piece));
    return true;
  }

  enum class Heard { Part, All, End };

  Heard hear() {
    if (!readSome(ends_.in, answer_))
      return Heard::End;
    uint64_t size = 0;
    if (answer_.size() < sizeof size)
      return Heard::Part;
    std::memcpy(&size, answer_.data(), sizeof size);
    return answer_.size() - sizeof size < size ? Heard::Part : Heard::All;
  }

  std::string take() {
    piece_.reset();
    answer_.erase(0, sizeof(uint64_t));
    return std::move(answer_);
  }

  /// Ends it, by a signal unless that is 0; returns the status of waitpid.
  int end(int signal) {
    int status = 0;
    if (!pid_)
      return status;
    closeEnds(ends_);
    if (signal)
      kill(pid_, signal);
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    piece_.reset();
    return status;
  }

private:
  bool start() {
    const std::optional<Pipes> pipes = openPipes();
    if (!pipes)
      return false;
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
      // The program's own handlers must not run in its fork.
      for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGPIPE,
                         SIGHUP, SIGINT, SIGQUIT, SIGTERM})
        ::signal(signal, SIG_DFL);
      becomeChildProcess(parent);
      closeEnds(pipes->parent);
      limitMemory(memory_);
      serve(pipes->child.in, pipes->child.out, work_);
    }
    closeEnds(pipes->child);
    if (child < 0) {
      closeEnds(pipes->parent);
      return false;
    }
    pid_ = child;
    ends_ = pipes->parent;
    return true;
  }

  const ProcessWork &work_;
  const uint64_t memory_;
  const std::chrono::milliseconds longest_;
  pid_t pid_ = 0;
  Ends ends_;
  std::optional<size_t> piece_;
  std::optional<MovingEnd> end_; ///< of the piece's time
  std::string answer_;           ///< its size, then itself
};

/// The memory that is available without swapping.
std::optional<uint64_t> availableBytes() {
  return kilobytesIn("/proc/meminfo", "MemAvailable:");
}

/// The limit of each of so many processes; 0: none.
uint64_t memoryOfEach(const ProcessLimits &limits, size_t processes) {
  if (limits.memory)
    return *limits.memory;
  constexpr uint64_t enough = uint64_t(4) << 30;
  const uint64_t all = memoryOfMachine();
  return std::max(all / std::max<size_t>(2, processes),
                  std::min(enough, all / 2));
}

unsigned processesWithin(const ProcessLimits &limits) {
  constexpr uint64_t each = uint64_t(1) << 30;
  size_t count = limits.processes
                     ? limits.processes
                     : std::max(1u, std::thread::hardware_concurrency());
  if (std::optional<uint64_t> bytes = availableBytes())
    count = std::min<size_t>(count, *bytes / each);
  return std::max<size_t>(1, count);
}

std::string howItEnded(int status, uint64_t memory) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == outOfMemory)
    return tookTooMuch(memory);
  // A terminal sends these to all processes; this one may not have seen it yet.
  if (WIFSIGNALED(status) &&
      (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM))
    return interruptedWords;
  if (WIFSIGNALED(status))
    return (Twine(crashWords) + " (" + strsignal(WTERMSIG(status)) + ")").str();
  return crashWords;
}

/// Ignores SIGPIPE, so that writing to a dead child process does not end this
/// one.
class WithoutBrokenPipes {
public:
  WithoutBrokenPipes() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &former_);
  }
  ~WithoutBrokenPipes() { sigaction(SIGPIPE, &former_, nullptr); }

private:
  struct sigaction former_;
};

/// Gives pieces to processes and collects their answers.
class Foreman {
public:
  Foreman(ArrayRef<size_t> pieces, const ProcessLimits &limits,
          const ProcessWork &work)
      : left_(pieces), limits_(limits), work_(work),
        most_(processesWithin(limits)),
        memory_(memoryOfEach(limits, std::min<size_t>(most_, pieces.size()))) {
    for (size_t i = 0; i < std::min<size_t>(most_, pieces.size()); ++i)
      processes_.push_back(
          std::make_unique<Process>(work, memory_, limits.longest));
  }

  void run() {
    for (;;) {
      if (isInterrupted())
        return drop();
      unsigned busy = 0;
      for (auto &process : processes_) {
        if (!process->isBusy())
          handOut(*process);
        busy += process->isBusy();
      }
      if (!busy)
        return;
      if (left_.empty() && busy < most_ && work_.idle)
        work_.idle(most_ - busy);
      wait();
    }
  }

private:
  void handOut(Process &process) {
    if (left_.empty())
      return;
    if (process.begin(left_.front())) {
      left_ = left_.drop_front();
      return;
    }
    // While another process is busy, try again later; otherwise no process can
    // start, so all pieces fail.
    const bool anyBusy = any_of(
        processes_, [](const auto &process) { return process->isBusy(); });
    if (anyBusy || &process != processes_.back().get())
      return;
    for (; !left_.empty(); left_ = left_.drop_front())
      work_.failed(left_.front(),
                   std::string("could not start: ") + strerror(errno));
  }

  /// Fails what is not done.
  void drop() {
    for (auto &process : processes_)
      if (process->isBusy())
        fail(*process, SIGKILL, interruptedWords);
    for (; !left_.empty(); left_ = left_.drop_front())
      work_.failed(left_.front(), interruptedWords);
  }

  void fail(Process &process, int signal, const std::string &why) {
    const size_t piece = process.piece();
    const int status = process.end(signal);
    work_.failed(piece, why.empty() ? howItEnded(status, memory_) : why);
  }

  void wait() {
    std::vector<pollfd> files;
    std::vector<Process *> busy;
    for (auto &process : processes_)
      if (process->isBusy()) {
        files.push_back({process->file(), POLLIN, 0});
        busy.push_back(process.get());
      }
    poll(files.data(), files.size(), patience(busy));
    for (size_t i = 0; i < busy.size(); ++i) {
      Process &process = *busy[i];
      if (files[i].revents)
        hear(process);
      else if (process.isLate())
        fail(process, SIGKILL, tookTooLong(limits_.longest) + " and was ended");
    }
  }

  void hear(Process &process) {
    const Process::Heard heard = process.hear();
    if (heard == Process::Heard::End)
      return fail(process, 0, "");
    if (heard == Process::Heard::Part)
      return;
    const size_t piece = process.piece();
    work_.done(piece, process.take());
  }

  /// Milliseconds until the first of them may be late, or until it is time to
  /// look for a signal, which another thread may have got.
  int patience(ArrayRef<Process *> busy) const {
    constexpr int look = 100;
    if (!limits_.longest.count())
      return look;
    Clock::time_point first = Clock::time_point::max();
    for (const Process *process : busy)
      first = std::min(first, process->nextLook());
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now());
    return std::clamp<int64_t>(left.count(), 0, look);
  }

  ArrayRef<size_t> left_;
  const ProcessLimits &limits_;
  const ProcessWork &work_;
  const unsigned most_;   ///< processes at a time
  const uint64_t memory_; ///< of each; 0: no limit
  std::vector<std::unique_ptr<Process>> processes_;
};

} // namespace

void forEachInProcesses(ArrayRef<size_t> pieces, const ProcessLimits &limits,
                        const ProcessWork &work) {
  if (pieces.empty())
    return;
  WithoutBrokenPipes quiet;
  Foreman(pieces, limits, work).run();
}

} // namespace warplint
