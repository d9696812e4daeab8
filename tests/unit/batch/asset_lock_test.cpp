#include "batch/state_file.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <thread>

#include "batch/folder.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// A process that holds the lock until it is killed.
pid_t start_holder(const char* output) {
  std::array<int, 2> pipe_ends{};
  REQUIRE(pipe(pipe_ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const AssetLock lock(output);
    const char told = lock.held() ? 'y' : 'n';
    if (write(pipe_ends[1], &told, 1) == 1) pause();
    _exit(1);
  }
  char told = '?';
  REQUIRE(read(pipe_ends[0], &told, 1) == 1);
  CHECK(told == 'y');
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  return child;
}

void end(pid_t child) {
  kill(child, SIGKILL);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
}

}  // namespace

TEST_CASE("an asset is locked against other processes, and other assets are not") {
  const WorkFolder folder;
  const pid_t holder = start_holder("out/a.glb");
  CHECK_FALSE(AssetLock("out/a.glb").held());
  CHECK_FALSE(AssetLock("./out/../out/a.glb").held());
  CHECK(AssetLock("out/b.glb").held());
  CHECK(AssetLock("out/a.fbx").held());
  CHECK(AssetLock("other/a.glb").held());
  end(holder);
  CHECK(AssetLock("out/a.glb").held());
}

TEST_CASE("a lock is got as soon as whoever has it ends") {
  const WorkFolder folder;
  const pid_t holder = start_holder("out/a.glb");
  CHECK_FALSE(AssetLock("out/a.glb", std::chrono::milliseconds(120)).held());
  std::jthread killer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(holder, SIGKILL);
  });
  CHECK(AssetLock("out/a.glb", std::chrono::minutes(2)).held());
  killer.join();
  end(holder);
}

TEST_CASE("locks of one process meet too, and the end of one ends no other") {
  const WorkFolder folder;
  auto first = std::make_unique<AssetLock>("a.glb");
  CHECK(first->held());
  CHECK_FALSE(AssetLock("a.glb").held());
  CHECK(AssetLock("b.glb").held());
  CHECK_FALSE(AssetLock("a.glb").held());
  first.reset();
  CHECK(AssetLock("a.glb").held());
}

TEST_CASE("where no lock can be had all go on") {
  const WorkFolder folder;
  folder.write("file");
  CHECK(AssetLock("file/a.glb").held());
  CHECK(AssetLock("/proc/a.glb").held());
}
