#include "bind/skeleton_fit.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <string>

#include "bind/bind_scene.h"
#include "character/shape_box.h"
#include "gvbind/base/segment.h"
#include "gvbind/base/utf8.h"
#include "gvbind/bind_stages.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

/// Of 155 characters by some 70 artists none has both a part below the first and a reach above the
/// second; of the same with their skeletons halved, four in five have.
constexpr double min_covered = 0.55, max_reach = 0.18;
/// A few joints need not go all through a mesh; but of three and more, not all lie in one spot.
constexpr std::size_t few_joints = 5, fewest_joints = 3;
constexpr double min_covered_by_few = 0.1;

constexpr std::size_t max_samples = 2000;

struct Bone {
  Eigen::Vector3d a, b;
};

std::vector<Bone> bones_of(const std::vector<SceneJoint>& joints) {
  std::vector<Bone> bones;
  for (const SceneJoint& joint : joints) {
    const Eigen::Vector3d at = joint.bind.translation();
    const bool root = joint.parent < 0;
    bones.push_back({root ? at : joints[joint.parent].bind.translation(), at});
  }
  return bones;
}

double distance_to(const Bone& bone, double scale, const Eigen::Vector3d& p) {
  const Eigen::Vector3d a = scale * bone.a, along = scale * (bone.b - bone.a);
  return (p - a - closest_parameter(a, along, p) * along).norm();
}

/// Vertices evenly over the list, at most `most`.
std::vector<Eigen::Vector3d> samples_of(const BindableScene& scene,
                                        const std::vector<std::size_t>& meshes,
                                        std::size_t max_count) {
  std::size_t count = 0;
  for (const std::size_t m : meshes) count += scene.meshes[m].positions.size();
  const std::size_t step = count / max_count + 1;
  std::vector<Eigen::Vector3d> samples;
  std::size_t at = 0;
  for (const std::size_t m : meshes)
    for (const Eigen::Vector3d& p : scene.meshes[m].positions)
      if (at++ % step == 0) samples.push_back(p);
  return samples;
}

std::vector<double> distances(const std::vector<Eigen::Vector3d>& samples,
                              const std::vector<Bone>& bones, double scale) {
  std::vector<double> nearest;
  for (const Eigen::Vector3d& p : samples) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const Bone& bone : bones) smallest = std::min(smallest, distance_to(bone, scale, p));
    nearest.push_back(smallest);
  }
  return nearest;
}

Eigen::AlignedBox3d joints_extent(const std::vector<SceneJoint>& joints) {
  Eigen::AlignedBox3d box;
  for (const SceneJoint& joint : joints) box.extend(joint.bind.translation());
  return box;
}

Eigen::AlignedBox3d meshes_extent(const BindableScene& scene,
                                  const std::vector<std::size_t>& meshes) {
  Eigen::AlignedBox3d box;
  for (const std::size_t m : meshes) box.extend(shape_box(scene.meshes[m]));
  return box;
}

std::string length_text(const BindableScene& scene, double length) {
  return scene.units.known ? significant(length * scene.units.meters, 3) + " m"
                           : significant(length, 3) + " units";
}

/// The nearest change of units or round number within unit_tolerance.
double usual_scale(double factor) {
  constexpr double unit_tolerance = 0.15;
  const double power = std::pow(10.0, std::floor(std::log10(factor)));
  double nearest = factor;
  double smallest = std::log1p(unit_tolerance);
  for (const double unit : {0.254, 1.0, 2.54, 10.0}) {
    const double apart = std::abs(std::log(power * unit / factor));
    if (apart >= smallest) continue;
    smallest = apart;
    nearest = power * unit;
  }
  if (nearest != factor) return nearest;
  const double digits = factor / power;
  const double whole = std::round(digits);
  const bool near = std::abs(whole / digits - 1.0) <= unit_tolerance;
  return power * (near ? whole : std::round(digits * 10.0) / 10.0);
}

std::vector<std::size_t> selected_meshes(const BindableScene& scene) {
  const auto volumes = group_meshes(scene, Volume::all);
  return volumes.empty() ? std::vector<std::size_t>() : volumes.front();
}

double best_scale(const std::vector<SceneJoint>& joints, const BindableScene& scene,
                  const std::vector<std::size_t>& meshes) {
  constexpr std::size_t few_samples = 300;
  constexpr int steps = 60;
  // A skeleton ends before its meshes do; and bones lie nearest to a surface when they are a little
  // too long.
  constexpr double usual_ratio = 0.86, usual_excess = 1.06;
  const Eigen::AlignedBox3d joint_box = joints_extent(joints);
  const Eigen::AlignedBox3d mesh_box = meshes_extent(scene, meshes);
  const double skeleton = joint_box.diagonal().norm(), box = mesh_box.diagonal().norm();
  if (!(skeleton > 0.0 && box > 0.0) || !std::isfinite(box / skeleton)) return 1.0;
  const double middle = usual_ratio * box / skeleton;
  const std::vector<Eigen::Vector3d> samples = samples_of(scene, meshes, few_samples);
  const std::vector<Bone> bones = bones_of(joints);
  double best = middle, smallest = std::numeric_limits<double>::infinity();
  for (int i = -steps / 2; i <= steps / 2; ++i) {
    const double factor = middle * std::exp2(2.0 * i / steps);
    double sum = 0.0;
    for (const double d : distances(samples, bones, factor)) sum += d * d;
    if (sum >= smallest) continue;
    smallest = sum;
    best = factor;
  }
  const double usual = usual_scale(best / usual_excess);
  // Bones may lie nearest where the skeleton is still too small to pass; the factor has to pass.
  constexpr double margin = 1.05;
  const double lowest =
      margin * min_covered * mesh_box.sizes().maxCoeff() / joint_box.sizes().maxCoeff();
  return usual >= lowest ? usual : lowest;
}

/// By joint, its bones: to each of its children, or its own place.
std::vector<std::vector<Bone>> bones_by_joint(const std::vector<SceneJoint>& joints) {
  std::vector<std::vector<Bone>> bones(joints.size());
  for (const SceneJoint& joint : joints)
    if (joint.parent >= 0) {
      const auto parent = static_cast<std::size_t>(joint.parent);
      bones[parent].push_back({joints[parent].bind.translation(), joint.bind.translation()});
    }
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (bones[j].empty())
      bones[j].push_back({joints[j].bind.translation(), joints[j].bind.translation()});
  return bones;
}

double distance_to_any(const std::vector<Bone>& bones, const Eigen::Vector3d& p) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Bone& bone : bones) smallest = std::min(smallest, distance_to(bone, 1.0, p));
  return smallest;
}

/// A skin that nothing is wrong with: none of its weights is damaged, and its vertices follow
/// joints that are about as near as the nearest joint of all.
bool is_finished(const BindableScene& scene, const SceneMesh& mesh,
                 const std::vector<std::vector<Bone>>& bones) {
  constexpr double max_excess = 0.1;  // of the diagonal, on average
  const SkinWeights& rows = mesh.weights;
  if (rows.joint.empty() || mesh.damaged_weights > 0) return false;
  Eigen::AlignedBox3d box = joints_extent(scene.joints);
  for (const Eigen::Vector3d& p : mesh.positions) box.extend(p);
  double sum = 0.0;
  std::size_t count = 0;
  std::set<std::uint32_t> owners;
  for (std::size_t v = 0; v < mesh.positions.size(); v += mesh.positions.size() / max_samples + 1) {
    const auto begin = rows.weight.begin() + rows.first[v],
               end = rows.weight.begin() + rows.first[v + 1];
    if (begin == end) continue;
    const auto slot = static_cast<std::size_t>(std::max_element(begin, end) - rows.weight.begin());
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::vector<Bone>& of_joint : bones)
      nearest = std::min(nearest, distance_to_any(of_joint, mesh.positions[v]));
    sum += distance_to_any(bones[rows.joint[slot]], mesh.positions[v]) - nearest;
    owners.insert(rows.joint[slot]);
    ++count;
  }
  // All on one joint says nothing about where the others are.
  return owners.size() > 1 &&
         sum <= max_excess * box.diagonal().norm() * static_cast<double>(count);
}

bool any_finished(const BindableScene& scene, const std::vector<std::size_t>& meshes) {
  const std::vector<std::vector<Bone>> bones = bones_by_joint(scene.joints);
  return std::ranges::any_of(
      meshes, [&](std::size_t m) { return is_finished(scene, scene.meshes[m], bones); });
}

/// The meshes of which a tenth lies about the skeleton, where those hold most of the vertices: all
/// others are props, and their place says nothing about the character's size.
std::vector<std::size_t> without_props(const BindableScene& scene,
                                       const std::vector<std::size_t>& meshes) {
  Eigen::AlignedBox3d about = joints_extent(scene.joints);
  const Eigen::Vector3d margin = Eigen::Vector3d::Constant(max_reach * about.diagonal().norm());
  about.min() -= margin, about.max() += margin;
  std::vector<std::size_t> kept;
  std::size_t all = 0, held = 0;
  for (const std::size_t m : meshes) {
    const std::vector<Eigen::Vector3d>& positions = scene.meshes[m].positions;
    const auto inside = static_cast<std::size_t>(std::ranges::count_if(
        positions, [&](const Eigen::Vector3d& p) { return about.contains(p); }));
    all += positions.size();
    if (10 * inside < positions.size()) continue;
    kept.push_back(m);
    held += positions.size();
  }
  return 2 * held >= all ? kept : meshes;
}

/// Whether every joint that may own weight lies clearly outside the meshes' box. Where the meshes
/// are smaller than the skeleton they may be a garment between its joints: those lie apart where
/// the boxes do.
bool is_apart(const BindableScene& scene, const std::vector<std::size_t>& meshes) {
  constexpr double margin_of_mesh = 0.1, garment_size = 0.7, margin_of_skeleton = 0.25;
  const Eigen::AlignedBox3d skeleton = joints_extent(scene.joints);
  Eigen::AlignedBox3d box = meshes_extent(scene, meshes);
  if (skeleton.isEmpty() || box.isEmpty()) return false;
  const double size = box.diagonal().norm();
  const bool garment = size < garment_size * skeleton.diagonal().norm();
  if (garment)
    return box.exteriorDistance(skeleton) > margin_of_skeleton * skeleton.diagonal().norm();
  return std::ranges::none_of(scene.joints, [&](const SceneJoint& joint) {
    return joint.deforms &&
           box.exteriorDistance(Eigen::Vector3d(joint.bind.translation())) <= margin_of_mesh * size;
  });
}

std::string apart_text(const BindableScene& scene, const std::vector<std::size_t>& meshes) {
  const Eigen::AlignedBox3d box = meshes_extent(scene, meshes);
  double nearest = std::numeric_limits<double>::infinity();
  std::size_t count = 0;
  for (const SceneJoint& joint : scene.joints) {
    if (!joint.deforms) continue;
    ++count;
    nearest = std::min(nearest, box.exteriorDistance(Eigen::Vector3d(joint.bind.translation())));
  }
  return (count == 1 ? "its joint lies" : "all of its " + std::to_string(count) + " joints lie") +
         " outside the meshes, the nearest " + length_text(scene, nearest) +
         " from their box; move the skeleton into the meshes in the tool that made the file";
}

std::string misfit_text(const BindableScene& scene, const std::vector<std::size_t>& meshes,
                        const SkeletonFit& fit) {
  std::string text = "the skeleton is " + length_text(scene, fit.skeleton_size) +
                     " long and the meshes are " + length_text(scene, fit.mesh_size) + " long: ";
  text += "it covers ";
  text += significant(100.0 * fit.covered, 3) + " % of them";
  const double scale = best_scale(scene.joints, scene, meshes);
  if (scale != 1.0) text += "; --skeleton-scale " + significant(scale, 3) + " would fit";
  return text;
}

}  // namespace

SkeletonFit skeleton_fit(const std::vector<SceneJoint>& joints, const BindableScene& scene,
                         const std::vector<std::size_t>& meshes) {
  SkeletonFit fit;
  const Eigen::AlignedBox3d skeleton = joints_extent(joints), box = meshes_extent(scene, meshes);
  if (skeleton.isEmpty() || box.isEmpty()) return fit;
  fit.joints = joints.size();
  fit.skeleton_size = skeleton.sizes().maxCoeff();
  fit.mesh_size = box.sizes().maxCoeff();
  if (!(fit.mesh_size > 0.0)) return fit;
  fit.covered = 0.0;
  // Of boxes that lie apart only the sizes can be compared.
  if (!box.intersects(skeleton)) fit.covered = fit.skeleton_size / fit.mesh_size;
  for (int k = 0; k < 3 && box.intersects(skeleton); ++k) {
    const double both =
        std::min(box.max()[k], skeleton.max()[k]) - std::max(box.min()[k], skeleton.min()[k]);
    if (box.sizes()[k] > 0.0) fit.covered = std::max(fit.covered, both / box.sizes()[k]);
  }
  if (fit.covered >= min_covered) return fit;
  std::vector<double> nearest =
      distances(samples_of(scene, meshes, max_samples), bones_of(joints), 1.0);
  const auto ninth = nearest.begin() + static_cast<std::ptrdiff_t>(nearest.size() * 9 / 10);
  std::nth_element(nearest.begin(), ninth, nearest.end());
  fit.reach = *ninth / box.diagonal().norm();
  return fit;
}

bool fits(const SkeletonFit& fit) {
  const bool has_size = fit.joints >= fewest_joints && fit.skeleton_size > 0.0;
  if (!has_size || fit.skeleton_size >= fit.mesh_size || fit.reach <= max_reach) return true;
  return fit.covered >= (fit.joints < few_joints ? min_covered_by_few : min_covered);
}

double fitting_scale(const std::vector<SceneJoint>& joints, const BindableScene& scene) {
  const std::vector<std::size_t> meshes = selected_meshes(scene);
  if (fits(skeleton_fit(joints, scene, meshes)) || any_finished(scene, meshes)) return 1.0;
  return best_scale(joints, scene, meshes);
}

void require_fit(const BindableScene& scene) {
  require_joint_count(scene.joints.size());
  const std::vector<std::size_t> meshes = selected_meshes(scene);
  if (meshes.empty() || any_finished(scene, meshes)) return;
  if (is_apart(scene, meshes)) throw Error(ErrorKind::cannot_bind, apart_text(scene, meshes));
  const auto fits_them = [&](const std::vector<std::size_t>& some) {
    return fits(skeleton_fit(scene.joints, scene, some));
  };
  if (!std::ranges::any_of(group_meshes(scene, Volume::automatic), fits_them) &&
      !fits_them(without_props(scene, meshes)))
    throw Error(ErrorKind::cannot_bind,
                misfit_text(scene, meshes, skeleton_fit(scene.joints, scene, meshes)));
}

void scale_joints(std::vector<SceneJoint>& joints, double factor) {
  for (SceneJoint& joint : joints) joint.bind.translation() *= factor;
}

}  // namespace gvbind
