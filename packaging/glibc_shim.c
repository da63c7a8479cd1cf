// The functions of glibc after 2.28 that LLVM, libstdc++, libgcc or warplint
// call, made of older ones. Linked into warplint-portable alone, where the
// names and versions come from glibc-stubs; hidden, so that no library that the
// program loads takes them for glibc's.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// 2.33. The first argument says which layout of struct stat is meant.
int __xstat(int version, const char *path, struct stat *state);
int __fxstat(int version, int file, struct stat *state);
int __lxstat(int version, const char *path, struct stat *state);
enum { structStatVersion = 1 };

int stat(const char *path, struct stat *state) {
  return __xstat(structStatVersion, path, state);
}
int fstat(int file, struct stat *state) {
  return __fxstat(structStatVersion, file, state);
}
int lstat(const char *path, struct stat *state) {
  return __lxstat(structStatVersion, path, state);
}
int stat64(const char *path, struct stat64 *state) {
  return __xstat(structStatVersion, path, (struct stat *)state);
}
int fstat64(int file, struct stat64 *state) {
  return __fxstat(structStatVersion, file, (struct stat *)state);
}
int lstat64(const char *path, struct stat64 *state) {
  return __lxstat(structStatVersion, path, (struct stat *)state);
}

// 2.33, which LLVM asks how much memory is in use.
struct mallinfo2 mallinfo2(void) {
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  struct mallinfo narrow = mallinfo();
  struct mallinfo2 wide = {.uordblks = (unsigned)narrow.uordblks};
  return wide;
}

// 2.32. False: shared pointers count atomically.
char __libc_single_threaded = 0;

// 2.36.
uint32_t arc4random(void) {
  uint32_t number;
  while (getentropy(&number, sizeof number))
    ;
  return number;
}

// 2.30. An earlier glibc waits by the wall clock alone.
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           clockid_t clock, const struct timespec *end) {
  struct timespec now, wall;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  wall.tv_sec += end->tv_sec - now.tv_sec;
  wall.tv_nsec += end->tv_nsec - now.tv_nsec;
  if (wall.tv_nsec < 0) {
    --wall.tv_sec;
    wall.tv_nsec += 1000000000;
  } else if (wall.tv_nsec >= 1000000000) {
    ++wall.tv_sec;
    wall.tv_nsec -= 1000000000;
  }
  return pthread_cond_timedwait(condition, mutex, &wall);
}

// 2.29. Spawned processes of an earlier glibc start in this process's folder.
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions,
                                         const char *folder) {
  typedef int Action(posix_spawn_file_actions_t *, const char *);
  Action *action = (Action *)dlsym(RTLD_DEFAULT, __func__);
  return action ? action(actions, folder) : ENOSYS;
}

// 2.34. Like fork, without the handlers that a signal handler must not run.
pid_t _Fork(void) { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }

// 2.35, how libgcc finds the tables of the code that an exception leaves.
struct Search {
  uintptr_t code;
  struct dl_find_object *found;
};

static int searchIn(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  struct Search *search = data;
  int holdsCode = 0;
  void *tables = NULL;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const uintptr_t begin = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && search->code >= begin &&
        search->code - begin < part->p_memsz)
      holdsCode = 1;
    if (part->p_type == PT_GNU_EH_FRAME)
      tables = (void *)begin;
  }
  if (!holdsCode || !tables)
    return 0;
  search->found->dlfo_eh_frame = tables;
  return 1;
}

int _dl_find_object(void *code, struct dl_find_object *found) {
  struct Search search = {(uintptr_t)code, found};
  return dl_iterate_phdr(searchIn, &search) ? 0 : -1;
}

// From 2.34 on, __libc_start_main runs the constructors itself, and a program
// that was linked with such a glibc passes no function that does.
typedef void Constructor(int, char **, char **);
extern Constructor *__preinit_array_start[]
    __attribute__((visibility("hidden")));
extern Constructor *__preinit_array_end[] __attribute__((visibility("hidden")));
extern Constructor *__init_array_start[] __attribute__((visibility("hidden")));
extern Constructor *__init_array_end[] __attribute__((visibility("hidden")));
void _init(void);

static void construct(int count, char **arguments, char **environment) {
  for (Constructor **each = __preinit_array_start; each < __preinit_array_end;
       ++each)
    (*each)(count, arguments, environment);
  _init();
  for (Constructor **each = __init_array_start; each < __init_array_end; ++each)
    (*each)(count, arguments, environment);
}

typedef int Main(int, char **, char **);
int __real___libc_start_main(Main *, int, char **, Constructor *,
                             void (*)(void), void (*)(void), void *);
int __wrap___libc_start_main(Main *program, int count, char **arguments,
                             Constructor *none, void (*atEnd)(void),
                             void (*atLoaderEnd)(void), void *stack) {
  (void)none;
  return __real___libc_start_main(program, count, arguments, construct, atEnd,
                                  atLoaderEnd, stack);
}
