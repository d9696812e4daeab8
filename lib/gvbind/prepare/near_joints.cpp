#include "gvbind/prepare/near_joints.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstddef>
#include <string>

#include "gvbind/prepare/components.h"

namespace gvbind {

namespace {

constexpr int samples_per_bone = 17;
constexpr std::size_t max_names = 20;

using Box = Eigen::AlignedBox3d;

std::vector<Box> component_boxes(const LatticeMesh& mesh, std::span<const std::uint32_t> welded,
                                 const NearOptions& options) {
  const Components components = connected_components(mesh, welded);
  std::vector<Box> boxes(components.count());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    if (components.component[v] != no_component)
      boxes[components.component[v]].extend(mesh.positions[v].cast<double>());
  for (Box& box : boxes) {
    const double margin = options.margin * box.sizes().maxCoeff();
    box = Box(box.min().array() - margin, box.max().array() + margin);
  }
  return boxes;
}

bool meets(const std::vector<Box>& boxes, const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  for (int k = 0; k < samples_per_bone; ++k) {
    const Eigen::Vector3d p = a + (b - a) * (static_cast<double>(k) / (samples_per_bone - 1));
    if (std::ranges::any_of(boxes, [&](const Box& box) { return box.contains(p); })) return true;
  }
  return false;
}

Box box_of_triangles(const LatticeMesh& mesh) {
  Box box;
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) box.extend(mesh.positions[v].cast<double>());
  return box;
}

}  // namespace

std::vector<bool> near_joints(std::span<const Joint> joints, const JointRoles& roles,
                              const UnitCube& cube, const LatticeMesh& mesh,
                              std::span<const std::uint32_t> welded, const NearOptions& options) {
  Box skeleton;
  std::vector<Eigen::Vector3d> at;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    at.push_back(cube.to_lattice(joints[i].position).cast<double>());
    if (roles.role[i] == JointRole::deforming) skeleton.extend(at.back());
  }
  if (skeleton.isEmpty() ||
      skeleton.sizes().maxCoeff() <= options.larger * box_of_triangles(mesh).sizes().maxCoeff())
    return {};
  const std::vector<Box> boxes = component_boxes(mesh, welded, options);
  std::vector<bool> near(joints.size(), false);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    near[i] = near[i] || meets(boxes, at[i], at[i]);
    if (joints[i].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(joints[i].parent);
    near[parent] = near[parent] || meets(boxes, at[parent], at[i]);
  }
  std::size_t owners = 0, far = 0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    owners += roles.role[i] == JointRole::deforming;
    far += roles.role[i] == JointRole::deforming && !near[i];
  }
  const bool some_near = std::ranges::any_of(
      joints, [&](const Joint& joint) { return joint.deforms && near[&joint - &joints[0]]; });
  const bool garment = some_near && far >= options.min_far &&
                       static_cast<double>(far) >= options.far_share * static_cast<double>(owners);
  return garment ? near : std::vector<bool>();
}

void limit_to_near(std::span<const Joint> joints, const std::vector<bool>& near, JointRoles& roles,
                   Findings& findings) {
  std::vector<int> near_children(joints.size(), 0);
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (near[i] && joints[i].parent >= 0) ++near_children[joints[i].parent];
  std::size_t deforming = 0, count = 0;
  std::string names;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!joints[i].deforms) continue;
    ++deforming;
    JointRole& role = roles.role[i];
    // For example a shin above its boot. The root of the near joints remains a root.
    const bool is_root = joints[i].parent < 0 || near_children[i] > 1;
    if (role == JointRole::control && near[i] && !is_root) role = JointRole::deforming;
    if (role == JointRole::deforming && !near[i]) role = JointRole::pole_target;
    if (role != JointRole::deforming || ++count > max_names) continue;
    names += names.empty() ? "" : ", ";
    names += joints[i].name.empty() ? std::to_string(i) : joints[i].name;
  }
  if (count > max_names) names += ", ...";
  findings.push_back({Severity::note, "joints-near",
                      std::to_string(count) + " of " + std::to_string(deforming) +
                          " joints are near the mesh and may own weight: " + names,
                      ""});
}

}  // namespace gvbind
