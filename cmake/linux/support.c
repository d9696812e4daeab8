// What the C++ library, or a header of this machine, asks of glibc after 2.28.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Of the structure, by which older programs are told apart.
#ifdef __x86_64__
#define VERSION 1
#else
#define VERSION 0
#endif

int __xstat(int version, const char* path, struct stat* status);
int __lxstat(int version, const char* path, struct stat* status);
int __fxstat(int version, int file, struct stat* status);
int __fxstatat(int version, int folder, const char* path, struct stat* status, int flags);

// 64 bits either way.
int stat(const char* path, struct stat* status) { return __xstat(VERSION, path, status); }
int lstat(const char* path, struct stat* status) { return __lxstat(VERSION, path, status); }
int fstat(int file, struct stat* status) { return __fxstat(VERSION, file, status); }
int fstatat(int folder, const char* path, struct stat* status, int flags) {
  return __fxstatat(VERSION, folder, path, status, flags);
}
int stat64(const char* path, struct stat64* status) { return stat(path, (struct stat*)status); }
int lstat64(const char* path, struct stat64* status) { return lstat(path, (struct stat*)status); }
int fstat64(int file, struct stat64* status) { return fstat(file, (struct stat*)status); }
int fstatat64(int folder, const char* path, struct stat64* status, int flags) {
  return fstatat(folder, path, (struct stat*)status, flags);
}

// Never said to be single-threaded: counts of references are then atomic.
char __libc_single_threaded = 0;

uint32_t arc4random(void) {
  uint32_t number;
  if (getentropy(&number, sizeof number) != 0) abort();
  return number;
}

// Kernels before 5.9 do not have the call.
int close_range(unsigned first, unsigned last, int flags) {
#ifdef SYS_close_range
  const long answer = syscall(SYS_close_range, first, last, flags);
  if (answer == 0 || errno != ENOSYS) return (int)answer;
#endif
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return -1;
  for (unsigned file = first; file <= last && file < files.rlim_cur; ++file) close((int)file);
  return 0;
}

const char* sigabbrev_np(int signal) {
  static const char* const names[] = {
      [SIGHUP] = "HUP",   [SIGINT] = "INT",       [SIGQUIT] = "QUIT", [SIGILL] = "ILL",
      [SIGTRAP] = "TRAP", [SIGABRT] = "ABRT",     [SIGBUS] = "BUS",   [SIGFPE] = "FPE",
      [SIGKILL] = "KILL", [SIGUSR1] = "USR1",     [SIGSEGV] = "SEGV", [SIGUSR2] = "USR2",
      [SIGPIPE] = "PIPE", [SIGALRM] = "ALRM",     [SIGTERM] = "TERM", [SIGSTKFLT] = "STKFLT",
      [SIGCHLD] = "CHLD", [SIGCONT] = "CONT",     [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP",
      [SIGTTIN] = "TTIN", [SIGTTOU] = "TTOU",     [SIGURG] = "URG",   [SIGXCPU] = "XCPU",
      [SIGXFSZ] = "XFSZ", [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGWINCH] = "WINCH",
      [SIGIO] = "POLL",   [SIGPWR] = "PWR",       [SIGSYS] = "SYS"};
  return signal > 0 && (size_t)signal < sizeof names / sizeof *names ? names[signal] : NULL;
}

// C++ waits by clocks of either kind.
static int until(clockid_t clock, const struct timespec* end, struct timespec* real) {
  if (clock == CLOCK_REALTIME) {
    *real = *end;
    return 0;
  }
  if (clock != CLOCK_MONOTONIC) return EINVAL;
  struct timespec now, now_real;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &now_real);
  real->tv_sec = now_real.tv_sec + (end->tv_sec - now.tv_sec);
  real->tv_nsec = now_real.tv_nsec + (end->tv_nsec - now.tv_nsec);
  if (real->tv_nsec < 0) {
    real->tv_nsec += 1000000000;
    --real->tv_sec;
  } else if (real->tv_nsec >= 1000000000) {
    real->tv_nsec -= 1000000000;
    ++real->tv_sec;
  }
  return 0;
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* end) {
  struct timespec real;
  const int error = until(clock, end, &real);
  return error ? error : pthread_cond_timedwait(condition, mutex, &real);
}

// Where exceptions are unwound: the library or program that holds an address.
typedef struct {
  uintptr_t address;
  struct dl_find_object* found;
} Wanted;

static int holds(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  const Wanted* const wanted = data;
  const ElfW(Phdr)* frames = NULL;
  uintptr_t begin = 0, end = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const segment = &object->dlpi_phdr[i];
    const uintptr_t first = object->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_GNU_EH_FRAME) frames = segment;
    if (segment->p_type == PT_LOAD && wanted->address >= first &&
        wanted->address < first + segment->p_memsz) {
      begin = first;
      end = first + segment->p_memsz;
    }
  }
  if (begin == end) return 0;
  if (!frames) return -1;
  wanted->found->dlfo_map_start = (void*)begin;
  wanted->found->dlfo_map_end = (void*)end;
  wanted->found->dlfo_eh_frame = (void*)(object->dlpi_addr + frames->p_vaddr);
  return 1;
}

int _dl_find_object(void* address, struct dl_find_object* found) {
  Wanted wanted = {(uintptr_t)address, found};
  return dl_iterate_phdr(holds, &wanted) == 1 ? 0 : -1;
}
