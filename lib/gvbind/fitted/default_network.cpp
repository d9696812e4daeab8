#include "gvbind/fitted/default_network.h"

namespace gvbind {

const PairNetwork& default_network() {
  static const PairNetwork network = make_network(78, 8);
  return network;
}

}  // namespace gvbind
