#include "formats/fbx/skeleton.h"

#include <algorithm>

namespace gvbind {
namespace {

constexpr double same_bind = 1e-3;  // relative to the matrices' largest entry

bool is_joint_type(const std::string& type) {
  return type == "LimbNode" || type == "Limb" || type == "Root";
}

double difference(const Eigen::Affine3d& a, const Eigen::Affine3d& b) {
  const double size = std::max(a.matrix().cwiseAbs().maxCoeff(), 1e-30);
  return (a.matrix() - b.matrix()).cwiseAbs().maxCoeff() / size;
}

void read_skins(const FbxObjects& objects, FbxBinding& binding, Findings& findings) {
  for (const FbxObject& model : objects.all) {
    if (!objects.is(model, "Model")) continue;
    const FbxObject* geometry = objects.mesh_geometry(model.id);
    if (!geometry || binding.skins.contains(geometry->id)) continue;
    FbxSkin skin = read_clusters(objects, geometry->id);
    if (skin.clusters.empty()) continue;
    std::size_t apart = 0;
    for (const FbxCluster& cluster : skin.clusters) {
      binding.clustered.insert(cluster.joint);
      if (!cluster.joint_bind) continue;
      const auto [first, is_new] = binding.joint_bind.emplace(cluster.joint, *cluster.joint_bind);
      if (!is_new && difference(first->second, *cluster.joint_bind) > same_bind) ++apart;
    }
    if (apart > 0)
      findings.push_back({Severity::warning, "bind-poses-differ",
                          "mesh '" + model.name + "': " + std::to_string(apart) +
                              " joints have another bind pose than in an earlier skin, which is "
                              "used",
                          model.name});
    binding.skins.emplace(geometry->id, std::move(skin));
  }
}

void list_joints(const FbxObjects& objects, FbxBinding& binding) {
  const auto is_joint = [&](const FbxObject& object) {
    return objects.is(object, "Model") &&
           (is_joint_type(object.type) || binding.clustered.contains(object.id));
  };
  std::unordered_set<std::int64_t> seen;  // each with all its ancestors
  for (const FbxObject& object : objects.all) {
    std::vector<std::int64_t> path;
    const FbxObject* up = is_joint(object) ? &object : nullptr;
    for (; up && seen.insert(up->id).second; up = objects.parent_model(up->id))
      if (is_joint(*up)) path.push_back(up->id);
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
      binding.joint_of.emplace(*it, static_cast<int>(binding.joints.size()));
      binding.joints.push_back(*it);
    }
  }
}

void find_joints_above(const FbxObjects& objects, FbxBinding& binding) {
  std::vector<std::int64_t> path;
  for (const FbxObject& object : objects.all) {
    if (!objects.is(object, "Model")) continue;
    int joint = -1;
    for (const FbxObject* model = &object; model;) {
      if (const auto known = binding.above.find(model->id); known != binding.above.end()) {
        joint = known->second;
        break;
      }
      path.push_back(model->id);
      model = objects.parent_model(model->id);
      const auto found = model ? binding.joint_of.find(model->id) : binding.joint_of.end();
      if (found == binding.joint_of.end()) continue;
      joint = found->second;
      break;
    }
    for (const std::int64_t id : path) binding.above.emplace(id, joint);
    path.clear();
  }
}

using Matrices = std::unordered_map<std::int64_t, Eigen::Affine3d>;

/// Moves `known` from one Model to another by their relative transform in `pose`.
Eigen::Affine3d carried(const Matrices& pose, const Eigen::Affine3d& known, std::int64_t from,
                        std::int64_t to) {
  return known * pose.at(from).inverse(Eigen::Affine) * pose.at(to);
}

std::int64_t parent_joint(const FbxBinding& binding, std::int64_t id) {
  const int joint = joint_above(binding, id);
  return joint < 0 ? 0 : binding.joints[joint];
}

/// Binds joints with a known bind above them.
void bind_below(const Matrices& poses, FbxBinding& binding) {
  for (const std::int64_t id : binding.joints) {
    const std::int64_t parent = parent_joint(binding, id);
    const auto known = binding.joint_bind.find(parent);
    if (binding.joint_bind.contains(id) || known == binding.joint_bind.end()) continue;
    const bool posed = poses.contains(id) && poses.contains(parent);
    const Eigen::Affine3d bind = carried(posed ? poses : binding.world, known->second, parent, id);
    binding.joint_bind.emplace(id, bind);
  }
}

/// Binds joints above the topmost clusters.
void bind_above(const Matrices& poses, FbxBinding& binding) {
  for (auto it = binding.joints.rbegin(); it != binding.joints.rend(); ++it) {
    const std::int64_t parent = parent_joint(binding, *it);
    const auto known = binding.joint_bind.find(*it);
    if (parent == 0 || binding.joint_bind.contains(parent) || known == binding.joint_bind.end())
      continue;
    const bool posed = poses.contains(*it) && poses.contains(parent);
    const Eigen::Affine3d bind = carried(posed ? poses : binding.world, known->second, *it, parent);
    binding.joint_bind.emplace(parent, bind);
  }
}

}  // namespace

int joint_above(const FbxBinding& binding, std::int64_t model) {
  const auto found = binding.above.find(model);
  return found == binding.above.end() ? -1 : found->second;
}

FbxBinding read_binding(const FbxObjects& objects, Findings& findings) {
  FbxBinding binding;
  binding.world = world_transforms(objects);
  read_skins(objects, binding, findings);
  list_joints(objects, binding);
  find_joints_above(objects, binding);
  if (!binding.clustered.empty()) {
    const Matrices poses = read_bind_poses(objects);
    bind_below(poses, binding);
    bind_above(poses, binding);
    bind_below(poses, binding);
    for (const std::int64_t id : binding.joints)
      if (const auto posed = poses.find(id); posed != poses.end() && parent_joint(binding, id) == 0)
        binding.joint_bind.emplace(id, posed->second);
    bind_below(poses, binding);
  }
  for (const std::int64_t id : binding.joints) binding.joint_bind.emplace(id, binding.world.at(id));
  return binding;
}

Eigen::Affine3d model_bind(const FbxObjects& objects, const FbxBinding& binding,
                           std::int64_t model) {
  const FbxObject* geometry = objects.mesh_geometry(model);
  if (const auto skin = binding.skins.find(geometry ? geometry->id : 0);
      geometry && skin != binding.skins.end())
    for (const FbxCluster& cluster : skin->second.clusters)
      if (cluster.mesh_in_joint)
        return binding.joint_bind.at(cluster.joint) * *cluster.mesh_in_joint;
  const Eigen::Affine3d& world = binding.world.at(model);
  if (const auto joint = binding.joint_of.find(model); joint != binding.joint_of.end())
    return binding.joint_bind.at(model);
  const int above = joint_above(binding, model);
  if (above < 0) return world;
  const std::int64_t joint = binding.joints[above];
  return carried(binding.world, binding.joint_bind.at(joint), joint, model);
}

}  // namespace gvbind
