#include "batch/state_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "batch/stamp.h"
#include "formats/import/samples.h"

using namespace gvbind;
using namespace gvbind::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// A file name of `size` bytes.
std::string long_name(std::size_t size, const std::string& character = "x") {
  std::string name;
  while (name.size() + character.size() + 4 <= size) name += character;
  name.resize(size - 4, 'x');
  return name + ".glb";
}

}  // namespace

TEST_CASE("a state file is complete or missing") {
  const ScratchFolder folder;
  folder.write("file", "");
  const std::string message = error_of(
      ErrorKind::output, [&] { write_state_file(folder.path() / "file/deep/a.stamp", "x"); });
  CHECK(message.find("a.stamp: cannot be written: ") != std::string::npos);
  const fs::path path = folder.path() / "deep/er/a";
  write_state_file(path, "x");
  write_state_file(path, "y");
  CHECK(read_state_file(path) == "y");
  CHECK(names_in(folder.path() / "deep/er") == std::vector<std::string>{"a"});
}

TEST_CASE("a symbolic link in the place of a state file is not followed, nor one beside it") {
  const ScratchFolder folder;
  const fs::path precious = folder.write("precious", "work of weeks");
  const fs::path path = stamp_path(folder.path() / "a.glb");
  fs::create_directories(path.parent_path());
  SECTION("under the name that earlier versions used for unfinished files") {
    fs::create_symlink(precious, path.string() + ".new");
    write_state_file(path, "stamp");
    CHECK(read_state_file(path) == "stamp");
    CHECK(fs::is_symlink(path.string() + ".new"));
  }
  SECTION("under its own name") {
    fs::create_symlink(precious, path);
    CHECK_THROWS_AS(read_state_file(path), Error);
    const auto message = error_of(ErrorKind::output, [&] { write_state_file(path, "stamp"); });
    CHECK(message.find("a.glb.stamp: is not a file") != std::string::npos);
  }
  SECTION("as the directory") {
    fs::remove(path.parent_path());
    fs::create_directory(folder.path() / "elsewhere");
    fs::create_directory_symlink(folder.path() / "elsewhere", path.parent_path());
    folder.write("elsewhere/a.glb.stamp", "{}");
    CHECK_THROWS_AS(read_state_file(path), Error);
    CHECK(AssetLock(folder.path() / "a.glb").held());
    CHECK_FALSE(fs::exists(folder.path() / "elsewhere/lock"));
    const auto message = error_of(ErrorKind::output, [&] { write_state_file(path, "stamp"); });
    CHECK(message.find(".gvbind: is a symbolic link") != std::string::npos);
    CHECK(read_text(folder.path() / "elsewhere/a.glb.stamp") == "{}");
  }
  CHECK(read_text(precious) == "work of weeks");
}

TEST_CASE("a pipe, a socket, a device or a directory in the place of state is refused at once") {
  const ScratchFolder folder;
  const fs::path output = folder.path() / "a.glb";
  const bool lock = GENERATE(false, true);
  const fs::path path = lock ? folder.path() / ".gvbind/lock" : stamp_path(output);
  fs::create_directories(path.parent_path());
  SECTION("a pipe") { REQUIRE(mkfifo(path.c_str(), 0600) == 0); }
  SECTION("a directory") { fs::create_directory(path); }
  SECTION("a device") { fs::create_symlink("/dev/zero", path); }
  SECTION("a socket") {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = path.string();
    REQUIRE(name.size() < sizeof address.sun_path);
    std::copy(name.begin(), name.end(), address.sun_path);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    close(fd);
  }
  alarm(20);  // fails the test if reading blocks
  CHECK_THROWS_AS(read_state_file(path), Error);
  const auto message = error_of(ErrorKind::output, [&] { check_state(output); });
  alarm(0);
  CHECK(message.find(path.filename().string() + ": is not a file") != std::string::npos);
  CHECK_THROWS(write_state_file(path, "x"));
  CHECK(fs::exists(fs::symlink_status(path)));
}

TEST_CASE("temporary state files of a killed process are removed, and nothing else") {
  const ScratchFolder folder;
  const fs::path output = folder.path() / "a.glb", path = stamp_path(output);
  write_state_file(path, "x");
  // The temporary file stays if its writer dies before renaming it.
  const pid_t writer = fork();
  REQUIRE(writer >= 0);
  if (writer == 0) {
    rlimit none{0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    signal(SIGXFSZ, SIG_DFL);
    write_state_file(path, "y");
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(writer, &status, 0) == writer);
  REQUIRE(WIFSIGNALED(status));
  const auto names = names_in(path.parent_path());
  REQUIRE(names.size() == 2);
  folder.write(".gvbind/a.glb.stamp.new", "foreign");
  folder.write(".gvbind/notes.txt", "foreign");
  remove_unfinished_state(output);
  remove_unfinished_state(output);
  CHECK(names_in(path.parent_path()) ==
        std::vector<std::string>{"a.glb.stamp", "a.glb.stamp.new", "notes.txt"});
  CHECK(read_state_file(path) == "x");
}

TEST_CASE("outputs with names of any length that a file can have get state of their own") {
  const ScratchFolder folder;
  const std::string character = GENERATE("x", "\xC3\xA9", "\xE6\x80\xAA");
  std::set<fs::path> seen;
  for (std::size_t size = 240; size <= 255; ++size) {
    const fs::path output = folder.path() / long_name(size, character);
    for (const fs::path& path : {stamp_path(output), picture_path(output)}) {
      CHECK(seen.insert(path).second);
      write_state_file(path, "x");
      CHECK(read_state_file(path) == "x");
    }
    // Stamps of earlier versions must still be found.
    if (size <= 249) CHECK(stamp_path(output).filename() == output.filename().string() + ".stamp");
  }
  const std::string stem = long_name(251, character);
  CHECK(state_path(stem + "1", ".stamp") != state_path(stem + "2", ".stamp"));
}

TEST_CASE("state that cannot be read is not taken for none") {
  const ScratchFolder folder;
  const fs::path output = folder.path() / "a.glb";
  const pid_t reader = fork();
  REQUIRE(reader >= 0);
  if (reader == 0) {
    write_state_file(stamp_path(output), "x");
    fs::permissions(stamp_path(output), fs::perms::none);
    if (geteuid() == 0 && setuid(65534) != 0) _exit(2);  // root can read files without permission
    try {
      static_cast<void>(read_stamp(output));
      _exit(1);
    } catch (const Error& error) {
      _exit(error.kind() == ErrorKind::output ? 0 : 3);
    }
  }
  int status = 0;
  REQUIRE(waitpid(reader, &status, 0) == reader);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
