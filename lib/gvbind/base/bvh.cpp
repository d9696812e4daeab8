#include "gvbind/base/bvh.h"

#include <utility>

#include "gvbind/base/morton.h"

namespace gvbind {

Bvh::Bvh(std::span<const Box> boxes) {
  std::vector<std::pair<MortonCode, std::uint32_t>> codes;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].isEmpty()) continue;
    const Eigen::Vector3i center = boxes[i].center().cast<int>();
    codes.emplace_back(morton_code(center), i);
  }
  std::sort(codes.begin(), codes.end());
  levels_.emplace_back();
  for (const auto& [code, i] : codes) {
    items_.push_back(i);
    levels_[0].push_back(boxes[i]);
  }
  while (levels_.back().size() > width) {
    const std::vector<Box>& below = levels_.back();
    std::vector<Box> level((below.size() + width - 1) / width);
    for (std::size_t i = 0; i < below.size(); ++i) level[i / width].extend(below[i]);
    levels_.push_back(std::move(level));
  }
}

}  // namespace gvbind
