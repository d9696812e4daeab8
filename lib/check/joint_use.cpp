#include "check/joint_use.h"

#include <cstdint>

namespace gvbind {

JointUse measure_joint_use(const Scene& scene) {
  const std::size_t count = scene.joints.size();
  std::vector<std::uint8_t> owns(count, 0);
  for (const SceneMesh& mesh : scene.meshes)
    if (!mesh.skin_joints.empty())
      for (std::size_t k = 0; k < mesh.weights.influence.size(); ++k)
        if (mesh.weights.influence[k] < count && mesh.weights.weight[k] > 0.0f)
          owns[mesh.weights.influence[k]] = 1;
  std::vector<std::uint8_t> moves = owns;
  for (std::size_t j = count; j-- > 0;)
    if (moves[j] && scene.joints[j].parent >= 0)
      moves[static_cast<std::size_t>(scene.joints[j].parent)] = 1;

  JointUse use;
  for (std::size_t j = 0; j < count; ++j) {
    if (!scene.joints[j].deforms) continue;
    ++use.deforming;
    if (!owns[j]) use.without_weight.push_back(j);
    if (!moves[j]) use.idle.push_back(j);
  }
  return use;
}

}  // namespace gvbind
