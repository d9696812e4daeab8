#include "gvbind/network.h"

// Tested by tests/unit/gvbind/network_file_test.cpp.

#include "gvbind/fitted/network_file.h"
#include "gvbind/fitted/pair_features.h"

namespace gvbind {

std::shared_ptr<const PairNetwork> decode_network(std::span<const std::uint8_t> bytes) {
  return std::make_shared<const PairNetwork>(decode_network(bytes, pair_feature_count).network);
}

}  // namespace gvbind
