#pragma once

// Helpers of the tests of the pool of workers.

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "batch/worker_pool.h"

namespace gvbind::test {

inline WorkerTask task(std::function<int(const SendLine&, int)> run, std::size_t memory = 0,
                       double cost = 0.0) {
  return {std::move(run), memory, cost, nullptr};
}

/// The events that a run reported, by task.
struct Told {
  std::vector<std::size_t> started;
  std::map<std::size_t, std::vector<std::string>> lines;
  std::map<std::size_t, WorkerEnd> ends;
  std::size_t most_at_once = 0;
};

inline Told run(const std::vector<WorkerTask>& tasks, const WorkerPoolOptions& options) {
  Told told;
  std::size_t running = 0;
  WorkerPoolEvents events;
  events.start = [&](std::size_t index) {
    told.started.push_back(index);
    told.most_at_once = std::max(told.most_at_once, ++running);
  };
  events.line = [&](std::size_t index, const std::string& line) {
    told.lines[index].push_back(line);
    return line != "nonsense";
  };
  events.end = [&](std::size_t index, const WorkerEnd& end) {
    told.ends[index] = end;
    --running;
  };
  run_workers(tasks, options, events);
  return told;
}

}  // namespace gvbind::test
