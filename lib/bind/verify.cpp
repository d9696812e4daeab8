#include "bind/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gvbind/base/parallel.h"
#include "gvbind/base/regular.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

constexpr std::size_t verified_per_task = 4096;  // vertices that are worth a thread's attention
constexpr double weight_tolerance = 1e-6;
constexpr double position_tolerance =
    1e-5;  // of the extent; glTF keeps matrices in single precision

[[noreturn]] void differ(const std::string& what) {
  throw Error(ErrorKind::output, "read back differs: " + what);
}

Eigen::AlignedBox3d extent_of(const SceneMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : mesh.positions) box.extend(p);
  return box;
}

/// Far from the origin, single precision rounds by more than the extent allows for.
double tolerance_in(const Eigen::AlignedBox3d& box, const Eigen::Vector3d& position) {
  constexpr double rounding = 4.0 * std::numeric_limits<float>::epsilon();
  if (box.isEmpty()) return position_tolerance;
  const double far =
      std::max(box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).norm(), position.norm());
  return std::max(position_tolerance * box.diagonal().norm() + rounding * far, 1e-30);
}

void verify_vertices(const SceneMesh& expected, const Eigen::AlignedBox3d& box,
                     const SceneMesh& read) {
  if (expected.positions.size() != read.positions.size())
    differ("mesh '" + expected.name + "' has " + std::to_string(read.positions.size()) +
           " vertices, not " + std::to_string(expected.positions.size()));
  // Vertices that a scale of zero brings to one place are only compared there.
  const Eigen::Affine3d to_expected = is_regular(expected.to_bind) && is_regular(read.to_bind)
                                          ? expected.to_bind * read.to_bind.inverse()
                                          : Eigen::Affine3d::Identity();
  const double tolerance = tolerance_in(box, Eigen::Vector3d::Zero());
  const std::size_t moved =
      first_failing(expected.positions.size(), verified_per_task, [&](std::size_t v) {
        return (to_expected * read.positions[v] - expected.positions[v]).norm() <= tolerance;
      });
  if (moved < expected.positions.size())
    differ("mesh '" + expected.name + "' vertex " + std::to_string(moved) + " has moved");
}

/// Joints of the new file by the joints of the old one; -1 where it has none.
std::vector<int> match_joints(const Scene& expected, const Scene& read) {
  std::map<std::int64_t, int> by_node;
  for (std::size_t j = 0; j < read.joints.size(); ++j)
    by_node[read.joints[j].node] = static_cast<int>(j);
  std::vector<int> match;
  for (const SceneJoint& joint : expected.joints) {
    const auto found = by_node.find(joint.node);
    match.push_back(found == by_node.end() ? -1 : found->second);
  }
  return match;
}

/// The matrices that a mesh's own skin has, by joint of the scene: the vertices' own space ->
/// joint. Scenes have one bind for all skins, files may not.
std::vector<std::optional<Eigen::Affine3d>> own_binds(const Scene& scene, const SceneMesh& mesh,
                                                      bool also_unset) {
  std::vector<std::optional<Eigen::Affine3d>> found(scene.joints.size());
  for (std::size_t slot = 0; slot < mesh.inverse_binds.size(); ++slot) {
    auto& bind = found[mesh.skin_joints[slot]];
    if (!bind && (also_unset || !mesh.unset_binds[slot])) bind = mesh.inverse_binds[slot];
  }
  return found;
}

/// A joint as one scene has it for a mesh.
struct MeshJoint {
  const SceneMesh& mesh;
  const SceneJoint& joint;
  const std::optional<Eigen::Affine3d>& own_bind;

  /// Vertices in the joint's frame: the same whatever a reader chose as its bind space.
  Eigen::Affine3d inverse_bind() const {
    return own_bind.value_or(joint.bind.inverse() * mesh.to_bind);
  }
};

void verify_bind(const MeshJoint& expected, const Eigen::AlignedBox3d& box, const MeshJoint& read) {
  if (expected.joint.name != read.joint.name)
    differ("joint '" + expected.joint.name + "' is called '" + read.joint.name + "'");
  const Eigen::Affine3d a = expected.inverse_bind(), b = read.inverse_bind();
  const Eigen::Affine3d& to_bind = expected.mesh.to_bind;
  const Eigen::Affine3d bind = to_bind * a.inverse();
  const Eigen::Affine3d back = bind * b * to_bind.inverse();
  const double tolerance = tolerance_in(box, bind.translation());
  for (int corner = 0; corner < 8 && !box.isEmpty(); ++corner) {
    const Eigen::Vector3d p = box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner));
    if (!((back * p - p).norm() <= tolerance))
      differ("bind matrix of joint '" + expected.joint.name + "' for mesh '" + expected.mesh.name +
             "' (" + std::to_string((a.matrix() - b.matrix()).cwiseAbs().maxCoeff()) + ")");
  }
}

/// The fault of a row; empty if it is sound.
std::string row_difference(std::size_t v, const SkinWeights& expected,
                           const std::vector<int>& match, const SkinWeights& read) {
  double sum = 0.0;
  for (std::uint32_t i = read.first[v]; i < read.first[v + 1]; ++i) sum += read.weight[i];
  if (!(std::abs(sum - 1.0) < 1e-5)) return " has weights that sum to " + std::to_string(sum);
  const auto size = expected.first[v + 1] - expected.first[v];
  if (size != read.first[v + 1] - read.first[v]) return " has another number of influences";
  for (std::uint32_t i = expected.first[v]; i < expected.first[v + 1]; ++i) {
    const int joint = match[expected.joint[i]];
    bool found = false;
    for (std::uint32_t k = read.first[v]; k < read.first[v + 1] && !found; ++k)
      found = static_cast<int>(read.joint[k]) == joint &&
              std::abs(static_cast<double>(read.weight[k]) - expected.weight[i]) < weight_tolerance;
    if (!found) return " has another weight for joint " + std::to_string(expected.joint[i]);
  }
  return {};
}

/// The fault of a row that had to stay; empty if it is unchanged.
std::string kept_difference(std::size_t v, const SkinWeights& old, const std::vector<int>& match,
                            const SkinWeights& read) {
  const auto size = old.first[v + 1] - old.first[v];
  if (size != read.first[v + 1] - read.first[v]) return " has lost or won influences";
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t a = old.first[v] + i;
    bool found = false;
    for (std::uint32_t b = read.first[v]; b < read.first[v + 1] && !found; ++b)
      found =
          static_cast<int>(read.joint[b]) == match[old.joint[a]] && read.weight[b] == old.weight[a];
    if (!found) return " has not kept its weight for joint " + std::to_string(old.joint[a]);
  }
  return {};
}

/// Vertices without new weights have the old ones still.
void verify_kept(const SceneMesh& mesh, const SkinWeights* fresh, const std::vector<int>& match,
                 const SkinWeights& read) {
  if (mesh.weights.vertex_count() != mesh.positions.size() ||
      read.vertex_count() != mesh.positions.size())
    differ("mesh '" + mesh.name + "' has lost its weights");
  const std::size_t wrong =
      first_failing(mesh.positions.size(), verified_per_task, [&](std::size_t v) {
        if (fresh && fresh->first[v] != fresh->first[v + 1]) return true;
        return kept_difference(v, mesh.weights, match, read).empty();
      });
  if (wrong < mesh.positions.size())
    differ("mesh '" + mesh.name + "' vertex " + std::to_string(wrong) +
           kept_difference(wrong, mesh.weights, match, read));
}

void verify_rows(const SceneMesh& mesh, const SkinWeights& expected, bool fills,
                 const std::vector<int>& match, const SkinWeights& read) {
  const std::size_t wrong =
      first_failing(mesh.positions.size(), verified_per_task, [&](std::size_t v) {
        if (fills && expected.first[v] == expected.first[v + 1]) return true;
        return row_difference(v, expected, match, read).empty();
      });
  if (wrong < mesh.positions.size())
    differ("mesh '" + mesh.name + "' vertex " + std::to_string(wrong) +
           row_difference(wrong, expected, match, read));
}

}  // namespace

void verify_written(const Scene& expected, const SceneWeights& weights, const Scene& read) {
  if (expected.meshes.size() != read.meshes.size())
    differ(std::to_string(read.meshes.size()) + " meshes, not " +
           std::to_string(expected.meshes.size()));
  const std::vector<int> match = match_joints(expected, read);
  for (std::size_t m = 0; m < expected.meshes.size(); ++m) {
    const SceneMesh &old_mesh = expected.meshes[m], &new_mesh = read.meshes[m];
    const Eigen::AlignedBox3d box = extent_of(old_mesh);
    verify_vertices(old_mesh, box, new_mesh);
    if (weights.meshes[m].empty()) {
      // A mesh that is not selected may share its weights with one that was bound.
      if (old_mesh.selected && !old_mesh.weights.empty())
        verify_kept(old_mesh, nullptr, match, new_mesh.weights);
      continue;
    }
    if (new_mesh.weights.vertex_count() != old_mesh.positions.size())
      differ("mesh '" + old_mesh.name + "' has no skin");
    const auto old_binds = own_binds(expected, old_mesh, false),
               new_binds = own_binds(read, new_mesh, true);
    std::vector<bool> used(expected.joints.size(), false);
    for (const std::uint32_t j : weights.meshes[m].joint) used[j] = true;
    for (std::size_t j = 0; j < used.size(); ++j) {
      if (!used[j]) continue;
      if (match[j] < 0) differ("joint '" + expected.joints[j].name + "' is gone");
      const auto there = static_cast<std::size_t>(match[j]);
      verify_bind({old_mesh, expected.joints[j], old_binds[j]}, box,
                  {new_mesh, read.joints[there], new_binds[there]});
    }
    const bool fills = weights.fills_mesh(m);
    verify_rows(old_mesh, weights.meshes[m], fills, match, new_mesh.weights);
    if (fills) verify_kept(old_mesh, &weights.meshes[m], match, new_mesh.weights);
  }
}

}  // namespace gvbind
