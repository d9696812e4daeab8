#include "formats/gltf/weight_rows.h"

#include <algorithm>
#include <atomic>

#include "character/scene.h"
#include "formats/gltf/skin_writer.h"
#include "gvbind/base/parallel.h"

namespace gvbind::gltf {
namespace {

constexpr std::size_t rows_per_thread = 4096;

/// A vertex in one set.
struct Lanes {
  double joints[lanes], weights[lanes];

  Lanes(const WeightSet& set, std::size_t vertex) {
    set.joints.read(vertex, vertex + 1, joints);
    set.weights.read(vertex, vertex + 1, weights);
  }
  bool sound(std::size_t lane, std::size_t slots) const {
    return joints[lane] >= 0 && joints[lane] < static_cast<double>(slots) && weights[lane] > 0 &&
           weights[lane] <= max_weight;
  }
};

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
  // In most files nearly all rows are sorted already.
  if (!std::is_sorted(row.begin(), row.end(), before)) std::sort(row.begin(), row.end(), before);
}

std::size_t count_unsound_lanes(std::span<const WeightSet> sets, std::size_t slots,
                                std::size_t vertex) {
  std::size_t unsound = 0;
  for (const WeightSet& set : sets) {
    const Lanes row(set, vertex);
    for (std::size_t c = 0; c < lanes; ++c) unsound += row.weights[c] != 0 && !row.sound(c, slots);
  }
  return unsound;
}

/// Closes the gaps between rows written at a fixed stride. Rows only move forward.
void close_gaps(std::size_t old_vertices, std::size_t width, SkinWeights& rows) {
  std::size_t to = rows.first[old_vertices], from = to;
  for (std::size_t v = old_vertices + 1; v < rows.first.size(); ++v, from += width) {
    const std::size_t size = rows.first[v];
    if (to != from) {
      std::copy_n(rows.joint.begin() + static_cast<std::ptrdiff_t>(from), size,
                  rows.joint.begin() + static_cast<std::ptrdiff_t>(to));
      std::copy_n(rows.weight.begin() + static_cast<std::ptrdiff_t>(from), size,
                  rows.weight.begin() + static_cast<std::ptrdiff_t>(to));
    }
    to += size;
    rows.first[v] = static_cast<std::uint32_t>(to);
  }
  rows.joint.resize(to);
  rows.weight.resize(to);
}

}  // namespace

std::size_t count_unsound(std::span<const WeightSet> sets, std::size_t slots, std::size_t count) {
  std::atomic<std::size_t> unsound{0};
  parallel_for(count, rows_per_thread, [&](std::size_t begin, std::size_t end) {
    std::size_t here = 0;
    for (std::size_t i = begin; i < end; ++i) here += count_unsound_lanes(sets, slots, i);
    unsound += here;
  });
  return unsound;
}

std::vector<std::uint32_t> unsound_vertices(std::span<const WeightSet> sets, std::size_t slots,
                                            std::size_t count, std::uint32_t base) {
  std::vector<std::uint32_t> vertices;
  for (std::size_t i = 0; i < count; ++i)
    if (count_unsound_lanes(sets, slots, i) > 0)
      vertices.push_back(base + static_cast<std::uint32_t>(i));
  return vertices;
}

void append_rows(std::span<const WeightSet> sets, std::span<const int> joint_of_slot,
                 std::size_t count, SkinWeights& rows) {
  const std::size_t old_vertices = rows.vertex_count(), base = rows.joint.size();
  const std::size_t width = sets.size() * lanes;
  rows.first.resize(old_vertices + count + 1);
  rows.joint.resize(base + count * width);
  rows.weight.resize(base + count * width);
  parallel_for(count, rows_per_thread, [&](std::size_t begin, std::size_t end) {
    std::vector<Slot> row;
    for (std::size_t i = begin; i < end; ++i) {
      row.clear();
      for (const WeightSet& set : sets) {
        const Lanes in(set, i);
        for (std::size_t c = 0; c < lanes; ++c)
          if (in.weights[c] != 0 && in.sound(c, joint_of_slot.size()))
            add_to(
                row,
                static_cast<std::uint32_t>(joint_of_slot[static_cast<std::size_t>(in.joints[c])]),
                in.weights[c]);
      }
      sort_row(row);
      for (std::size_t k = 0; k < row.size(); ++k) {
        rows.joint[base + i * width + k] = row[k].joint;
        rows.weight[base + i * width + k] = static_cast<float>(row[k].weight);
      }
      rows.first[old_vertices + i + 1] = static_cast<std::uint32_t>(row.size());
    }
  });
  close_gaps(old_vertices, width, rows);
}

}  // namespace gvbind::gltf
