#include "gvbind/network.h"

// Tested by tests/unit/gvbind/network_file_test.cpp.

#include "gvbind/fitted/network_file.h"
#include "gvbind/fitted/pair_features.h"

namespace gvbind {

std::shared_ptr<const FittedNetworks> decode_network(std::span<const std::uint8_t> bytes) {
  return std::make_shared<const FittedNetworks>(decode_network(bytes, pair_feature_count).fitted);
}

}  // namespace gvbind
