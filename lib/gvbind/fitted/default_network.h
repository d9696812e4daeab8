#pragma once

// Tested by tests/unit/gvbind/pair_network_test.cpp.

#include "gvbind/fitted/pair_network.h"

namespace gvbind {

/// The network that gvbind comes with. `gvbind fit --source` writes its source.
const PairNetwork& default_network();

}  // namespace gvbind
