#include "gvbind/weights/component_joints.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/prepare/winding_number.h"
#include "gvbind/weights/component_contacts.h"

namespace gvbind {

namespace {

constexpr int samples_per_joint = 17;
/// Bone length of a joint's own position, cube sides, so that joints without bones count too.
constexpr double point_length = 1e-4;
/// Minimum winding number inside. On a sheet it is 1/2 up to rounding.
constexpr double min_containing = 0.501;
/// Tolerance for equal gaps, cube sides.
constexpr double equal_gap = 2.0 / lattice_size;

struct BoneSample {
  Eigen::Vector3d at;
  std::uint32_t joint;
  double length;  ///< cube sides
};

std::vector<BoneSample> bone_samples(const LatticeBones& bones) {
  std::vector<BoneSample> samples;
  for (std::uint32_t i = 0; i < bones.size(); ++i)
    for (const LatticeSegment& s : bones[i]) {
      const Eigen::Vector3d a = s.a.cast<double>(), along = (s.b - s.a).cast<double>();
      samples.push_back({a, i, point_length});
      for (int k = 0; k < samples_per_joint && !along.isZero(); ++k)
        samples.push_back({a + along * ((k + 0.5) / samples_per_joint), i,
                           along.norm() / lattice_size / samples_per_joint});
    }
  return samples;
}

struct ComponentBox {
  Eigen::Array3d low, high;
  bool contains(const Eigen::Vector3d& p) const {
    return (p.array() >= low).all() && (p.array() <= high).all();
  }
  double diagonal() const { return (high - low).matrix().norm() / lattice_size; }
};

/// The component as a separate mesh.
LatticeMesh component_mesh(const LatticeMesh& mesh, std::span<const std::uint32_t> triangles) {
  LatticeMesh component;
  for (const std::uint32_t t : triangles) {
    const auto first = static_cast<std::uint32_t>(component.positions.size());
    for (const std::uint32_t v : mesh.triangles[t])
      component.positions.push_back(mesh.positions[v]);
    component.triangles.push_back({first, first + 1, first + 2});
  }
  return component;
}

ComponentBox box_of(const LatticeMesh& component) {
  Eigen::Vector3i low = component.positions.front(), high = low;
  for (const Eigen::Vector3i& p : component.positions) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return {low.cast<double>().array(), high.cast<double>().array()};
}

/// Whether all triangles lie in one plane through the middle of the box, which leaves no inside.
bool is_flat(const LatticeMesh& component, const ComponentBox& box) {
  const Eigen::Vector3d middle = (box.low + box.high).matrix() / 2.0;
  double height = 0.0, area = 0.0;
  for (const Triangle& t : component.triangles) {
    const Eigen::Vector3d a = component.positions[t[0]].cast<double>() - middle;
    const Eigen::Vector3d normal =
        (component.positions[t[1]] - component.positions[t[0]])
            .cast<double>()
            .cross((component.positions[t[2]] - component.positions[t[0]]).cast<double>());
    height += std::abs(normal.dot(a));
    area += normal.norm();
  }
  return height <= area;  // one lattice step on average
}

/// By sample, whether it lies inside the component.
std::vector<std::uint8_t> samples_inside(const LatticeMesh& component, const ComponentBox& box,
                                         std::span<const BoneSample> samples) {
  const WindingTree winding(component);
  std::vector<std::uint8_t> inside(samples.size());
  parallel_for(samples.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      inside[i] = box.contains(samples[i].at) && std::abs(winding(samples[i].at)) > min_containing;
  });
  return inside;
}

/// Bone lengths inside components.
struct BonesInside {
  std::vector<std::vector<double>> length;  ///< by component and joint, cube sides
  std::vector<double> total;                ///< by joint, inside or outside
  std::vector<double> diagonal;             ///< by component: diagonal of its box
};

BonesInside bones_inside(const Character& c, const LatticeBones& bones) {
  const std::vector<BoneSample> samples = bone_samples(bones);
  BonesInside inside;
  inside.total.assign(bones.size(), 0.0);
  for (const BoneSample& s : samples) inside.total[s.joint] += s.length;
  inside.length.assign(c.components.count(), std::vector<double>(bones.size(), 0.0));
  inside.diagonal.assign(c.components.count(), 0.0);
  parallel_for(c.components.count(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const LatticeMesh component = component_mesh(c.mesh, c.components.triangles[k]);
      const ComponentBox box = box_of(component);
      inside.diagonal[k] = box.diagonal();
      if (std::none_of(samples.begin(), samples.end(),
                       [&](const BoneSample& s) { return box.contains(s.at); }) ||
          is_flat(component, box))
        continue;
      const std::vector<std::uint8_t> contained = samples_inside(component, box, samples);
      for (std::size_t i = 0; i < samples.size(); ++i)
        if (contained[i]) inside.length[k][samples[i].joint] += samples[i].length;
    }
  });
  return inside;
}

void assign_by_bones(const BonesInside& inside, std::size_t k, const ComponentJointOptions& options,
                     ComponentJoints& result) {
  const std::vector<double>& length = inside.length[k];
  const double sum = std::accumulate(length.begin(), length.end(), 0.0);
  if (!(sum > options.min_bone_length * inside.diagonal[k])) {
    result.kind[k] = ComponentKind::attached;
    return;
  }
  const auto most = std::max_element(length.begin(), length.end());
  if (*most < options.dominant_fraction * sum) return;
  result.kind[k] = ComponentKind::rigid;
  result.joint[k] = static_cast<std::uint32_t>(most - length.begin());
}

void admit_by_bones(const BonesInside& inside, const ComponentJointOptions& options,
                    ComponentJoints& result) {
  for (std::size_t j = 0; j < inside.total.size(); ++j) {
    double most = 0.0, contained = 0.0;
    for (const std::vector<double>& length : inside.length) {
      most = std::max(most, length[j]);
      contained += length[j];
    }
    const bool anywhere = !(contained >= options.min_contained * inside.total[j]) || most == 0.0;
    for (std::size_t k = 0; k < result.kind.size(); ++k)
      if (result.kind[k] != ComponentKind::attached)
        result.admits[k][j] = anywhere || (inside.length[k][j] > 0.0 &&
                                           inside.length[k][j] >= options.shared_fraction * most);
  }
}

/// Copies the joints of placed components that touch an attached component along (nearly) the
/// largest part of its surface.
void copy_joints(std::uint32_t component, const ComponentContacts& surfaces,
                 const std::vector<ComponentContact>& contacts, double reach,
                 const std::vector<bool>& placed, double shared_contact, ComponentJoints& result) {
  std::vector<std::pair<std::uint32_t, std::size_t>> touching;
  for (const ComponentContact& contact : contacts)
    if (placed[contact.component])
      touching.emplace_back(contact.component,
                            surfaces.within(component, contact.component, reach));
  std::size_t most = 0;
  for (const auto& [other, points] : touching) most = std::max(most, points);
  for (const auto& [other, points] : touching) {
    if (static_cast<double>(points) < shared_contact * static_cast<double>(most)) continue;
    for (std::size_t j = 0; j < result.admits[other].size(); ++j)
      if (result.admits[other][j]) result.admits[component][j] = true;
  }
}

/// The gap between an attached component and another, and the attached one's index in a list.
using Gap = std::pair<double, std::size_t>;

/// Components not yet placed with the smallest gap, with ties.
std::vector<std::size_t> next_batch(
    const std::vector<std::uint32_t>& waiting, const std::vector<bool>& placed,
    std::priority_queue<Gap, std::vector<Gap>, std::greater<>>& next) {
  const double gap = next.top().first;
  std::vector<std::size_t> batch;
  for (; !next.empty() && next.top().first <= gap + equal_gap; next.pop())
    if (!placed[waiting[next.top().second]]) batch.push_back(next.top().second);
  std::ranges::sort(batch);
  batch.erase(std::unique(batch.begin(), batch.end()), batch.end());
  return batch;
}

/// Attached components get the joints of those that they touch, in the order of gaps.
void attach(const Character& c, const ComponentJointOptions& options, ComponentJoints& result) {
  std::vector<std::uint32_t> waiting;
  std::vector<bool> placed(c.components.count());
  for (std::uint32_t k = 0; k < c.components.count(); ++k) {
    placed[k] = result.kind[k] != ComponentKind::attached;
    if (!placed[k]) waiting.push_back(k);
  }
  if (waiting.empty()) return;
  const ComponentContacts surfaces(c.mesh, c.components);
  const std::vector<std::vector<ComponentContact>> contacts = surfaces.of_each(waiting);
  std::vector<std::vector<Gap>> waiting_for(c.components.count());
  for (std::size_t w = 0; w < waiting.size(); ++w)
    for (const ComponentContact& contact : contacts[w])
      waiting_for[contact.component].emplace_back(contact.gap, w);
  std::priority_queue<Gap, std::vector<Gap>, std::greater<>> next;
  for (std::size_t k = 0; k < c.components.count(); ++k)
    if (placed[k])
      for (const Gap& gap : waiting_for[k]) next.push(gap);
  while (!next.empty()) {
    const double reach = next.top().first + options.contact;
    // Components of a batch copy only from components placed before the batch.
    const std::vector<std::size_t> batch = next_batch(waiting, placed, next);
    parallel_for(batch.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        copy_joints(waiting[batch[i]], surfaces, contacts[batch[i]], reach, placed,
                    options.shared_contact, result);
    });
    for (const std::size_t w : batch) {
      placed[waiting[w]] = true;
      for (const Gap& other : waiting_for[waiting[w]]) next.push(other);
    }
  }
  for (const std::uint32_t k : waiting)
    if (!placed[k]) result.admits[k].assign(c.bones.size(), true);
}

}  // namespace

ComponentJoints component_joints(const Character& character, const LatticeBones& bones,
                                 const ComponentJointOptions& options) {
  const std::vector<std::uint32_t>& vertices = character.components.vertices;
  const std::size_t count = vertices.size();
  ComponentJoints result{std::vector<ComponentKind>(count, ComponentKind::open),
                         std::vector<std::uint32_t>(count, 0),
                         {count, std::vector<bool>(bones.size(), count <= 1)}};
  if (count <= 1) return result;
  const BonesInside inside = bones_inside(character, bones);
  for (std::size_t k = 0; k < count; ++k) assign_by_bones(inside, k, options, result);
  const std::uint32_t most = *std::ranges::max_element(vertices);
  for (std::size_t k = 0; k < count; ++k)
    if (vertices[k] == most && result.kind[k] == ComponentKind::attached)
      result.kind[k] = ComponentKind::open;
  admit_by_bones(inside, options, result);
  attach(character, options, result);
  return result;
}

}  // namespace gvbind
