#include "character/match_skin.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "character/match_joints.h"
#include "character/skeleton_units.h"
#include "gvbind/base/bvh.h"
#include "gvbind/base/parallel.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {
namespace {

using Box = Eigen::AlignedBox3d;

struct OtherVertex {
  const SceneMesh* mesh = nullptr;
  std::size_t vertex = 0;
};

bool has_weights(const SceneMesh& mesh) { return mesh.weights.vertex_count() > 0; }

Box box_of_vertices(const Scene& scene) {
  Box box;
  for (const SceneMesh& mesh : scene.meshes)
    for (const Eigen::Vector3d& p : mesh.positions)
      if (p.allFinite()) box.extend(p);
  return box;
}

/// Finds the other scene's weighted vertices by position in our space.
class VertexSearch {
 public:
  VertexSearch(const Scene& other, const Eigen::Affine3d& to_ours, const Box& ours)
      : to_lattice_(lattice_of(ours)) {
    std::vector<Box> boxes;
    for (const SceneMesh& mesh : other.meshes)
      for (std::size_t v = 0; v < std::min(mesh.positions.size(), mesh.weights.vertex_count());
           ++v) {
        const Eigen::Vector3d p = to_lattice_ * (to_ours * mesh.positions[v]);
        // Vertices far outside our box match nothing and do not fit on the lattice.
        if (!(p.array() >= 0.0).all() || !(p.array() < double{lattice_size}).all()) continue;
        boxes.emplace_back(p);
        points_.push_back(p);
        vertices_.push_back({&mesh, v});
      }
    bvh_.emplace(boxes);
  }

  /// The nearest within `tolerance` (bind space); ties: the first.
  std::optional<OtherVertex> nearest(const Eigen::Vector3d& position, double tolerance) const {
    if (!position.allFinite()) return std::nullopt;
    const Eigen::Vector3d p = to_lattice_ * position;
    double bound = std::pow(tolerance * to_lattice_.linear()(0, 0), 2);
    std::optional<std::uint32_t> best;
    bvh_->visit_near([&](const Box& box) { return box.squaredExteriorDistance(p); }, bound,
                     [&](std::uint32_t i) {
                       const double distance = (points_[i] - p).squaredNorm();
                       if (distance > bound || (best && distance == bound && i > *best)) return;
                       bound = distance;
                       best = i;
                     });
    return best ? std::optional(vertices_[*best]) : std::nullopt;
  }

 private:
  /// Our box, enlarged on each side by its own length.
  static Eigen::Affine3d lattice_of(const Box& ours) {
    const double side = ours.isEmpty() ? 1.0 : std::max(ours.sizes().maxCoeff(), 1e-300);
    Eigen::Affine3d result = Eigen::Affine3d::Identity();
    if (ours.isEmpty()) return result;
    const double scale = lattice_size / (3.0 * side);
    result.linear() *= scale;
    result.translation() = Eigen::Vector3d::Constant(lattice_size / 2.0) - scale * ours.center();
    return result;
  }

  Eigen::Affine3d to_lattice_;
  std::vector<Eigen::Vector3d> points_;
  std::vector<OtherVertex> vertices_;
  std::optional<Bvh> bvh_;
};

/// By our mesh, the other scene's mesh with the same number of vertices.
std::vector<const SceneMesh*> pair_meshes(const Scene& ours, const Scene& other) {
  std::vector<const SceneMesh*> pairs(ours.meshes.size(), nullptr);
  std::vector<bool> taken(other.meshes.size(), false);
  for (const bool by_name : {true, false})
    for (std::size_t m = 0; m < pairs.size(); ++m)
      for (std::size_t o = 0; o < taken.size() && !pairs[m]; ++o) {
        const SceneMesh &mine = ours.meshes[m], &theirs = other.meshes[o];
        if (taken[o] || !has_weights(mine) || !has_weights(theirs) ||
            mine.positions.size() != theirs.positions.size() ||
            (by_name && mine.name != theirs.name))
          continue;
        pairs[m] = &theirs;
        taken[o] = true;
      }
  return pairs;
}

using Rows = std::vector<OtherVertex>;  ///< one per vertex; mesh null: no match

Rows rows_by_position(const SceneMesh& mesh, const VertexSearch& search, double tolerance) {
  Rows rows(mesh.positions.size());
  parallel_for(rows.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      rows[v] = search.nearest(mesh.positions[v], tolerance).value_or(OtherVertex{});
  });
  return rows;
}

std::size_t found_rows(const Rows& rows) {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [](const OtherVertex& row) { return row.mesh != nullptr; }));
}

/// Number of vertices at the position of the other mesh's vertex with the same index.
std::size_t in_order(const SceneMesh& mesh, const SceneMesh& other, const Eigen::Affine3d& to_ours,
                     double tolerance) {
  std::size_t count = 0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    if ((to_ours * other.positions[v] - mesh.positions[v]).norm() <= tolerance) ++count;
  return count;
}

/// Indices of the other scene's joints in ours; missing ones are appended to both scenes.
std::vector<std::uint32_t> merge_joints(const Scene& other, const Eigen::Affine3d& to_ours,
                                        SkinMatch& match) {
  const std::vector<int> known = match_joints(other.joints, match.ours.joints);
  std::vector<std::uint32_t> index(known.size());
  for (std::size_t j = 0; j < known.size(); ++j) {
    if (known[j] >= 0) {
      index[j] = static_cast<std::uint32_t>(known[j]);
      ++match.common_joints;
      continue;
    }
    SceneJoint joint = other.joints[j];
    joint.bind = to_ours * joint.bind;
    if (joint.parent >= 0) joint.parent = static_cast<int>(index[joint.parent]);
    index[j] = static_cast<std::uint32_t>(match.ours.joints.size());
    match.added_joints.push_back(joint.name);
    match.ours.joints.push_back(joint);
  }
  match.theirs.joints = match.ours.joints;
  return index;
}

SkinWeights taken_weights(const Rows& rows, const std::vector<std::uint32_t>& joint_index) {
  SkinWeights weights;
  for (const OtherVertex& row : rows) {
    if (row.mesh && row.vertex < row.mesh->weights.vertex_count())
      for (const Influence entry : row.mesh->weights.row(row.vertex)) {
        if (entry.joint >= joint_index.size()) continue;
        weights.joint.push_back(joint_index[entry.joint]);
        weights.weight.push_back(entry.weight);
      }
    weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
  }
  return weights;
}

/// The other's bind space -> ours: identity if that matches vertices, else the change of units.
Eigen::Affine3d space_change(const Scene& ours, const Scene& other, const Box& box,
                             double tolerance) {
  const auto together = [&](const Eigen::Affine3d& to_ours) {
    const VertexSearch search(other, to_ours, box);
    std::size_t count = 0;
    for (const SceneMesh& mesh : ours.meshes)
      if (has_weights(mesh)) count += found_rows(rows_by_position(mesh, search, tolerance));
    return count;
  };
  const Eigen::Affine3d same = Eigen::Affine3d::Identity();
  const Eigen::Affine3d by_units = change_of_units(other.units, ours.units);
  if (by_units.isApprox(same, 1e-6)) return same;
  return together(by_units) > together(same) ? by_units : same;
}

}  // namespace

SkinMatch match_skin(const Scene& ours, const Scene& other, const SkinMatchOptions& options) {
  SkinMatch match{ours, ours, 0, 0, 0, 0, {}};
  const Box box = box_of_vertices(ours);
  const double tolerance = box.isEmpty() ? 0.0 : options.tolerance * box.diagonal().norm();
  const Eigen::Affine3d to_ours = space_change(ours, other, box, tolerance);
  const std::vector<std::uint32_t> joint_index = merge_joints(other, to_ours, match);
  const VertexSearch search(other, to_ours, box);
  const std::vector<const SceneMesh*> pairs = pair_meshes(ours, other);
  for (std::size_t m = 0; m < ours.meshes.size(); ++m) {
    const SceneMesh& mesh = ours.meshes[m];
    if (!has_weights(mesh)) continue;
    Rows rows = rows_by_position(mesh, search, tolerance);
    const std::size_t found = found_rows(rows);
    if (pairs[m] && in_order(mesh, *pairs[m], to_ours, tolerance) >= found) {
      for (std::size_t v = 0; v < rows.size(); ++v) rows[v] = {pairs[m], v};
      match.by_order += rows.size();
    } else {
      match.by_position += found;
      match.unmatched += rows.size() - found;
    }
    match.theirs.meshes[m].weights = taken_weights(rows, joint_index);
  }
  return match;
}

}  // namespace gvbind
