#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gvbind/bind_options.h"

namespace gvbind {

/// The network in the bytes of a file that `gvbind fit` has written, for BindOptions::network.
/// Throws Error(input) for a file that is damaged or of another version.
std::shared_ptr<const PairNetwork> decode_network(std::span<const std::uint8_t> bytes);

}  // namespace gvbind
