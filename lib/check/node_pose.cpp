#include "check/node_pose.h"
#include "gvbind/base/utf8.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace gvbind::check {

namespace {

/// Effect of the node pose on a joint's bind space.
struct JointMove {
  Eigen::Affine3d move = Eigen::Affine3d::Identity();
  double scale = 1.0;
};

std::vector<JointMove> moves_of(const Scene& scene, std::span<const Eigen::Affine3d> nodes) {
  std::vector<JointMove> moves(scene.joints.size());
  for (std::size_t j = 0; j < moves.size(); ++j) {
    const Eigen::Affine3d& bind = scene.joints[j].bind;
    if (!(std::abs(bind.linear().determinant()) > 0.0)) continue;
    const Eigen::Affine3d move = nodes[j] * bind.inverse();
    const double scale = std::cbrt(std::abs(move.linear().determinant()));
    if (move.matrix().allFinite() && std::isfinite(scale)) moves[j] = {move, scale};
  }
  return moves;
}

/// As above with the matrices that the mesh's skin has in the file, which are all that an engine
/// knows: they may be missing, or those of other joints.
std::vector<JointMove> moves_in_file(const SceneMesh& mesh, std::vector<JointMove> moves,
                                     std::span<const Eigen::Affine3d> nodes) {
  const Eigen::Affine3d to_local = mesh.to_bind.inverse();
  if (!to_local.matrix().allFinite()) return moves;
  for (std::size_t slot = 0; slot < mesh.inverse_binds.size(); ++slot) {
    const int joint = mesh.skin_joints[slot];
    const Eigen::Affine3d move = nodes[joint] * mesh.inverse_binds[slot] * to_local;
    const double scale = std::cbrt(std::abs(move.linear().determinant()));
    if (move.matrix().allFinite() && std::isfinite(scale)) moves[joint] = {move, scale};
  }
  return moves;
}

/// The joint whose scale differs most from the majority; none if all are equal.
int scaled_joint(const std::vector<JointMove>& moves, double same_scale, double& factor) {
  if (moves.empty()) return -1;
  std::vector<double> scales;
  for (const JointMove& m : moves) scales.push_back(m.scale);
  const auto middle = scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 2);
  std::nth_element(scales.begin(), middle, scales.end());
  int found = -1;
  double largest = std::log(same_scale);
  for (std::size_t j = 0; j < moves.size(); ++j) {
    const double apart = std::abs(std::log(moves[j].scale / *middle));
    if (!(apart > largest)) continue;
    largest = apart;
    found = static_cast<int>(j);
    factor = moves[j].scale / *middle;
  }
  return found;
}

struct PosedVertex {
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  double scale = 0.0;  ///< maximum over the joints that move it; 0: none
};

std::vector<PosedVertex> posed(const SceneMesh& mesh, const SkinWeights& weights,
                               const std::vector<JointMove>& moves) {
  std::vector<PosedVertex> vertices(mesh.positions.size());
  for (std::size_t v = 0; v < vertices.size() && v < weights.vertex_count(); ++v)
    for (std::uint32_t i = weights.first[v]; i < weights.first[v + 1]; ++i) {
      const JointMove& joint = moves[weights.joint[i]];
      vertices[v].at += static_cast<double>(weights.weight[i]) * (joint.move * mesh.positions[v]);
      vertices[v].scale = std::max(vertices[v].scale, joint.scale);
    }
  return vertices;
}

struct TornEdges {
  std::size_t edges = 0, torn = 0, pulled = 0;
  double worst = 0.0;
  std::size_t mesh = 0;
  std::uint32_t vertex = 0;
};

void add_edges(const Scene& scene, std::size_t m, const SkinWeights& weights,
               const std::vector<JointMove>& moves, const NodePoseOptions& options,
               TornEdges& sum) {
  const SceneMesh& mesh = scene.meshes[m];
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : mesh.positions) box.extend(p);
  const double shortest = box.isEmpty() ? 0.0 : options.shortest * box.diagonal().norm();
  const std::vector<PosedVertex> vertices = posed(mesh, weights, moves);
  for (const Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      const double length = (mesh.positions[a] - mesh.positions[b]).norm();
      const double scale = std::max(vertices[a].scale, vertices[b].scale);
      if (!(length > shortest) || !(scale > 0.0)) continue;
      ++sum.edges;
      const double ratio = (vertices[a].at - vertices[b].at).norm() / length / scale;
      sum.torn += ratio > options.stretch;
      sum.pulled += ratio > options.pull;
      if (ratio <= sum.worst) continue;
      sum.worst = ratio;
      sum.mesh = m;
      sum.vertex = a;
    }
}

}  // namespace

Findings node_pose_findings(const Scene& scene, std::span<const SkinWeights* const> weights,
                            std::span<const Eigen::Affine3d> nodes,
                            const NodePoseOptions& options) {
  if (nodes.size() != scene.joints.size()) return {};
  const std::vector<JointMove> moves = moves_of(scene, nodes);
  double factor = 1.0;
  const int joint = scaled_joint(moves, options.same_scale, factor);
  if (joint < 0 && !options.as_in_file) return {};
  TornEdges sum;
  for (std::size_t m = 0; m < weights.size(); ++m)
    if (weights[m])
      add_edges(scene, m, *weights[m],
                options.as_in_file ? moves_in_file(scene.meshes[m], moves, nodes) : moves, options,
                sum);
  const auto share_of = [&](std::size_t count) {
    return sum.edges == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(sum.edges);
  };
  const bool is_scaled = joint >= 0 && share_of(sum.torn) > options.torn_share;
  const bool is_pulled = options.as_in_file && share_of(sum.pulled) > options.pulled_share;
  if (!is_scaled && !is_pulled) return {};
  const std::string worst = "the worst " + significant(sum.worst, 3) + " times, at vertex " +
                            std::to_string(sum.vertex) + " of mesh '" +
                            scene.meshes[sum.mesh].name + "'";
  if (!is_scaled)
    return {{Severity::warning, "node-pose",
             "in the pose of the nodes, " + significant(100.0 * share_of(sum.pulled), 3) +
                 " % of the edges stretch more than " + significant(options.pull, 2) + " times; " +
                 worst + ": the skin's matrices or joints are not those of these nodes",
             scene.meshes[sum.mesh].name}};
  const std::string& name = scene.joints[joint].name;
  return {{Severity::warning, "node-pose",
           "in the pose of the nodes, which scales joint '" + name + "' by " +
               significant(factor, 3) + " and its bind does not, " +
               significant(100.0 * share_of(sum.torn), 3) +
               " % of the edges stretch more than tenfold; " + worst,
           name}};
}

}  // namespace gvbind::check
