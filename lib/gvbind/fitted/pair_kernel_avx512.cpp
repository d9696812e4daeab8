// Tested by tests/unit/gvbind/pair_network_test.cpp.

#include "gvbind/fitted/pair_kernel_body.h"

namespace gvbind {

void score_pairs_avx512(const PairKernelInput& input) { score_pairs(input); }

}  // namespace gvbind
