#include "common/memory_limit.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "common/memory_estimate.h"

namespace gvbind {

namespace {

#ifdef GVBIND_SANITIZED
constexpr bool memory_is_ours = false;  // shadow memory would be counted
#else
constexpr bool memory_is_ours = true;
#endif

// Stacks of threads and what malloc keeps ready are addresses that nobody may ever touch.
constexpr std::uint64_t untouched_bytes = std::uint64_t{128} << 20;

/// What this process has reserved by now, used or not.
std::uint64_t reserved_bytes() {
  unsigned long pages[6] = {};
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    for (unsigned long& count : pages)
      if (std::fscanf(file, "%lu", &count) != 1) count = 0;
    std::fclose(file);
  }
  return pages[5] * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

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
  data.rlim_cur = std::min<rlim_t>(bytes + reserved_bytes() + untouched_bytes, data.rlim_max);
  setrlimit(RLIMIT_DATA, &data);
}

}  // namespace gvbind
