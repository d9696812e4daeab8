#pragma once

#include <string>
#include <vector>

#include "gvbind/fitted/pair_network.h"

namespace gvbind::fit {

/// The source default_network.cpp of networks of one size whose numbers are multiples of
/// network_step. `notes`: comments at its top. Throws Error(internal) for other numbers.
std::string network_source(const FittedNetworks& fitted, const std::vector<std::string>& notes);

}  // namespace gvbind::fit
