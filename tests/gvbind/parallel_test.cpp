#include "gvbind/base/parallel.h"

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

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

TEST_CASE("what a parallel body throws comes out", "[threads]") {
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

#if !defined(__SANITIZE_THREAD__)
TEST_CASE("a signal that ends the process is never handled on a thread of the pool") {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> open{0};
  parallel_for(64, 1, [&](std::size_t, std::size_t) {
    if (std::this_thread::get_id() == caller) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // leaves some to the others
      return;
    }
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    if (!sigismember(&blocked, SIGTERM) || !sigismember(&blocked, SIGINT)) ++open;
  });
  CHECK(open == 0);
}
#endif
