#include "gvbind/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "gvbind/error.h"

using namespace gvbind;

TEST_CASE("parallel_for covers every index once", "[threads]") {
  for (const std::size_t count : {0u, 1u, 7u, 64u, 10000u}) {
    std::vector<std::atomic<int>> seen(count);
    parallel_for(count, 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++seen[i];
    });
    CHECK(std::all_of(seen.begin(), seen.end(), [](const auto& n) { return n == 1; }));
  }
}

TEST_CASE("exceptions of a parallel body are rethrown", "[threads]") {
  CHECK_THROWS_AS(parallel_for(1000, 1,
                               [](std::size_t begin, std::size_t) {
                                 if (begin == 500) throw std::runtime_error("middle");
                               }),
                  std::runtime_error);
}

TEST_CASE("parallel_sort sorts short and long spans", "[threads]") {
  std::mt19937_64 random(1);
  for (const std::size_t count : {0u, 5u, 100000u}) {
    std::vector<std::uint64_t> values(count), expected;
    for (std::uint64_t& v : values) v = random() % 1000;
    expected = values;
    std::sort(expected.begin(), expected.end());
    parallel_sort(values);
    CHECK(values == expected);
  }
}

TEST_CASE("a limit of a million threads is one of 4096", "[threads]") {
  std::atomic<std::size_t> sum{0};
  for (int round = 0; round < 3; ++round)
    with_threads(1'000'000, {}, [&] {
      parallel_for(10000, 16, [&](std::size_t begin, std::size_t end) { sum += end - begin; });
    });
  CHECK(sum == 30000);
}

TEST_CASE("canceled work throws, also in bodies on other threads") {
  std::stop_source source;
  std::atomic<int> begun{0};
  const auto work = [&] {
    parallel_for(100000, 1, [&](std::size_t, std::size_t) {
      if (++begun == 50) source.request_stop();
      parallel_for(10, 1, [](std::size_t, std::size_t) {});
    });
  };
  for (const int threads : {0, 1, 4}) {
    begun = 0;
    source = {};
    CHECK_THROWS_AS(with_threads(threads, source.get_token(), work), Error);
    CHECK(begun < 100000);
  }
  // Later calls are not affected.
  parallel_for(10, 1, [](std::size_t, std::size_t) {});
  check_stop();
}

TEST_CASE("work has at most the threads that it is given") {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  with_threads(1, {}, [&] {
    parallel_for(200, 1, [&](std::size_t, std::size_t) {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
  });
  CHECK(seen.size() == 1);
}
