#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

namespace gvbind {

/// The only door to the thread pool. Bodies must write to places of their own (or through atomics
/// whose result does not depend on the order): every stage gives the same bytes on any number of
/// threads.
///
/// Calls body(begin, end) on ranges that together cover 0 .. count once each. Ranges hold at least
/// `grain` items (but for the last); a count of one grain or less runs on the calling thread. What
/// a body throws comes out of the call. Throws Error(resource) where a thread cannot start.
void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body);

/// Sorts ascending. Throws as above.
void parallel_sort(std::span<std::uint64_t> values);

/// Calls `work` such that what it calls here runs on at most so many threads, the calling one among
/// them (0: as many as the caller may use), and throws Error(canceled) soon after `stop` is
/// requested.
void with_threads(int threads, const std::stop_token& stop, const std::function<void()>& work);

/// Throws Error(canceled) where with_threads() was told to stop. For loops that are not parallel.
void check_stop();

}  // namespace gvbind
