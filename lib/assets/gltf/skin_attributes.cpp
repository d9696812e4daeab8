#include "assets/gltf/skin_attributes.h"

#include <algorithm>
#include <cmath>

#include "assets/gltf/mesh.h"
#include "gvbind/base/parallel.h"

namespace gvbind::gltf {
namespace {

constexpr std::size_t rows_per_block = 8192;  // vertices that are worth a thread's attention

/// Floats whose sum is off by less than half a unit in the last place of the largest.
void write_row(std::span<const float> row, float* out) {
  double sum = 0;
  for (const float w : row) sum += static_cast<double>(w);
  if (!(sum > 0) || !std::isfinite(sum)) return;
  double rest = 1;
  for (std::size_t i = 1; i < row.size(); ++i) {
    out[i] = static_cast<float>(static_cast<double>(row[i]) / sum);
    rest -= static_cast<double>(out[i]);
  }
  out[0] = static_cast<float>(rest);
}

/// The document's sets, block by block of the mesh's vertices.
struct OldSets {
  MeshLayout layout;
  std::vector<std::vector<WeightSet>> of_block;
  std::size_t max_sets = 0;
};

OldSets old_sets(const GltfDocument& document, std::size_t mesh) {
  OldSets old{mesh_layout(document.json, mesh), {}, 0};
  const Json& primitives = document.json["meshes"][mesh]["primitives"];
  for (std::size_t b = 0; b < old.layout.blocks.size(); ++b) {
    const auto& users = old.layout.blocks_of_primitives;
    const Json& primitive =
        primitives[static_cast<std::size_t>(std::ranges::find(users, b) - users.begin())];
    old.of_block.push_back(weight_sets(document, primitive, decode_draco(document, primitive)));
    old.max_sets = std::max(old.max_sets, old.of_block.back().size());
  }
  return old;
}

/// Room for more sets, which new rows leave empty.
void widen(SkinAttributes& attributes, std::size_t sets) {
  if (sets <= attributes.sets) return;
  const std::size_t vertices = attributes.weights.size() / (attributes.sets * lanes);
  SkinAttributes wide{sets, attributes.joint_type, {}, {}};
  wide.joints.assign(vertices * sets * lanes, 0);
  wide.weights.assign(vertices * sets * lanes, 0.0f);
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::size_t from = v * attributes.sets * lanes, to = v * sets * lanes;
    std::copy_n(attributes.joints.begin() + static_cast<std::ptrdiff_t>(from),
                attributes.sets * lanes, wide.joints.begin() + static_cast<std::ptrdiff_t>(to));
    std::copy_n(attributes.weights.begin() + static_cast<std::ptrdiff_t>(from),
                attributes.sets * lanes, wide.weights.begin() + static_cast<std::ptrdiff_t>(to));
  }
  attributes = std::move(wide);
}

}  // namespace

SkinAttributes attributes_of(const SkinWeights& weights, const SkinPlan& plan,
                             std::size_t joint_count) {
  SkinAttributes out;
  std::vector<std::uint16_t> slot_of(joint_count, 0);
  for (std::size_t slot = 0; slot < plan.joints.size(); ++slot)
    slot_of[static_cast<std::size_t>(plan.joints[slot])] = static_cast<std::uint16_t>(slot);
  const std::size_t vertices = weights.vertex_count();
  for (std::size_t v = 0; v < vertices; ++v)
    out.sets = std::max<std::size_t>(out.sets,
                                     (weights.first[v + 1] - weights.first[v] + lanes - 1) / lanes);
  constexpr std::size_t byte_joints = 256;
  if (plan.joints.size() > byte_joints) out.joint_type = ComponentType::u16;
  out.joints.assign(vertices * out.sets * lanes, 0);
  out.weights.assign(vertices * out.sets * lanes, 0.0f);
  parallel_for(vertices, rows_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::size_t first = weights.first[v], count = weights.first[v + 1] - first;
      const std::size_t at = v * out.sets * lanes;
      write_row({weights.weight.data() + first, count}, out.weights.data() + at);
      // A lane without weight names joint 0, as the specification asks.
      for (std::size_t i = 0; i < count; ++i)
        if (out.weights[at + i] > 0) out.joints[at + i] = slot_of[weights.influence[first + i]];
    }
  });
  return out;
}

void keep_other_rows(const GltfDocument& document, std::size_t mesh, const SkinWeights& weights,
                     SkinAttributes& attributes) {
  const OldSets old = old_sets(document, mesh);
  widen(attributes, old.max_sets);
  for (std::size_t b = 0; b < old.of_block.size(); ++b) {
    const PositionBlock& block = old.layout.blocks[b];
    for (std::size_t set = 0; set < old.of_block[b].size(); ++set)
      for (std::size_t i = 0; i < block.count; ++i) {
        const std::size_t vertex = block.first + i;
        if (weights.first[vertex] != weights.first[vertex + 1]) continue;
        double joints[lanes], row[lanes];
        old.of_block[b][set].joints.read(i, i + 1, joints);
        old.of_block[b][set].weights.read(i, i + 1, row);
        const std::size_t at = (vertex * attributes.sets + set) * lanes;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          attributes.joints[at + lane] = static_cast<std::uint16_t>(joints[lane]);
          attributes.weights[at + lane] = static_cast<float>(row[lane]);
        }
      }
  }
  constexpr std::uint16_t largest_byte = 255;
  if (std::ranges::any_of(attributes.joints, [](std::uint16_t j) { return j > largest_byte; }))
    attributes.joint_type = ComponentType::u16;
}

}  // namespace gvbind::gltf
