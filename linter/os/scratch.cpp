#include "os/scratch.h"
#include "base/failure.h"
#include "os/signals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <spawn.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace std::chrono;

namespace warplint {

/// The data about one Scratch that the signal handler reads. Records are linked
/// once, reused and never freed, so that the handler can walk them at any time.
struct ScratchRecord {
  std::atomic<bool> isTaken = true;
  std::atomic<char *> folder = nullptr; ///< to be removed
  std::atomic<pid_t> owner = 0;         ///< a fork of this process owns nothing
  std::atomic<pid_t> group = 0;         ///< the process group that writes there
  int lock = -1; ///< the folder, open and locked as long as this process lives
  ScratchRecord *next = nullptr;
};

static std::atomic<ScratchRecord *> firstRecord;

static void pauseFor(milliseconds time) {
  timespec rest = {time.count() / 1000, (time.count() % 1000) * 1'000'000};
  nanosleep(&rest, nullptr);
}

/// Ends a process group and waits until all its members are gone, since they
/// could create files while their folder is removed. Orphans become children of
/// this process (see `create`), so no zombie stays where there is no init.
static void endGroup(pid_t group) {
  kill(-group, SIGKILL);
  while (waitpid(-group, nullptr, 0) > 0 || errno == EINTR)
    ;
}

/// Runs rm, since reading a folder allocates memory, which a signal handler
/// must not do.
static void removeInHandler(const char *folder) {
  pid_t child = _Fork();
  if (child == 0) {
    execl("/bin/rm", "rm", "-rf", "--", folder, nullptr);
    _exit(127);
  }
  if (child > 0)
    waitpid(child, nullptr, 0);
}

static void removeAll() {
  for (ScratchRecord *record = firstRecord; record; record = record->next) {
    if (record->owner != getpid())
      continue;
    if (pid_t group = record->group)
      endGroup(group);
    if (const char *folder = record->folder)
      removeInHandler(folder);
  }
}

static ScratchRecord *takeRecord() {
  for (ScratchRecord *record = firstRecord; record; record = record->next)
    if (!record->isTaken.exchange(true))
      return record;
  auto *record = new ScratchRecord;
  record->next = firstRecord;
  while (!firstRecord.compare_exchange_weak(record->next, record))
    ;
  return record;
}

/// Does not return if a signal handler runs and may use the name.
static void release(ScratchRecord &record) {
  char *folder = nullptr;
  {
    DeferredSignals here;
    folder = record.folder.exchange(nullptr);
  }
  free(folder);
  if (record.lock >= 0)
    close(std::exchange(record.lock, -1));
  record.isTaken = false;
}

/// Opens a folder and locks it against `sweep`; -1 if it is gone or not ours,
/// or cannot be locked: errno is EWOULDBLOCK where another process has locked
/// it.
static int lockedFolder(const char *path) {
  const int folder =
      open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat opened, there;
  if (folder >= 0 && !flock(folder, LOCK_EX | LOCK_NB) &&
      !fstat(folder, &opened) && !lstat(path, &there) &&
      opened.st_ino == there.st_ino && opened.st_uid == geteuid())
    return folder;
  const int error = errno;
  if (folder >= 0)
    close(folder);
  errno = error;
  return -1;
}

/// Removes the folders of this user's processes that were killed. Each process
/// holds a lock on its folders, which the system takes off when it ends.
static void sweep(StringRef parent) {
  std::error_code error;
  for (sys::fs::directory_iterator entry(parent, error, /*follow=*/false), end;
       !error && entry != end; entry.increment(error)) {
    static const Regex ours("^warplint(-[0-9a-f]{4}){3}$");
    if (!ours.match(sys::path::filename(entry->path())))
      continue;
    const int folder = lockedFolder(entry->path().c_str());
    if (folder < 0)
      continue;
    sys::fs::remove_directories(entry->path());
    close(folder);
  }
}

/// On failure sets errno and releases the record.
static bool makeFolder(ScratchRecord &record, const char *path) {
  char *name = strdup(path);
  int error = 0;
  {
    DeferredSignals here; // memory may be what the handler's thread stopped in
    if (mkdir(name, S_IRWXU))
      error = errno;
    else
      record.folder = name;
  }
  if (!error)
    return true;
  free(name);
  record.isTaken = false;
  errno = error;
  return false;
}

Expected<Scratch> Scratch::create() {
  alsoAtTermination(removeAll);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  SmallString<128> parent;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, parent);
  sys::fs::make_absolute(parent);
  static std::once_flag isSwept;
  std::call_once(isSwept, [&] { sweep(parent); });
  for (int attempt = 0; attempt < 16; ++attempt) {
    SmallString<128> path;
    sys::fs::createUniquePath(parent + "/warplint-%%%%-%%%%-%%%%", path,
                              /*MakeAbsolute=*/false);
    ScratchRecord *record = takeRecord();
    record->owner = getpid();
    if (!makeFolder(*record, path.c_str())) {
      if (errno != EEXIST)
        break;
      continue;
    }
    record->lock = lockedFolder(path.c_str());
    // Another process may have begun to sweep it before it was locked. Some
    // file systems have no locks.
    if (record->lock >= 0 ||
        (errno != EWOULDBLOCK && sys::fs::is_directory(path)))
      return Scratch(record);
    release(*record);
  }
  return failure("no temporary folder can be made in '" + parent +
                 "': " + strerror(errno));
}

Scratch::~Scratch() {
  if (!record_)
    return;
  sys::fs::remove_directories(folder());
  release(*record_);
}

StringRef Scratch::folder() const { return record_->folder.load(); }

std::string Scratch::path(StringRef name) const {
  return (folder() + "/" + name).str();
}

/// PATH without its relative folders: they lead into the repository.
static std::string pathOfPrograms(StringRef path) {
  SmallVector<StringRef> folders;
  path.split(folders, sys::EnvPathSeparator);
  erase_if(folders,
           [](StringRef folder) { return !sys::path::is_absolute(folder); });
  return "PATH=" + join(folders, StringRef(&sys::EnvPathSeparator, 1));
}

/// The environment of a child process.
static std::vector<std::string> environmentFor(StringRef folder) {
  std::vector<std::string> result;
  for (char **variable = environ; *variable; ++variable) {
    auto [name, value] = StringRef(*variable).split('=');
    if (name == "PATH")
      result.push_back(pathOfPrograms(value));
    else if (!is_contained({"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "TMPDIR",
                            "LC_ALL", "LANGUAGE", "GIT_ALLOW_PROTOCOL"},
                           name))
      result.push_back(*variable);
  }
  result.push_back(("TMPDIR=" + folder).str());
  result.push_back("LC_ALL=C"); // warplint reads the messages
  // git would fetch what a partial clone lacks, by a program of its choice.
  result.push_back("GIT_ALLOW_PROTOCOL=none");
  return result;
}

static std::vector<char *> pointersTo(std::vector<std::string> &strings) {
  std::vector<char *> result;
  for (std::string &string : strings)
    result.push_back(string.data());
  result.push_back(nullptr);
  return result;
}

/// Starts a process in its own process group, so that it can be ended together
/// with its descendants. Returns an error number.
static int start(std::atomic<pid_t> &group, std::vector<std::string> arguments,
                 std::vector<std::string> environment,
                 const std::string &directory, const std::string &output) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  // Fails before glibc 2.29, on which warplint-portable runs as well.
  if (posix_spawn_file_actions_addchdir_np(&files, directory.c_str()))
    arguments.insert(
        arguments.begin(),
        {"/bin/sh", "-c", "cd -- \"$0\" && exec \"$@\"", directory});
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, output.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigemptyset(&all);
  for (int signal : terminationSignals)
    sigaddset(&all, signal);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                            POSIX_SPAWN_SETSIGDEF |
                                            POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  const std::vector<char *> words = pointersTo(arguments),
                            variables = pointersTo(environment);
  pid_t child = 0;
  int error;
  {
    DeferredSignals here; // the handler has to know its process id
    error = posix_spawn(&child, words[0], &files, &attributes, words.data(),
                        variables.data());
    if (!error)
      group = child;
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

/// Waits for a child. It polls, since an alarm is shared by all threads.
static Exit waitFor(pid_t child, milliseconds limit) {
  auto end = steady_clock::now() + limit;
  siginfo_t info = {};
  Exit exit;
  // Does not reap it: a zombie keeps its process id from being reused.
  while (waitid(P_PID, child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0) {
    if (isInterrupted()) {
      exit.signal = SIGTERM;
      return exit;
    }
    if (steady_clock::now() >= end) {
      exit.timedOut = true;
      return exit;
    }
    pauseFor(milliseconds(5));
  }
  (info.si_code == CLD_EXITED ? exit.code : exit.signal) = info.si_status;
  return exit;
}

Expected<Exit> Scratch::run(const std::vector<std::string> &arguments,
                            const std::string &directory, StringRef outputName,
                            milliseconds limit, uint64_t memory) {
  if (isInterrupted())
    return Exit{0, SIGTERM, false};
  int error = start(record_->group, arguments, environmentFor(folder()),
                    directory, path(outputName));
  if (error)
    return failure("'" + arguments.front() + "' cannot be run in '" +
                   directory + "': " + strerror(error));
  const pid_t child = record_->group;
  // Its descendants inherit the limit; it starts them much later.
  if (const rlimit most = {memory, memory}; memory)
    prlimit(child, RLIMIT_DATA, &most, nullptr);
  Exit exit = waitFor(child, limit);
  endGroup(child); // the program may leave descendants
  record_->group = 0;
  return exit;
}

} // namespace warplint
