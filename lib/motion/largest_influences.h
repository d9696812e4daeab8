#pragma once

// Tested by tests/unit/motion/refine_weights_test.cpp.

#include <algorithm>
#include <vector>

#include "gvbind/skin_weights.h"

namespace gvbind::motion {

/// Largest first; ties by joint.
inline void keep_largest(std::vector<Influence>& entries, std::size_t count) {
  std::ranges::sort(entries, [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  if (entries.size() > count) entries.resize(count);
}

/// Appends the largest as a normalized row.
inline void append_largest(std::vector<Influence>& entries, std::size_t count, SkinWeights& rows) {
  keep_largest(entries, count);
  float sum = 0.0f;
  for (const Influence& entry : entries) sum += entry.weight;
  for (const Influence& entry : entries) {
    rows.joint.push_back(entry.joint);
    rows.weight.push_back(entry.weight / sum);
  }
  rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
}

}  // namespace gvbind::motion
