#pragma once

// Tested by tests/unit/gvbind/pair_network_test.cpp.

#include "gvbind/fitted/pair_network.h"

namespace gvbind {

/// The built-in networks. `gvbind fit --source` writes its source file.
const FittedNetworks& default_networks();

}  // namespace gvbind
