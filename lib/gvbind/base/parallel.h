#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

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

/// From now on the pool has so many threads, the calling one among them. One thread may call this,
/// and none may be at work.
void limit_threads(int threads);

}  // namespace gvbind
