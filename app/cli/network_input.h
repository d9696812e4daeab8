#pragma once

// Tested by tests/app/fit_test.py.

#include <memory>
#include <string>
#include <vector>

#include "gvbind/fitted/pair_network.h"

namespace gvbind {

/// A file of weights, read.
struct NetworkInput {
  std::shared_ptr<const PairNetwork> network;
  std::string hash;  ///< of the file's content
};

/// Throws Error: usage where there is no such file, with the words that `flag` takes besides;
/// input, beginning with the path, where it is no file of weights for this gvbind.
NetworkInput read_network(const std::string& flag, const std::string& path,
                          const std::vector<std::string>& words);

}  // namespace gvbind
