#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gvbind/bind_options.h"

namespace gvbind {

/// The networks in the bytes of a file that `gvbind fit` has written, for BindOptions::network.
/// Throws Error(input) for a file that is damaged or of another version.
std::shared_ptr<const FittedNetworks> decode_network(std::span<const std::uint8_t> bytes);

}  // namespace gvbind
