#include "commands/wrapped_compiler.h"
#include "machine/build_report.h"
#include "os/child_process.h"
#include "os/pipes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace warplint {

static constexpr int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
static struct sigaction formerActions[std::size(forwarded)];
static std::atomic<pid_t> compilerProcess, childProcess;
static std::atomic<int> cameSignal;

static void onSignal(int signal) {
  int savedErrno = errno;
  cameSignal = signal;
  if (pid_t compiler = compilerProcess)
    kill(compiler, signal);
  if (pid_t child = childProcess)
    kill(child, SIGTERM); // it has a folder to remove
  errno = savedErrno;
}

static std::vector<char *> pointersTo(const std::vector<std::string> &words) {
  std::vector<char *> result;
  for (const std::string &word : words)
    result.push_back(const_cast<char *>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

static int cannotRun(const std::string &program, int error) {
  errs() << "warplint: '" << program << "' cannot be run: " << strerror(error)
         << '\n';
  return error == ENOENT ? 127 : 126;
}

int become(const std::vector<std::string> &words) {
  execvp(words.front().c_str(), pointersTo(words).data());
  return cannotRun(words.front(), errno);
}

static bool isSameFile(int one, int other) {
  struct stat a, b;
  return !fstat(one, &a) && !fstat(other, &b) && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

WrappedCompiler::WrappedCompiler(const std::vector<std::string> &words,
                                 bool hideReport)
    : words_(words), hideReport_(hideReport) {
  struct sigaction action = {};
  action.sa_handler = onSignal;
  for (int signal : forwarded)
    sigaddset(&action.sa_mask, signal);
  for (size_t i = 0; i < std::size(forwarded); ++i) {
    sigaction(forwarded[i], nullptr, &formerActions[i]);
    if (formerActions[i].sa_handler != SIG_IGN) // nohup's SIGHUP
      sigaction(forwarded[i], &action, nullptr);
  }
  // Writing to a child process that ended must not end this one.
  ::signal(SIGPIPE, SIG_IGN);
}

static void restoreSignals() {
  for (size_t i = 0; i < std::size(forwarded); ++i)
    sigaction(forwarded[i], &formerActions[i], nullptr);
  ::signal(SIGPIPE, SIG_DFL);
}

WrappedCompiler::~WrappedCompiler() {
  endChild();
  restoreSignals();
  if (output_ >= 0)
    close(output_);
}

int WrappedCompiler::signal() { return cameSignal; }

bool WrappedCompiler::fork() {
  const std::optional<Pipes> pipes = openPipes();
  if (!pipes)
    return true;
  const pid_t parent = getpid();
  const pid_t child = ::fork();
  if (child) {
    closeEnds(pipes->child);
    child_ = {child, pipes->parent.out, pipes->parent.in};
    childProcess = std::max(child, 0);
    return true;
  }
  restoreSignals();
  becomeChildProcess(parent);
  if (cameSignal)
    _exit(1);
  closeEnds(pipes->parent);
  in_ = pipes->child.in;
  out_ = pipes->child.out;
  return false;
}

/// Skips destructors, since the process frees everything.
void WrappedCompiler::leave(int code) { _exit(code); }

int WrappedCompiler::start() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return errno;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (isSameFile(1, 2))
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_adddup2(&files, ends[1], 2);
  // The compiler must not inherit the ignored SIGPIPE.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t broken;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &broken);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error =
      posix_spawnp(&compiler_, words_.front().c_str(), &files, &attributes,
                   pointersTo(words_).data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  output_ = ends[0];
  if (error) {
    compiler_ = 0;
    return error;
  }
  compilerProcess = compiler_;
  if (int signal = cameSignal) // it came before the compiler started
    kill(compiler_, signal);
  return 0;
}

/// Passes on whole lines; with `isAll` the rest as well.
void WrappedCompiler::handOn(std::string &text, bool isAll,
                             std::string &report) const {
  StringRef rest = text;
  std::string shown;
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    if (end == StringRef::npos && !isAll)
      break;
    StringRef line =
        rest.take_front(end == StringRef::npos ? rest.size() : end + 1);
    rest = rest.drop_front(line.size());
    const bool isReport = isReportLine(line);
    if (isReport)
      report += line;
    if (!isReport || !hideReport_)
      shown += line;
  }
  writeAll(2, shown);
  text = rest.str();
}

CompilerEnd WrappedCompiler::wait() {
  CompilerEnd end;
  std::string text;
  // A daemon that the compiler starts may keep the pipe open for ever.
  const int ended = int(syscall(SYS_pidfd_open, compiler_, 0));
  pollfd files[] = {{output_, POLLIN, 0}, {ended, POLLIN, 0}};
  for (bool isOpen = true; isOpen;) {
    if (poll(files, ended < 0 ? 1 : 2, -1) < 0 && errno != EINTR)
      break;
    const bool hasEnded = ended >= 0 && files[1].revents;
    if (hasEnded)
      fcntl(output_, F_SETFL, O_NONBLOCK);
    if (files[0].revents || hasEnded) {
      const size_t length = text.size();
      isOpen = readSome(output_, text);
      if (hasEnded && text.size() == length)
        isOpen = false;
    }
    handOn(text, false, end.report);
    files[0].revents = files[1].revents = 0;
  }
  handOn(text, true, end.report);
  if (ended >= 0)
    close(ended);
  while (waitpid(compiler_, &end.status, 0) < 0 && errno == EINTR)
    ;
  compilerProcess = 0;
  return end;
}

std::optional<std::string>
WrappedCompiler::answer(StringRef report, std::chrono::milliseconds limit) {
  using namespace std::chrono;
  const auto last = steady_clock::now() + limit;
  std::string text;
  if (child_.from < 0)
    return text;
  writeAll(child_.to, ("+" + report).str());
  close(std::exchange(child_.to, -1));
  pollfd file = {child_.from, POLLIN, 0};
  while (!cameSignal) {
    auto left = ceil<milliseconds>(last - steady_clock::now()).count();
    if (limit.count() && left <= 0)
      return std::nullopt;
    const int patience =
        limit.count() ? int(std::min<int64_t>(left, 1 << 30)) : -1;
    if (poll(&file, 1, patience) > 0 && !readSome(child_.from, text))
      return text;
  }
  return "";
}

void WrappedCompiler::endChild() {
  if (child_.process <= 0)
    return;
  if (child_.to >= 0)
    close(child_.to);
  close(child_.from);
  endProcess(child_.process);
  childProcess = 0;
  child_ = {};
}

int endLike(int status) {
  if (!WIFSIGNALED(status))
    return WEXITSTATUS(status);
  // The compiler has already dumped its core.
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  ::signal(WTERMSIG(status), SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, WTERMSIG(status));
  sigprocmask(SIG_UNBLOCK, &one, nullptr);
  raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

} // namespace warplint
