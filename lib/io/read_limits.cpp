#include "io/read_limits.h"

#include "platform/session.h"

namespace gvbind {

ReadOptions read_options(const ReadLimits& limits, const std::filesystem::path& document) {
  return {asset_root_of(document, limits.asset_root), memory_limit(limits.max_memory)};
}

std::uint64_t memory_limit(std::uint64_t given) {
  if (given > 0) return given;
  return platform::system_memory().total / 5 * 4;
}

}  // namespace gvbind
