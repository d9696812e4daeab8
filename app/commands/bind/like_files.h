#pragma once

#include <memory>

#include "cli/bind_options.h"
#include "gvbind/fitted/painted_pairs.h"

namespace gvbind {

/// What the files of --like say; null without them. A process reads the same files once. Throws
/// Error: usage with weights that are not fitted; as read_sibling() and fit_like().
std::shared_ptr<const PaintedPairs> painted_by_siblings(const BindSettings& settings);

}  // namespace gvbind
