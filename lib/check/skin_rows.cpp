#include "check/skin_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace gvbind::check {

namespace {

struct Row {
  std::size_t damaged = 0, joints = 0;
  double sum = 0.0;  ///< of the valid entries
};

/// `joints`: reused buffer.
Row row_of(const SceneMesh& mesh, std::size_t vertex, std::size_t joint_count,
           std::vector<std::uint32_t>& joints) {
  Row row;
  joints.clear();
  if (vertex < mesh.weights.vertex_count())
    for (std::size_t k = mesh.weights.first[vertex]; k < mesh.weights.first[vertex + 1]; ++k) {
      const double w = mesh.weights.weight[k];
      if (!std::isfinite(w) || w < 0.0 || mesh.weights.joint[k] >= joint_count) {
        ++row.damaged;
        continue;
      }
      if (w == 0.0) continue;
      row.sum += w;
      joints.push_back(mesh.weights.joint[k]);
    }
  std::sort(joints.begin(), joints.end());
  row.joints = static_cast<std::size_t>(std::unique(joints.begin(), joints.end()) - joints.begin());
  return row;
}

void count_row(const Row& row, const VertexId& vertex, const SkinRowOptions& options,
               SkinRows& rows) {
  ++rows.vertices;
  rows.damaged += row.damaged;
  if (row.joints == 0) {
    if (rows.without_weight++ == 0) rows.without_weight_at = vertex;
    return;
  }
  const double error = std::abs(row.sum - 1.0);
  if (error > options.sum_tolerance) {
    ++rows.off_sum;
    if (error > rows.largest_error) rows.off_sum_at = vertex;
  }
  rows.largest_error = std::max(rows.largest_error, error);
  if (row.joints > rows.max_influences) {
    rows.max_influences = row.joints;
    rows.max_influences_at = vertex;
  }
  rows.mean_influences += static_cast<double>(row.joints);
  if (options.max_influences > 0 && row.joints > static_cast<std::size_t>(options.max_influences))
    ++rows.over_influences;
}

}  // namespace

SkinRows measure_rows(const Scene& scene, const SkinRowOptions& options) {
  SkinRows rows;
  std::vector<std::uint32_t> joints;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (mesh.skin_joints.empty()) continue;
    ++rows.skinned_meshes;
    const std::size_t damaged = rows.damaged;
    rows.damaged += mesh.damaged_weights;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v)
      count_row(row_of(mesh, v, scene.joints.size(), joints), {m, v}, options, rows);
    if (rows.damaged > damaged && !rows.damaged_in) rows.damaged_in = m;
  }
  const std::size_t weighted = rows.vertices - rows.without_weight;
  if (weighted > 0) rows.mean_influences /= static_cast<double>(weighted);
  return rows;
}

JointUse measure_joint_use(const Scene& scene) {
  const std::size_t count = scene.joints.size();
  JointUse use;
  std::vector<std::uint8_t>& owns = use.owns;
  owns.assign(count, 0);
  for (const SceneMesh& mesh : scene.meshes)
    if (!mesh.skin_joints.empty())
      for (std::size_t k = 0; k < mesh.weights.joint.size(); ++k)
        if (mesh.weights.joint[k] < count && mesh.weights.weight[k] > 0.0f)
          owns[mesh.weights.joint[k]] = 1;
  std::vector<std::uint8_t> moves = owns;
  for (std::size_t j = count; j-- > 0;)
    if (moves[j] && scene.joints[j].parent >= 0) moves[scene.joints[j].parent] = 1;

  for (std::size_t j = 0; j < count; ++j) {
    if (!scene.joints[j].deforms) continue;
    ++use.deforming;
    if (!owns[j]) use.without_weight.push_back(j);
    if (!moves[j]) use.idle.push_back(j);
  }
  return use;
}

}  // namespace gvbind::check
