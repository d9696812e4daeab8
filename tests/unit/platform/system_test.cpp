#include "platform/system.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/scratch_folder.h"

namespace gvbind::platform {

namespace {

// Built twice: with the source for this system, and with the one for POSIX.
#ifdef GVBIND_POSIX_ONLY
constexpr bool posix_only = true;
#else
constexpr bool posix_only = false;
#endif

namespace fs = std::filesystem;

fs::path put(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
  return path;
}

std::string content(const fs::path& path) {
  std::string text;
  std::getline(std::ifstream(path), text);
  return text;
}

/// The exit code of a child process that runs `work`.
template <typename Work>
int in_child(Work work) {
  const pid_t pid = fork();
  if (pid == 0) _exit(work());
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("files are renamed whole, and never over others where that was not asked for") {
  const test::ScratchFolder folder;
  const fs::path a = put(folder.path() / "a", "a"), b = put(folder.path() / "b", "b");
  const int refused = rename_file(a, b, Rename::no_replace);
  CHECK(refused == (posix_only ? ENOSYS : EEXIST));
  CHECK(content(b) == "b");
  const int exchanged = rename_file(a, b, Rename::exchange);
  CHECK(exchanged == (posix_only ? ENOSYS : 0));
  CHECK(content(a) == (posix_only ? "a" : "b"));
  const std::string kept = content(a);
  CHECK(rename_file(a, b, Rename::replace) == 0);
  CHECK(content(b) == kept);
  CHECK(rename_file(a, b, Rename::replace) == ENOENT);
}

TEST_CASE(
    "a file that was looked at is the one that is read, and its place is known without links") {
  const test::ScratchFolder folder;
  const fs::path file = put(folder.path() / "file", "first");
  const fs::path link = folder.path() / "link";
  fs::create_symlink("file", link);
  const int looked_at = open_to_look(link);
  REQUIRE(looked_at >= 0);
  fs::path real;
  CHECK(real_path(looked_at, link, real) == 0);
  CHECK(real == fs::canonical(file));
  fs::remove(link);
  fs::create_symlink(put(folder.path() / "other", "other"), link);
  const int opened = open_to_read(looked_at);
  REQUIRE(opened >= 0);
  std::string text(5, ' ');
  CHECK(read(opened, text.data(), text.size()) == 5);
  CHECK(text == "first");
  // A name that has been redirected since may be resolved to the old file or rejected, but never to
  // another file.
  if (real_path(looked_at, link, real) == 0) CHECK(real == fs::canonical(file));
  close(opened);
  close(looked_at);
  CHECK(open_to_look(folder.path() / "none") == -1);
  CHECK(errno == ENOENT);
}

TEST_CASE("inspecting a pipe does not block") {
  const test::ScratchFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int looked_at = open_to_look(pipe);
  CHECK(looked_at >= 0);
  close(looked_at);
}

TEST_CASE("another process cannot lock a byte that is locked") {
  const test::ScratchFolder folder;
  const fs::path file = put(folder.path() / "lock", "");
  const int fd = open(file.c_str(), O_RDWR);
  REQUIRE(lock_byte(fd, 1L << 40) == 0);
  const auto error_elsewhere = [&](off_t offset) {
    return in_child([&] { return lock_byte(open(file.c_str(), O_RDWR), offset); });
  };
  const int error = error_elsewhere(1L << 40);
  CHECK((error == EAGAIN || error == EACCES));
  CHECK(error_elsewhere(7) == 0);
  close(fd);
  CHECK(error_elsewhere(1L << 40) == 0);
}

TEST_CASE("a folder that is locked cannot be locked again until it is closed") {
  const test::ScratchFolder folder;
  const auto opened = [&] { return open(folder.path().c_str(), O_RDONLY | O_DIRECTORY); };
  const int fd = opened();
  if (posix_only) {
    CHECK(lock_folder(fd) == ENOTSUP);
    close(fd);
    return;
  }
  REQUIRE(lock_folder(fd) == 0);
  CHECK(in_child([&] { return lock_folder(opened()); }) == EWOULDBLOCK);
  close(fd);
  CHECK(in_child([&] { return lock_folder(opened()); }) == 0);
}

TEST_CASE("pipes and sockets are not inherited by programs, and a closed end is an error") {
  std::array<int, 2> pipe{}, sockets{};
  REQUIRE(open_pipe(pipe) == 0);
  REQUIRE(open_socket_pair(sockets) == 0);
  for (const int fd : {pipe[0], pipe[1], sockets[0], sockets[1]})
    CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  CHECK(send_quietly(sockets[0], "x", 1) == 0);
  close(sockets[1]);
  CHECK(send_quietly(sockets[0], "x", 1) == EPIPE);
  for (const int fd : {pipe[0], pipe[1], sockets[0]}) close(fd);
}

TEST_CASE("descriptors are closed from one on, and none before it") {
  const int before = dup(STDERR_FILENO), after = fcntl(STDERR_FILENO, F_DUPFD, before + 1);
  CHECK(in_child([&] {
          close_from(after);
          return fcntl(before, F_GETFD) >= 0 && fcntl(after, F_GETFD) < 0 ? 0 : 1;
        }) == 0);
  close(before);
  close(after);
}

TEST_CASE("the memory of a process") {
  const ProcessMemory own = process_memory(getpid());
  if (posix_only) {
    CHECK(own.addresses == 0);
    return;
  }
  CHECK(own.resident > std::uint64_t{1} << 20);
  CHECK(own.addresses > own.resident);
  CHECK(own.data > 0);
  CHECK(process_memory(-1).resident == 0);
}

TEST_CASE("freed memory is kept and given back without harm") {
  CHECK(in_child([] {
          keep_freed_memory();
          const std::string text(std::size_t{1} << 25, 'x');
          return_freed_memory();
          return text.back() == 'x' ? 0 : 1;
        }) == 0);
}

}  // namespace gvbind::platform
