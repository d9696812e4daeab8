/* Preloaded into gvbind: makes one call on a file below a directory fail, or kills the process at it.
 *
 * FAULT_ROOT     absolute path: calls on files below it count
 * FAULT_CALLS    names of the calls that count, between commas: write, fsync, rename, link, open (with O_CREAT), look
 *                (open without), read, mkdir, close, stdio, unlink; and, wherever they are made: thread, fork
 * FAULT_AT       the how manieth of them, over all processes; 0: none, they are only counted
 * FAULT_KIND     ENOSPC, EIO, EDQUOT or EAGAIN: it fails; short: it writes half; zeros: it writes zeros for the second half and says nothing; KILL: the process dies before it
 * FAULT_ON       1: all that follow fail too, as on a disk that stays full
 * FAULT_COUNTER  a file of at least sizeof(struct counter) bytes, from which others can read what happened */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

struct counter {
  _Atomic uint64_t calls;
  _Atomic uint64_t struck;
  char call[16];
};

enum { max_fd = 4096 };
enum kind { fails, is_short, loses, kills };

static struct counter* counter;
static const char *root, *calls;
static uint64_t at;
static int error_number, stays_full;
static enum kind kind;
static unsigned char ours[max_fd];

#define REAL(type, name, ...)                                        \
  static type (*real)(__VA_ARGS__);                                  \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static const char* variable(const char* name) {
  const char* value = getenv(name);
  return value ? value : "";
}

__attribute__((constructor)) static void start(void) {
  root = variable("FAULT_ROOT");
  calls = variable("FAULT_CALLS");
  at = strtoull(variable("FAULT_AT"), NULL, 10);
  stays_full = *variable("FAULT_ON") == '1';
  const char* name = variable("FAULT_KIND");
  kind = strcmp(name, "short") == 0   ? is_short
         : strcmp(name, "zeros") == 0 ? loses
         : strcmp(name, "KILL") == 0  ? kills
                                      : fails;
  error_number = strcmp(name, "ENOSPC") == 0   ? ENOSPC
                 : strcmp(name, "EDQUOT") == 0 ? EDQUOT
                 : strcmp(name, "EAGAIN") == 0 ? EAGAIN
                                               : EIO;
  const int fd = open(variable("FAULT_COUNTER"), O_RDWR | O_CLOEXEC);
  void* shared = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
  if (shared != MAP_FAILED) counter = shared;
}

static int counts(const char* call) {
  const size_t size = strlen(call);
  for (const char* found = calls; found && (found = strstr(found, call)); found += size)
    if ((found == calls || found[-1] == ',') && (found[size] == ',' || found[size] == '\0')) return 1;
  return 0;
}

/* Whether this call is the one. It does not come back where it kills. */
static int strikes(const char* call) {
  if (!counter || !counts(call)) return 0;
  const uint64_t number = atomic_fetch_add(&counter->calls, 1) + 1;
  if (at == 0 || (stays_full ? number < at : number != at)) return 0;
  if (atomic_fetch_add(&counter->struck, 1) == 0) strncpy(counter->call, call, sizeof counter->call - 1);
  if (kind == kills) kill(getpid(), SIGKILL);
  errno = error_number;
  return 1;
}

static int is_ours(int fd) { return fd >= 0 && fd < max_fd && ours[fd]; }

static int below_root(int directory, const char* path) {
  if (path[0] != '/') return directory != AT_FDCWD && is_ours(directory);
  const size_t size = strlen(root);
  return size > 0 && strncmp(path, root, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

static int keep(int fd, int mark) {
  if (fd >= 0 && fd < max_fd) ours[fd] = (unsigned char)mark;
  return fd;
}

static mode_t mode_of(int flags, va_list rest) {
  return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(rest, unsigned) : 0;
}

#define OPEN(name)                                                             \
  int name(const char* path, int flags, ...) {                                 \
    REAL(int, name, const char*, int, ...);                                    \
    va_list rest;                                                              \
    va_start(rest, flags);                                                     \
    const mode_t mode = mode_of(flags, rest);                                  \
    va_end(rest);                                                              \
    const int mark = below_root(AT_FDCWD, path);                               \
    const char* call = flags & O_CREAT ? "open" : "look";                      \
    return mark && strikes(call) ? -1 : keep(real(path, flags, mode), mark);   \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                      \
  int name(int directory, const char* path, int flags, ...) {                             \
    REAL(int, name, int, const char*, int, ...);                                          \
    va_list rest;                                                                         \
    va_start(rest, flags);                                                                \
    const mode_t mode = mode_of(flags, rest);                                             \
    va_end(rest);                                                                         \
    const int mark = below_root(directory, path);                                         \
    const char* call = flags & O_CREAT ? "open" : "look";                                 \
    return mark && strikes(call) ? -1 : keep(real(directory, path, flags, mode), mark);   \
  }
OPENAT(openat)
OPENAT(openat64)

/* As a disk that has lost what it took: the second half is zeros, and nobody is told. */
static ssize_t write_zeros(int fd, const void* bytes, size_t size) {
  REAL(ssize_t, write, int, const void*, size_t);
  char* lost = malloc(size);
  if (!lost) return -1;
  memcpy(lost, bytes, size / 2);
  memset(lost + size / 2, 0, size - size / 2);
  const ssize_t done = real(fd, lost, size);
  free(lost);
  return done;
}

ssize_t write(int fd, const void* bytes, size_t size) {
  REAL(ssize_t, write, int, const void*, size_t);
  if (!is_ours(fd) || !strikes("write")) return real(fd, bytes, size);
  if (kind == loses) return write_zeros(fd, bytes, size);
  return kind == is_short && size > 1 ? real(fd, bytes, size / 2) : kind == is_short ? real(fd, bytes, size) : -1;
}

ssize_t read(int fd, void* bytes, size_t size) {
  REAL(ssize_t, read, int, void*, size_t);
  return is_ours(fd) && strikes("read") ? -1 : real(fd, bytes, size);
}

ssize_t writev(int fd, const struct iovec* parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec*, int);
  if (!is_ours(fd) || !strikes("write")) return real(fd, parts, count);
  return kind == is_short ? real(fd, parts, 1) : -1;
}

int fsync(int fd) {
  REAL(int, fsync, int);
  return is_ours(fd) && strikes("fsync") ? -1 : real(fd);
}

/* A close that fails has closed all the same. */
int close(int fd) {
  REAL(int, close, int);
  const int fail = is_ours(fd) && strikes("close");
  const int error = errno;
  keep(fd, 0);
  if (!fail) return real(fd);
  real(fd);
  errno = error;
  return -1;
}

/* The C library closes what is behind a directory without asking us. */
int closedir(DIR* directory) {
  REAL(int, closedir, DIR*);
  keep(dirfd(directory), 0);
  return real(directory);
}

#define NAMES(name, call, path, parameters, arguments, ...)                          \
  int name parameters {                                                              \
    REAL(int, name, __VA_ARGS__);                                                    \
    return below_root(AT_FDCWD, path) && strikes(call) ? -1 : real arguments;        \
  }
#define NAMES_AT(name, call, directory, path, parameters, arguments, ...)            \
  int name parameters {                                                              \
    REAL(int, name, __VA_ARGS__);                                                    \
    return below_root(directory, path) && strikes(call) ? -1 : real arguments;       \
  }
NAMES(rename, "rename", to, (const char* from, const char* to), (from, to), const char*, const char*)
NAMES(link, "link", to, (const char* from, const char* to), (from, to), const char*, const char*)
NAMES(mkdir, "mkdir", path, (const char* path, mode_t mode), (path, mode), const char*, mode_t)
NAMES(unlink, "unlink", path, (const char* path), (path), const char*)
NAMES(rmdir, "unlink", path, (const char* path), (path), const char*)
NAMES(remove, "unlink", path, (const char* path), (path), const char*)
NAMES_AT(renameat, "rename", b, to, (int a, const char* from, int b, const char* to), (a, from, b, to), int, const char*,
         int, const char*)
NAMES_AT(renameat2, "rename", b, to, (int a, const char* from, int b, const char* to, unsigned flags),
         (a, from, b, to, flags), int, const char*, int, const char*, unsigned)
NAMES_AT(linkat, "link", b, to, (int a, const char* from, int b, const char* to, int flags), (a, from, b, to, flags),
         int, const char*, int, const char*, int)
NAMES_AT(mkdirat, "mkdir", a, path, (int a, const char* path, mode_t mode), (a, path, mode), int, const char*, mode_t)
NAMES_AT(unlinkat, "unlink", a, path, (int a, const char* path, int flags), (a, path, flags), int, const char*, int)

#define FOPEN(name)                                        \
  FILE* name(const char* path, const char* mode) {         \
    REAL(FILE*, name, const char*, const char*);           \
    const int mark = below_root(AT_FDCWD, path);           \
    if (mark && strikes("stdio")) return NULL;             \
    FILE* file = real(path, mode);                         \
    if (file) keep(fileno(file), mark);                    \
    return file;                                           \
  }
FOPEN(fopen)
FOPEN(fopen64)

size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  REAL(size_t, fwrite, const void*, size_t, size_t, FILE*);
  if (!is_ours(fileno(file)) || !strikes("stdio")) return real(bytes, size, count, file);
  return kind == is_short ? real(bytes, size, count / 2, file) : 0;
}

int fclose(FILE* file) {
  REAL(int, fclose, FILE*);
  const int fd = fileno(file), fail = is_ours(fd) && strikes("stdio"), error = errno;
  keep(fd, 0);
  const int result = real(file);
  if (fail) errno = error;
  return fail ? EOF : result;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument) {
  REAL(int, pthread_create, pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  return strikes("thread") ? error_number : real(thread, attributes, work, argument);
}

pid_t fork(void) {
  REAL(pid_t, fork, void);
  return strikes("fork") ? -1 : real();
}
