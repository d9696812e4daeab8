#pragma once

// Tested by tests/command/like_test.py.

#include <memory>
#include <vector>

#include "bind/finished_meshes.h"
#include "cli/bind_options.h"
#include "gvbind/fitted/painted_pairs.h"

namespace gvbind {

/// The contents of the files of --like; both null without them.
struct LikeFiles {
  std::shared_ptr<const PaintedPairs> painted;
  std::shared_ptr<const std::vector<FinishedMesh>> meshes;
};

/// Reads and fits them. A process reads the same files once. Throws
/// Error: usage with weights that are not fitted; as read_sibling() and fit_like().
LikeFiles read_like_files(const BindSettings& settings);

}  // namespace gvbind
