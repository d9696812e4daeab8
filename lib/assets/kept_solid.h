#pragma once

// Tested by tests/field/kept_field_test.cpp.

#include "assets/field_stream.h"
#include "assets/kept_field.h"

namespace gvbind {

void put_solid(const KeptSolid& solid, FieldWriter& out);

/// Throws Error(input) for what no bind has kept: what is taken can be weighed.
KeptSolid take_solid(FieldReader& in);

}  // namespace gvbind
