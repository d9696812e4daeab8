#pragma once

// Tested by tests/unit/bind/kept_field_test.cpp.

#include "bind/field_stream.h"
#include "bind/kept_field.h"

namespace gvbind {

void put_solid(const KeptSolid& solid, FieldWriter& out);

/// Throws Error(input) for what no bind has kept: what is taken can be weighed.
KeptSolid take_solid(FieldReader& in);

}  // namespace gvbind
