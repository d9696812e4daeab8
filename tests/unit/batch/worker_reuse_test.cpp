#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "batch/worker_pool.h"
#include "batch/worker_runs.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// Sends its process id and ends with that code; its process is reusable.
WorkerTask staying(int code = 0, double seconds = 0.0) {
  WorkerTask out = task([=](const SendLine& send, int) {
    std::fputs("talk\n", stderr);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    send(std::to_string(getpid()));
    return code;
  });
  out.reusable = [] { return true; };
  return out;
}

}  // namespace

TEST_CASE("a reusable worker takes tasks of its kind, one that failed and others do not") {
  std::vector<WorkerTask> tasks{staying(), staying(), staying(3), staying(), staying(), staying()};
  tasks[4].reusable = nullptr;
  tasks[5].reusable = [] { return false; };
  const Told told = run(tasks, {});
  std::vector<std::string> process;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    REQUIRE(told.lines.at(i).size() == 1);
    process.push_back(told.lines.at(i).front());
    CHECK(told.ends.at(i).how == WorkerEnd::How::exited);
    CHECK(told.ends.at(i).exit_code == (i == 2 ? 3 : 0));
    CHECK(told.ends.at(i).stderr_text == "talk\n");
  }
  CHECK(process[1] == process[0]);
  CHECK(process[2] == process[0]);
  CHECK(process[3] != process[0]);  // after a failure
  CHECK(process[4] != process[3]);  // the task is not reusable
  CHECK(told.most_at_once == 1);
}

TEST_CASE("a worker that ends its task after SIGTERM is heard, and not reused") {
  static volatile sig_atomic_t asked = 0;
  std::vector<WorkerTask> tasks(2, staying());
  tasks[0].run = [](const SendLine& send, int) {
    signal(SIGTERM, [](int) { asked = 1; });
    send(std::to_string(getpid()));
    while (asked == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return 0;
  };
  WorkerPoolOptions options;
  options.timeout_seconds = 3.0;
  const Told told = run(tasks, options);
  for (const std::size_t i : {0, 1}) {
    CHECK(told.ends.at(i).how == WorkerEnd::How::exited);
    CHECK(told.ends.at(i).exit_code == 0);
  }
  CHECK(told.lines.at(0) != told.lines.at(1));
}

TEST_CASE("peak memory and time are measured per task") {
  WorkerPoolOptions options;
  options.jobs = 2;
  // The limit is per task, not per worker.
  options.timeout_seconds = 3.0;
  const auto start = std::chrono::steady_clock::now();
  const Told told = run(std::vector<WorkerTask>(16, staying(0, 0.4)), options);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
  double sum = 0.0;
  for (const auto& [index, end] : told.ends) {
    CHECK(end.how == WorkerEnd::How::exited);
    sum += end.seconds;
  }
  CHECK(sum <= 2.0 * whole.count());
  CHECK(told.ends.size() == 16);
  CHECK(told.most_at_once == 2);
}

TEST_CASE("a task that fails because of an earlier one in its process is retried alone") {
  static int left_behind = 0;
  const auto crash = [](bool always, int code) {
    WorkerTask out = task([=](const SendLine& send, int) {
      send("begun");
      if (code != 0 && left_behind != 0) return code;
      if (always || left_behind != 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
      }
      left_behind = 1;
      return 0;
    });
    out.reusable = [] { return true; };
    return out;
  };
  const Told told = run({crash(false, 0), crash(false, 0), crash(true, 0), crash(false, 7)}, {});
  for (const std::size_t i : {0, 1, 3}) {
    CHECK(told.ends.at(i).how == WorkerEnd::How::exited);
    CHECK(told.ends.at(i).exit_code == 0);
  }
  CHECK(told.lines.at(1).size() == 2);
  CHECK(told.ends.at(2).how == WorkerEnd::How::crashed);
}
