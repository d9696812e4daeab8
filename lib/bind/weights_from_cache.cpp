#include "bind/weights_from_cache.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <map>
#include <utility>

#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Of the length of the solid: joints that lie further apart are not of one pose.
constexpr double max_joint_shift = 1e-3;

/// Vertices outside the solid, over all meshes.
struct OutsideCount {
  std::size_t vertices = 0;
  double farthest = 0.0;  ///< bind space
};

double length_of(const CachedSolid& solid) {
  return lattice_size / solid.kept.distances.character.cube.scale;
}

std::string percent_text(double part) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g %%", 100.0 * part);
  return text.data();
}

[[noreturn]] void refuse_joint(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::cannot_bind, "joint '" + name + "' of the file of distances " + why);
}

/// The joint of the scene that stands for one of the field.
std::uint32_t matching_joint(const BindableScene& scene, const CachedSolid& solid,
                             std::uint32_t joint) {
  const Joint& of_field = solid.joints[joint];
  const auto found = std::ranges::find(scene.joints, of_field.name, &SceneJoint::name);
  if (found == scene.joints.end()) refuse_joint(of_field.name, "is missing");
  if (!found->deforms) refuse_joint(of_field.name, "may not own weight here");
  const double shift = (found->bind.translation() - of_field.position).norm();
  if (shift > max_joint_shift * length_of(solid))
    refuse_joint(of_field.name, "lies elsewhere here, by " +
                                    percent_text(shift / length_of(solid)) +
                                    " of the size: bind in one pose, unit and up axis");
  return static_cast<std::uint32_t>(found - scene.joints.begin());
}

SkinWeights of_scene_joints(const BindableScene& scene, const CachedSolid& solid,
                            SkinWeights weights) {
  std::map<std::uint32_t, std::uint32_t> known;
  for (std::uint32_t& joint : weights.joint) {
    const auto [found, is_new] = known.emplace(joint, 0u);
    if (is_new) found->second = matching_joint(scene, solid, joint);
    joint = found->second;
  }
  return weights;
}

/// Rules name joints of the scene; distances know those of the field.
BindRules rules_of_field(const BindableScene& scene, const CachedSolid& solid,
                         const BindRules& rules) {
  std::map<std::string, std::uint32_t> index;
  for (std::uint32_t j = 0; j < solid.joints.size(); ++j) index.emplace(solid.joints[j].name, j);
  const auto translated = [&](const std::vector<std::uint32_t>& joints) {
    std::vector<std::uint32_t> made;
    for (const std::uint32_t joint : joints)
      if (const auto found = index.find(scene.joints[joint].name); found != index.end())
        made.push_back(found->second);
    return made;
  };
  BindRules made;
  for (const JointRegion& region : rules.regions)
    if (std::vector<std::uint32_t> joints = translated(region.joints); !joints.empty())
      made.regions.push_back({std::move(joints), region.where, region.origin});
  for (const ForbiddenJoints& pair : rules.forbidden)
    made.forbidden.push_back({translated(pair.first), translated(pair.second)});
  for (const JointAlpha& own : rules.alphas)
    made.alphas.push_back({translated(own.joints), own.alpha});
  return made;
}

/// The rows of the mesh from one of the solids.
PointWeights weights_in(const BindableScene& scene, const CachedSolid& solid,
                        const BindOptions& options, const SceneMesh& mesh) {
  BindOptions own = options;
  own.rules = rules_of_field(scene, solid, options.rules);
  own.mesh_starts = solid.mesh_starts;
  PointWeights made = kept_weights_at(solid.kept, solid.joints, own, mesh.positions);
  made.rows = of_scene_joints(scene, solid, std::move(made.rows));
  return made;
}

/// The solid that the mesh is least outside of.
const CachedSolid& solid_of(const DistanceCache& field, const SceneMesh& mesh) {
  const CachedSolid* best = &field.solids.front();
  double least = std::numeric_limits<double>::infinity();
  for (const CachedSolid& solid : field.solids) {
    if (field.solids.size() == 1) break;
    const double sum = distance_outside(solid.kept.distances, mesh.positions);
    if (sum >= least) continue;
    least = sum;
    best = &solid;
  }
  return *best;
}

}  // namespace

SceneBinding bind_from_field(const BindableScene& scene, const BindOptions& options,
                             const DistanceCache& field) {
  if (field.solids.empty())
    throw Error(ErrorKind::cannot_bind, "the file of distances holds no solid");
  SceneBinding binding;
  binding.statistics.device = "none";
  binding.weights.meshes.resize(scene.meshes.size());
  OutsideCount outside;
  double size = 0.0;
  bool any = false;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (!mesh.selected || mesh.positions.empty()) continue;
    any = true;
    const CachedSolid& solid = solid_of(field, mesh);
    PointWeights made = weights_in(scene, solid, options, mesh);
    if (std::ranges::count(made.outside, 0.0) < std::ptrdiff_t(made.outside.size())) {
      for (const double distance : made.outside) {
        outside.vertices += distance > 0.0;
        outside.farthest = std::max(outside.farthest, distance);
      }
      size = std::max(size, length_of(solid));
    }
    binding.weights.meshes[m] = std::move(made.rows);
  }
  if (!any) throw Error(ErrorKind::cannot_bind, "no mesh to bind");
  if (outside.vertices > 0)
    binding.findings.push_back({Severity::note, "outside-field",
                                counted(outside.vertices, "vertex", "vertices") +
                                    " outside the solid of the distances, by up to " +
                                    percent_text(outside.farthest / size) +
                                    " of its size: weights of the nearest place inside",
                                ""});
  apply_assignments(scene, binding);
  return binding;
}

}  // namespace gvbind
