#include "memory_limit.h"

#include <sys/resource.h>

#include <algorithm>

#include "memory_estimate.h"

namespace gvbind {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_is_ours = false;  // shadow memory would be counted
#else
constexpr bool memory_is_ours = true;
#endif

}  // namespace

ReadOptions read_options(const ReadLimits& limits, const std::filesystem::path& document) {
  return {asset_root_of(document, limits.asset_root), memory_limit(limits.max_memory)};
}

std::uint64_t memory_limit(std::uint64_t given) {
  return given > 0 ? given : physical_memory() / 5 * 4;
}

void limit_memory(std::uint64_t bytes) {
  rlimit data{};
  if (!memory_is_ours || getrlimit(RLIMIT_DATA, &data) != 0) return;
  data.rlim_cur = std::min<rlim_t>(bytes, data.rlim_max);
  setrlimit(RLIMIT_DATA, &data);
}

}  // namespace gvbind
