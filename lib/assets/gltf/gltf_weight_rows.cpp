#include "assets/gltf/gltf_weight_rows.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "gvbind/parallel.h"

namespace gvbind::gltf {
namespace {

constexpr std::size_t lanes = 4;
constexpr std::size_t grain = 4096;

struct Slot {
  std::uint32_t joint;
  double weight;
};

void add_to(std::vector<Slot>& row, std::uint32_t joint, double weight) {
  for (Slot& slot : row)
    if (slot.joint == joint) {
      slot.weight += weight;
      return;
    }
  row.push_back({joint, weight});
}

void sort_row(std::vector<Slot>& row) {
  const auto before = [](const Slot& a, const Slot& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  };
  // Most rows of a file are sorted already.
  if (!std::is_sorted(row.begin(), row.end(), before)) std::sort(row.begin(), row.end(), before);
}

/// Moves rows that were written at a fixed distance together. Rows only move forward.
void close_gaps(std::size_t old_vertices, std::size_t width, VertexWeights& rows) {
  std::size_t to = rows.first[old_vertices], from = to;
  for (std::size_t v = old_vertices + 1; v < rows.first.size(); ++v, from += width) {
    const std::size_t size = rows.first[v];
    if (to != from) {
      std::copy_n(rows.influence.begin() + static_cast<std::ptrdiff_t>(from), size,
                  rows.influence.begin() + static_cast<std::ptrdiff_t>(to));
      std::copy_n(rows.weight.begin() + static_cast<std::ptrdiff_t>(from), size,
                  rows.weight.begin() + static_cast<std::ptrdiff_t>(to));
    }
    to += size;
    rows.first[v] = static_cast<std::uint32_t>(to);
  }
  rows.influence.resize(to);
  rows.weight.resize(to);
}

}  // namespace

void WeightRows::append(std::span<const WeightSet> sets, std::size_t count) {
  const std::size_t old_vertices = rows_.vertex_count(), base = rows_.influence.size();
  const std::size_t width = sets.size() * lanes;
  rows_.first.resize(old_vertices + count + 1);
  rows_.influence.resize(base + count * width);
  rows_.weight.resize(base + count * width);
  std::atomic<std::size_t> dropped{0};
  parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
    std::vector<Slot> row;
    std::size_t dropped_here = 0;
    for (std::size_t i = begin; i < end; ++i) {
      row.clear();
      for (const WeightSet& set : sets) {
        double joints[lanes], weights[lanes];
        set.joints.read(i, i + 1, joints);
        set.weights.read(i, i + 1, weights);
        for (std::size_t c = 0; c < lanes; ++c) {
          if (weights[c] == 0) continue;
          const bool sound = joints[c] >= 0 &&
                             joints[c] < static_cast<double>(joint_of_slot_.size()) &&
                             weights[c] > 0 && std::isfinite(weights[c]);
          if (sound)
            add_to(row,
                   static_cast<std::uint32_t>(joint_of_slot_[static_cast<std::size_t>(joints[c])]),
                   weights[c]);
          else
            ++dropped_here;
        }
      }
      sort_row(row);
      for (std::size_t k = 0; k < row.size(); ++k) {
        rows_.influence[base + i * width + k] = row[k].joint;
        rows_.weight[base + i * width + k] = static_cast<float>(row[k].weight);
      }
      rows_.first[old_vertices + i + 1] = static_cast<std::uint32_t>(row.size());
    }
    dropped += dropped_here;
  });
  dropped_ += dropped;
  close_gaps(old_vertices, width, rows_);
}

}  // namespace gvbind::gltf
