#include "batch/worker_pool.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <thread>

#include "batch/worker_runs.h"
#include "formats/import/samples.h"
#include "gvbind/error.h"

using namespace gvbind;
using namespace gvbind::test;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t mebibyte = 1 << 20;

WorkerTask sleeper(double seconds) {
  return task([seconds](const SendLine&, int) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    return 0;
  });
}

/// Touches this much memory and holds it for a while.
WorkerTask hog(std::size_t bytes, double seconds, std::size_t estimate) {
  return task(
      [=](const SendLine&, int) {
        std::vector<std::vector<char>> held;
        // In steps, like real work.
        while (held.size() * 8 * mebibyte < bytes) {
          held.emplace_back(8 * mebibyte, 1);
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        return 0;
      },
      estimate);
}

/// The process id that a child writes into that file; waits until it is written.
pid_t process_in(const fs::path& file) {
  while (!fs::exists(file) || read_text(file).empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return std::stoi(read_text(file));
}

/// Whether a process has ended, or ends within a minute.
bool is_gone(pid_t process) {
  for (int i = 0; i < 12000; ++i) {
    // Without an init process, one that has ended may remain as a zombie.
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(stat, text);
    if (text.empty() || text.find(") Z ") != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace

TEST_CASE("workers hand back lines, stderr and an exit code") {
  const auto work = [](const SendLine& send, int) {
    send("first");
    std::fputs("talk\n", stderr);
    std::puts("goes nowhere");
    send(std::string(300'000, 'x'));
    return 5;
  };
  const Told told = run({task(work)}, {});
  REQUIRE(told.lines.at(0).size() == 2);
  CHECK(told.lines.at(0)[0] == "first");
  CHECK(told.lines.at(0)[1] == std::string(300'000, 'x'));
  const WorkerEnd& end = told.ends.at(0);
  CHECK(end.how == WorkerEnd::How::exited);
  CHECK(end.exit_code == 5);
  CHECK(end.stderr_text == "talk\n");
}

TEST_CASE("an exception becomes a line on stderr and its exit code") {
  const Told told = run(
      {task([](const SendLine&, int) -> int { throw Error(ErrorKind::cannot_bind, "a.glb: no"); }),
       task([](const SendLine&, int) -> int { throw std::bad_alloc(); }),
       task([](const SendLine&, int) -> int { throw std::runtime_error("odd"); })},
      {});
  CHECK(told.ends.at(0).exit_code == 4);
  CHECK(told.ends.at(0).stderr_text == "a.glb: no\n");
  CHECK(told.ends.at(1).exit_code == 7);
  CHECK(told.ends.at(2).exit_code == 70);
}

TEST_CASE("a crash of a worker does not affect other tasks") {
  std::vector<WorkerTask> tasks;
  for (int i = 0; i < 6; ++i)
    tasks.push_back(task([i](const SendLine& send, int) {
      if (i % 2 == 0) {
        std::fputs("about to\n", stderr);
        signal(SIGSEGV, SIG_DFL);  // not the test framework's handler, which prints a report
        raise(SIGSEGV);
      }
      send("done");
      return 0;
    }));
  WorkerPoolOptions options;
  options.jobs = 3;
  const Told told = run(tasks, options);
  for (std::size_t i = 0; i < 6; ++i) {
    const WorkerEnd& end = told.ends.at(i);
    CHECK((end.how == WorkerEnd::How::crashed) == (i % 2 == 0));
    if (i % 2 == 0) CHECK(end.signal == SIGSEGV);
    if (i % 2 == 0) CHECK(end.stderr_text == "about to\n");
    if (i % 2 == 1) CHECK(told.lines.at(i).front() == "done");
  }
}

TEST_CASE("a worker that talks nonsense is ended, and the rest goes on") {
  const auto talker = [](int code) {
    return task([code](const SendLine& send, int) {
      send("sense");
      send("nonsense");
      send("more text");
      if (code < 0) std::this_thread::sleep_for(std::chrono::minutes(10));
      return code;
    });
  };
  const auto decent = [](const SendLine& send, int) {
    send("sense");
    return 0;
  };
  WorkerPoolOptions options;
  options.jobs = 2;
  const Told told = run({talker(-1), talker(0), task(decent), talker(3), task(decent)}, options);
  for (const std::size_t i : {0, 1, 3}) {
    CHECK(told.ends.at(i).how == WorkerEnd::How::protocol_error);
    CHECK(told.ends.at(i).seconds < 300.0);
    CHECK(told.lines.at(i) == std::vector<std::string>{"sense", "nonsense"});
  }
  for (const std::size_t i : {2, 4}) {
    CHECK(told.ends.at(i).how == WorkerEnd::How::exited);
    CHECK(told.lines.at(i) == std::vector<std::string>{"sense"});
  }
}

TEST_CASE("a worker that hangs is ended, even one that will not hear, with all that it started") {
  const ScratchFolder folder;
  const auto deaf = [&](const SendLine&, int) {
    signal(SIGTERM, SIG_IGN);
    if (fork() == 0) {  // a grandchild
      signal(SIGTERM, SIG_IGN);
      folder.write("grandchild", std::to_string(getpid()));
      std::this_thread::sleep_for(std::chrono::minutes(10));
      _exit(0);
    }
    for (;;) pause();
    return 0;
  };
  WorkerPoolOptions options;
  options.jobs = 3;
  options.timeout_seconds = 3.0;
  const Told told = run({sleeper(600), task(deaf), sleeper(0)}, options);
  CHECK(told.ends.at(0).how == WorkerEnd::How::timed_out);
  CHECK(told.ends.at(1).how == WorkerEnd::How::timed_out);
  CHECK(told.ends.at(2).how == WorkerEnd::How::exited);
  CHECK(is_gone(process_in(folder.path() / "grandchild")));
}

TEST_CASE("the dear ones start first, as many at once as there are jobs, with all threads used") {
  std::vector<WorkerTask> tasks;
  for (int i = 0; i < 7; ++i)
    tasks.push_back(task(
        [](const SendLine& send, int threads) {
          send(std::to_string(threads));
          std::this_thread::sleep_for(std::chrono::milliseconds(30));
          return 0;
        },
        0, i == 4 ? 9.0 : i));
  WorkerPoolOptions options;
  options.jobs = 3;
  const Told told = run(tasks, options);
  CHECK(told.started == std::vector<std::size_t>{4, 6, 5, 3, 2, 1, 0});
  CHECK(told.most_at_once == 3);
  CHECK(told.lines.at(4).front() == "1");
  CHECK(told.ends.size() == 7);
  // With fewer tasks than jobs, tasks use several threads each.
  options.jobs = 5;
  const Told pair = run({tasks[0], tasks[1]}, options);
  CHECK(std::stoi(pair.lines.at(0).front()) + std::stoi(pair.lines.at(1).front()) == 5);
}

TEST_CASE("estimates hold workers back that would not fit together") {
  std::vector<WorkerTask> tasks;
  for (int i = 0; i < 5; ++i) tasks.push_back(hog(0, 0.05, 60 * mebibyte));
  WorkerPoolOptions options;
  options.jobs = 4;
  options.memory_bytes = 150 * mebibyte;
  const Told told = run(tasks, options);
  CHECK(told.most_at_once == 2);
  CHECK(told.ends.size() == 5);
}

#ifndef GVBIND_SANITIZED
TEST_CASE("a worker that outgrows the memory alone is the one that fails") {
  WorkerPoolOptions options;
  options.jobs = 2;
  options.memory_bytes = 300 * mebibyte;
  const Told told =
      run({hog(600 * mebibyte, 5, mebibyte), hog(16 * mebibyte, 0.1, mebibyte)}, options);
  const WorkerEnd& large = told.ends.at(0);
  CHECK((large.how == WorkerEnd::How::out_of_memory || large.exit_code == 7));
  CHECK(told.ends.at(1).how == WorkerEnd::How::exited);
  CHECK(told.ends.at(1).exit_code == 0);
}

TEST_CASE("workers that outgrow the memory together take turns") {
  WorkerPoolOptions options;
  options.jobs = 3;
  options.memory_bytes = 300 * mebibyte;
  std::vector<WorkerTask> tasks;
  for (int i = 0; i < 3; ++i) tasks.push_back(hog(160 * mebibyte, 1.5, mebibyte));
  const Told told = run(tasks, options);
  CHECK(told.started.size() > 3);  // at least one task was retried
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(told.ends.at(i).how == WorkerEnd::How::exited);
    CHECK(told.ends.at(i).exit_code == 0);
  }
}

TEST_CASE("a task that waits for memory when the run is stopped is interrupted") {
  const auto hold = [](const SendLine& send, int) {
    signal(SIGTERM, SIG_IGN);
    const std::vector<char> held(160 * mebibyte, 1);
    send("holds " + std::to_string(held.size()));
    std::this_thread::sleep_for(std::chrono::minutes(10));
    return 0;
  };
  std::size_t holding = 0, ticks = 0;
  WorkerPoolOptions options;
  options.jobs = 2;
  options.memory_bytes = 300 * mebibyte;
  options.stop = [&] { return ticks > 1; };
  std::map<std::size_t, WorkerEnd> ends;
  WorkerPoolEvents events;
  events.line = [&](std::size_t, const std::string&) { return ++holding > 0; };
  // The limit is enforced before the tick, so by the second one the younger worker is preempted.
  events.tick = [&] { ticks += holding == 2 ? 1 : 0; };
  events.end = [&](std::size_t index, const WorkerEnd& end) { ends[index] = end; };
  run_workers({task(hold, mebibyte), task(hold, mebibyte)}, options, events);
  REQUIRE(ends.size() == 2);
  for (const std::size_t i : {0, 1}) CHECK(ends.at(i).how == WorkerEnd::How::interrupted);
}
#endif

TEST_CASE("a task that gets no process starts, and ends as not started") {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit no_pipes{0, before.rlim_max};
  std::vector<std::string> events;
  WorkerPoolEvents heard;
  heard.start = [&](std::size_t) { events.emplace_back("start"); };
  heard.end = [&](std::size_t, const WorkerEnd& end) {
    const bool expected = end.how == WorkerEnd::How::not_started && !end.stderr_text.empty();
    events.emplace_back(expected ? "not started" : "other end");
  };
  setrlimit(RLIMIT_NOFILE, &no_pipes);
  run_workers({sleeper(30), sleeper(30)}, {}, heard);
  setrlimit(RLIMIT_NOFILE, &before);
  CHECK(events == std::vector<std::string>{"start", "not started", "start", "not started"});
}

TEST_CASE("a stop ends the workers and starts no more") {
  std::vector<WorkerTask> tasks(6, sleeper(30));
  tasks[0] = task(
      [](const SendLine& send, int) {
        send("done");
        return 0;
      },
      0, 1.0);
  bool stop = false;
  WorkerPoolOptions options;
  options.jobs = 2;
  options.stop = [&] { return stop; };
  std::map<std::size_t, WorkerEnd> ends;
  std::size_t started = 0;
  WorkerPoolEvents events;
  events.start = [&](std::size_t) { stop = ++started == 3; };
  events.end = [&](std::size_t index, const WorkerEnd& end) { ends[index] = end; };
  run_workers(tasks, options, events);
  REQUIRE(ends.size() == 3);
  CHECK(ends.at(0).how == WorkerEnd::How::exited);
  CHECK(ends.at(1).how == WorkerEnd::How::interrupted);
  CHECK(ends.at(2).how == WorkerEnd::How::interrupted);
}

TEST_CASE("workers end with their parent, however it ends") {
  const ScratchFolder folder;
  const pid_t parent = fork();
  if (parent == 0) {
    signal(SIGTERM, SIG_DFL);
    const auto work = [&](const SendLine&, int) {
      folder.write("started", std::to_string(getpid()));
      std::this_thread::sleep_for(std::chrono::minutes(10));
      return 0;
    };
    run_workers({task(work)}, {}, {});
    _exit(0);
  }
  const pid_t worker = process_in(folder.path() / "started");
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  CHECK(is_gone(worker));
}
