#include "character/match_skin.h"

#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "character/match_joints.h"
#include "character/skeleton_units.h"
#include "gvbind/base/bvh.h"
#include "gvbind/base/parallel.h"
#include "gvbind/base/weld.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {
namespace {

using Box = Eigen::AlignedBox3d;

struct OtherVertex {
  const SceneMesh* mesh = nullptr;
  std::size_t vertex = 0;
};

bool has_weights(const SceneMesh& mesh) { return mesh.weights.vertex_count() > 0; }

/// Which vertices take part.
enum class Vertices { all, weighted };

bool takes_part(const SceneMesh& mesh, Vertices which) {
  return which == Vertices::all || has_weights(mesh);
}

Box box_of_vertices(const Scene& scene) {
  Box box;
  for (const SceneMesh& mesh : scene.meshes)
    for (const Eigen::Vector3d& p : mesh.positions)
      if (p.allFinite()) box.extend(p);
  return box;
}

/// Finds the other scene's vertices by position in our space.
class VertexSearch {
 public:
  VertexSearch(const Scene& other, const Eigen::Affine3d& to_ours, const Box& ours, Vertices which)
      : to_lattice_(lattice_of(ours)) {
    std::vector<Box> boxes;
    for (const SceneMesh& mesh : other.meshes) {
      const std::size_t count = which == Vertices::all
                                    ? mesh.positions.size()
                                    : std::min(mesh.positions.size(), mesh.weights.vertex_count());
      for (std::size_t v = 0; v < count; ++v) {
        const Eigen::Vector3d p = to_lattice_ * (to_ours * mesh.positions[v]);
        // Vertices far outside our box match nothing and do not fit on the lattice.
        if (!(p.array() >= 0.0).all() || !(p.array() < double{lattice_size}).all()) continue;
        boxes.emplace_back(p);
        points_.push_back(p);
        vertices_.push_back({&mesh, v});
      }
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
std::vector<const SceneMesh*> pair_meshes(const Scene& ours, const Scene& other, Vertices which) {
  std::vector<const SceneMesh*> pairs(ours.meshes.size(), nullptr);
  std::vector<bool> taken(other.meshes.size(), false);
  for (const bool by_name : {true, false})
    for (std::size_t m = 0; m < pairs.size(); ++m)
      for (std::size_t o = 0; o < taken.size() && !pairs[m]; ++o) {
        const SceneMesh &mine = ours.meshes[m], &theirs = other.meshes[o];
        if (taken[o] || !takes_part(mine, which) || !takes_part(theirs, which) ||
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

struct Corner {
  std::size_t place = 0;  ///< one of ours at its position, counted over all our meshes
  std::size_t vertex = 0;
};

/// Begins a triangle with the least place.
std::array<Corner, 3> turned(std::array<Corner, 3> corners) {
  std::rotate(corners.begin(), std::ranges::min_element(corners, {}, &Corner::place),
              corners.end());
  return corners;
}

/// Decides between vertices of the other scene that share a position, by the triangles that they
/// are corners of.
class CornerSearch {
 public:
  CornerSearch(const Scene& ours, const Scene& other, const Eigen::Affine3d& to_ours,
               const Box& box, double tolerance, Vertices which) {
    std::vector<Eigen::Vector3d> positions;
    for (const SceneMesh& mesh : ours.meshes) {
      start_.emplace(&mesh, positions.size());
      positions.insert(positions.end(), mesh.positions.begin(), mesh.positions.end());
    }
    first_ = welded<Eigen::Vector3d>(positions);
    const VertexSearch search(ours, Eigen::Affine3d::Identity(), box, Vertices::all);
    for (const SceneMesh& mesh : other.meshes) {
      if (!takes_part(mesh, which)) continue;
      SceneMesh moved;
      for (const Eigen::Vector3d& p : mesh.positions) moved.positions.push_back(to_ours * p);
      const Rows nearest = rows_by_position(moved, search, tolerance);
      for (const Triangle& triangle : mesh.triangles) {
        if (std::ranges::any_of(triangle, [&](auto v) { return nearest[v].mesh == nullptr; }))
          continue;
        std::array<Corner, 3> corners;
        for (int c = 0; c < 3; ++c)
          corners[c] = {place_of(*nearest[triangle[c]].mesh, nearest[triangle[c]].vertex),
                        triangle[c]};
        corners = turned(corners);
        triangles_[key_of(corners)].push_back({&mesh, corners});
      }
    }
  }

  /// Takes vertices from the other's triangle at the same place; of several each once, in their
  /// order.
  void settle(const SceneMesh& mesh, Rows& rows) {
    for (const Triangle& triangle : mesh.triangles) {
      std::array<Corner, 3> corners;
      for (int c = 0; c < 3; ++c) corners[c] = {place_of(mesh, triangle[c]), triangle[c]};
      corners = turned(corners);
      const auto found = triangles_.find(key_of(corners));
      if (found == triangles_.end() || found->second.empty()) continue;
      const auto& [other, theirs] = found->second.front();
      for (int c = 0; c < 3; ++c) rows[corners[c].vertex] = {other, theirs[c].vertex};
      found->second.pop_front();
    }
  }

 private:
  using Key = std::array<std::size_t, 3>;

  static Key key_of(const std::array<Corner, 3>& corners) {
    return {corners[0].place, corners[1].place, corners[2].place};
  }

  std::size_t place_of(const SceneMesh& ours, std::size_t vertex) const {
    return first_[start_.at(&ours) + vertex];
  }

  std::map<const SceneMesh*, std::size_t> start_;
  std::vector<std::uint32_t> first_;  ///< by our vertex, counted over all meshes
  std::map<Key, std::deque<std::pair<const SceneMesh*, std::array<Corner, 3>>>> triangles_;
};

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

/// Number of vertices at the position of the other mesh's vertex with the same index.
std::size_t in_order(const SceneMesh& mesh, const SceneMesh& other, const Eigen::Affine3d& to_ours,
                     double tolerance) {
  std::size_t count = 0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    if ((to_ours * other.positions[v] - mesh.positions[v]).norm() <= tolerance) ++count;
  return count;
}

/// The change that brings the joints of the other scene onto their namesakes: the turn of the first
/// pair, the scale and center of all.
std::optional<Eigen::Affine3d> change_by_joints(const Scene& ours, const Scene& other) {
  const std::vector<int> known = match_joints(other.joints, ours.joints);
  std::optional<Eigen::Matrix3d> linear;
  Eigen::Matrix3Xd from(3, known.size()), to(3, known.size());
  Eigen::Index count = 0;
  for (std::size_t j = 0; j < known.size(); ++j) {
    if (known[j] < 0) continue;
    const Eigen::Affine3d &theirs = other.joints[j].bind, &mine = ours.joints[known[j]].bind;
    if (!linear) linear = mine.linear() * theirs.linear().inverse();
    from.col(count) = theirs.translation();
    to.col(count++) = mine.translation();
  }
  if (!linear || !linear->allFinite()) return std::nullopt;
  from.conservativeResize(3, count);
  to.conservativeResize(3, count);
  const Eigen::Vector3d center = from.rowwise().mean(), our_center = to.rowwise().mean();
  const double spread = (from.colwise() - center).norm(),
               ours_spread = (to.colwise() - our_center).norm();
  if (!(spread > 0.0) || !(ours_spread > 0.0)) return std::nullopt;
  Eigen::Affine3d change = Eigen::Affine3d::Identity();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(*linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
  change.linear() = ours_spread / spread * svd.matrixU() * svd.matrixV().transpose();
  change.translation() = our_center - change.linear() * center;
  return change.matrix().allFinite() ? std::optional(change) : std::nullopt;
}

/// The other's bind space -> ours, among these the first that matches most vertices: none, that of
/// units, and that of joints. Conversions to glTF can leave a scale to the nodes.
Eigen::Affine3d space_change(const Scene& ours, const Scene& other, const Box& box,
                             double tolerance, Vertices which,
                             const std::vector<const SceneMesh*>& pairs) {
  const auto matched = [&](const Eigen::Affine3d& to_ours) {
    std::optional<VertexSearch> search;  // most pairs are in order and need none
    std::size_t count = 0;
    for (std::size_t m = 0; m < ours.meshes.size(); ++m) {
      const SceneMesh& mesh = ours.meshes[m];
      if (!takes_part(mesh, which)) continue;
      const std::size_t all = mesh.positions.size();
      if (pairs[m] && in_order(mesh, *pairs[m], to_ours, tolerance) == all) {
        count += all;
        continue;
      }
      if (!search) search.emplace(other, to_ours, box, which);
      count += found_rows(rows_by_position(mesh, *search, tolerance));
    }
    return count;
  };
  std::size_t all = 0;
  for (const SceneMesh& mesh : ours.meshes)
    if (takes_part(mesh, which)) all += mesh.positions.size();

  std::vector<Eigen::Affine3d> changes = {Eigen::Affine3d::Identity(),
                                          change_of_units(other.units, ours.units)};
  if (const auto by_joints = change_by_joints(ours, other)) changes.push_back(*by_joints);
  Eigen::Affine3d best = changes.front();
  std::size_t most = 0;
  for (std::size_t i = 0; i < changes.size() && most < all; ++i) {
    if (i > 0 && changes[i].isApprox(changes[i - 1], 1e-6)) continue;
    const std::size_t count = matched(changes[i]);
    if (count <= most) continue;
    most = count;
    best = changes[i];
  }
  return best;
}

struct MatchedMesh {
  Rows rows;  ///< none: a mesh that takes no part
  bool by_order = false;
};

struct MatchedScene {
  std::vector<MatchedMesh> meshes;
  Eigen::Affine3d to_ours = Eigen::Affine3d::Identity();
};

MatchedScene match_scene(const Scene& ours, const Scene& other, const SkinMatchOptions& options,
                         Vertices which) {
  const Box box = box_of_vertices(ours);
  const double tolerance = box.isEmpty() ? 0.0 : options.tolerance * box.diagonal().norm();
  MatchedScene out;
  const std::vector<const SceneMesh*> pairs = pair_meshes(ours, other, which);
  out.to_ours = space_change(ours, other, box, tolerance, which, pairs);
  std::optional<VertexSearch> search;
  std::optional<CornerSearch> corners;
  out.meshes.resize(ours.meshes.size());
  for (std::size_t m = 0; m < ours.meshes.size(); ++m) {
    const SceneMesh& mesh = ours.meshes[m];
    if (!takes_part(mesh, which)) continue;
    Rows& rows = out.meshes[m].rows;
    const std::size_t ordered = pairs[m] ? in_order(mesh, *pairs[m], out.to_ours, tolerance) : 0;
    if (ordered < mesh.positions.size()) {
      if (!search) search.emplace(other, out.to_ours, box, which);
      rows = rows_by_position(mesh, *search, tolerance);
    }
    if (pairs[m] && ordered >= found_rows(rows)) {
      rows.resize(mesh.positions.size());
      for (std::size_t v = 0; v < rows.size(); ++v) rows[v] = {pairs[m], v};
      out.meshes[m].by_order = true;
    } else {
      if (!corners) corners.emplace(ours, other, out.to_ours, box, tolerance, which);
      corners->settle(mesh, rows);
    }
  }
  return out;
}

}  // namespace

SkinMatch match_skin(const Scene& ours, const Scene& other, const SkinMatchOptions& options) {
  SkinMatch match{ours, ours, 0, 0, 0, 0, {}};
  const MatchedScene found = match_scene(ours, other, options, Vertices::weighted);
  const std::vector<std::uint32_t> joint_index = merge_joints(other, found.to_ours, match);
  for (std::size_t m = 0; m < ours.meshes.size(); ++m) {
    if (!has_weights(ours.meshes[m])) continue;
    const auto& [rows, by_order] = found.meshes[m];
    const std::size_t count = by_order ? rows.size() : found_rows(rows);
    (by_order ? match.by_order : match.by_position) += count;
    match.unmatched += rows.size() - count;
    match.theirs.meshes[m].weights = taken_weights(rows, joint_index);
  }
  return match;
}

VertexMatch match_vertices(const Scene& ours, const Scene& other, const SkinMatchOptions& options) {
  const MatchedScene found = match_scene(ours, other, options, Vertices::all);
  std::vector<std::size_t> start = {0};  // by the other's mesh
  for (const SceneMesh& mesh : other.meshes) start.push_back(start.back() + mesh.positions.size());
  VertexMatch match;
  match.to_ours = found.to_ours;
  for (const MatchedMesh& mesh : found.meshes) {
    std::vector<std::uint32_t>& vertices = match.vertex.emplace_back();
    for (const OtherVertex& row : mesh.rows)
      vertices.push_back(
          row.mesh ? static_cast<std::uint32_t>(start[row.mesh - &other.meshes[0]] + row.vertex)
                   : VertexMatch::none);
  }
  return match;
}

}  // namespace gvbind
