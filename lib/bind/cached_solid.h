#pragma once

// Tested by tests/unit/bind/distance_cache_test.cpp.

#include "bind/cache_stream.h"
#include "bind/distance_cache.h"

namespace gvbind {

void put_solid(const CachedSolid& solid, FieldWriter& out);

/// Throws Error(input) for bytes that no bind has saved; the result is safe to compute weights
/// from.
CachedSolid take_solid(FieldReader& in);

}  // namespace gvbind
