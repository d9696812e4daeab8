#pragma once

#include <cstdint>

#include "gvbind/asset.h"
#include "gvbind/base/path_text.h"
#include "io/read_limits.h"

namespace gvbind {

/// Limits of reading as the library has them, where 0 means none.
inline ReadLimits limits_of(const AssetOptions& options) {
  return {path_text(options.root), options.max_memory > 0 ? options.max_memory : UINT64_MAX};
}

/// Limits of a command, where 0 means most of the machine's memory.
inline AssetOptions asset_options(const ReadLimits& limits) {
  return {limits.asset_root, memory_limit(limits.max_memory)};
}

}  // namespace gvbind
