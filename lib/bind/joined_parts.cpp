#include "bind/joined_parts.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "gvbind/error.h"

namespace gvbind {
namespace {

[[noreturn]] void lack_part(const SplitMesh& split) {
  throw Error(ErrorKind::output, "read back differs: a part of mesh '" + split.name + "' is gone");
}

const SceneMesh& mesh_of(const Scene& scene, const SplitMesh& split, std::int64_t node) {
  const auto found = std::ranges::find(scene.meshes, node, &SceneMesh::node);
  if (found == scene.meshes.end()) lack_part(split);
  return *found;
}

/// By vertex of the whole, its vertex in the part, or -1.
std::vector<std::int64_t> places_in_part(const SplitMesh& split, const SplitMesh::Part& part,
                                         const SceneMesh& mesh) {
  std::vector<std::int64_t> place(split.drawn_by.size(), -1);
  for (const SplitMesh::Range& range : part.ranges) {
    if (range.first_in_part + range.count > mesh.positions.size()) lack_part(split);
    for (std::size_t i = 0; i < range.count; ++i)
      place[range.first + i] = static_cast<std::int64_t>(range.first_in_part + i);
  }
  return place;
}

using Row = std::vector<Influence>;

/// Rows of `weights` for vertices that nothing draws, with the joints of the scene that was read.
Row undrawn_row(const Scene& expected, const SkinWeights& weights, std::size_t v,
                const Scene& read) {
  Row row;
  for (const Influence entry : weights.row(v)) {
    const std::int64_t node = expected.joints[entry.joint].node;
    const auto found = std::ranges::find(read.joints, node, &SceneJoint::node);
    if (found == read.joints.end()) continue;
    row.push_back({static_cast<std::uint32_t>(found - read.joints.begin()), entry.weight});
  }
  return row;
}

void append_part(const SplitMesh& split, std::uint32_t part, const SceneMesh& own, SceneMesh& whole,
                 std::vector<Row>& rows) {
  const Eigen::Affine3d to_first = whole.to_bind * own.to_bind.inverse();
  const std::vector<std::int64_t> place = places_in_part(split, split.parts[part], own);
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (place[v] < 0) continue;
    const auto at = static_cast<std::size_t>(place[v]);
    whole.positions[v] = to_first * own.positions[at];
    if (split.drawn_by[v] != part || at >= own.weights.vertex_count()) continue;
    for (const Influence entry : own.weights.row(at)) rows[v].push_back(entry);
  }
  if (part == 0) return;
  whole.skin_joints.insert(whole.skin_joints.end(), own.skin_joints.begin(), own.skin_joints.end());
  whole.inverse_binds.insert(whole.inverse_binds.end(), own.inverse_binds.begin(),
                             own.inverse_binds.end());
  whole.unset_binds.insert(whole.unset_binds.end(), own.unset_binds.begin(), own.unset_binds.end());
}

SceneMesh joined(const Scene& expected, const SkinWeights& weights, const SplitMesh& split,
                 const Scene& read) {
  SceneMesh whole = mesh_of(read, split, split.parts.front().node);
  whole.positions.assign(split.drawn_by.size(), Eigen::Vector3d::Zero());
  std::vector<Row> rows(split.drawn_by.size());
  for (std::uint32_t part = 0; part < split.parts.size(); ++part)
    append_part(split, part, mesh_of(read, split, split.parts[part].node), whole, rows);
  SkinWeights made;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (split.drawn_by[v] == SplitMesh::no_part && v < weights.vertex_count())
      rows[v] = undrawn_row(expected, weights, v, read);
    for (const Influence entry : rows[v]) {
      made.joint.push_back(entry.joint);
      made.weight.push_back(entry.weight);
    }
    made.first.push_back(static_cast<std::uint32_t>(made.joint.size()));
  }
  whole.weights = std::move(made);
  return whole;
}

}  // namespace

void join_parts(const Scene& expected, const SceneWeights& weights,
                std::span<const SplitMesh> splits, Scene& read) {
  for (const SplitMesh& split : splits) {
    const auto old = std::ranges::find(expected.meshes, split.parts.front().node, &SceneMesh::node);
    if (old == expected.meshes.end()) continue;
    const SkinWeights& fresh = weights.meshes[old - expected.meshes.begin()];
    SceneMesh whole = joined(expected, fresh.empty() ? old->weights : fresh, split, read);
    *std::ranges::find(read.meshes, whole.node, &SceneMesh::node) = std::move(whole);
    std::erase_if(read.meshes, [&](const SceneMesh& mesh) {
      return std::ranges::find(split.parts.begin() + 1, split.parts.end(), mesh.node,
                               &SplitMesh::Part::node) != split.parts.end();
    });
  }
}

}  // namespace gvbind
