#include "io/read_limits.h"

#include <unistd.h>

namespace gvbind {

ReadOptions read_options(const ReadLimits& limits, const std::filesystem::path& document) {
  return {asset_root_of(document, limits.asset_root), memory_limit(limits.max_memory)};
}

std::uint64_t memory_limit(std::uint64_t given) {
  if (given > 0) return given;
  const auto memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return memory / 5 * 4;
}

}  // namespace gvbind
