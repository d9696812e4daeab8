#include "gvbind/weights/component_joints.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/prepare/winding_number.h"
#include "gvbind/weights/component_contacts.h"

namespace gvbind {

namespace {

constexpr int samples_per_bone = 17;
/// A joint's own place counts as a bone this long, cube sides, so that points count at all.
constexpr double point_length = 1e-4;
/// Winding number inside; in a sheet it is just a half, whatever rounding makes of it.
constexpr double min_inside = 0.501;
/// Gaps that differ by less are the same, cube sides.
constexpr double same_gap = 2.0 / lattice_size;

struct Sample {
  Eigen::Vector3d at;
  std::uint32_t influence;
  double length;  ///< cube sides
};

std::vector<Sample> bone_samples(const UnitScene& scene) {
  std::vector<Sample> samples;
  for (std::uint32_t i = 0; i < scene.influences.size(); ++i)
    for (const LatticeSegment& s : scene.influences[i]) {
      const Eigen::Vector3d a = s.a.cast<double>(), along = (s.b - s.a).cast<double>();
      samples.push_back({a, i, point_length});
      for (int k = 0; k < samples_per_bone && !along.isZero(); ++k)
        samples.push_back({a + along * ((k + 0.5) / samples_per_bone), i,
                           along.norm() / lattice_size / samples_per_bone});
    }
  return samples;
}

struct Box {
  Eigen::Array3d low, high;
  bool contains(const Eigen::Vector3d& p) const {
    return (p.array() >= low).all() && (p.array() <= high).all();
  }
  double diagonal() const { return (high - low).matrix().norm() / lattice_size; }
};

/// The part as a mesh of its own.
UnitScene component_scene(const UnitScene& scene, std::span<const std::uint32_t> triangles) {
  UnitScene component;
  for (const std::uint32_t t : triangles) {
    const auto first = static_cast<std::uint32_t>(component.positions.size());
    for (const std::uint32_t v : scene.triangles[t])
      component.positions.push_back(scene.positions[v]);
    component.triangles.push_back({first, first + 1, first + 2});
  }
  return component;
}

Box box_of(const UnitScene& component) {
  Eigen::Vector3i low = component.positions.front(), high = low;
  for (const Eigen::Vector3i& p : component.positions) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return {low.cast<double>().array(), high.cast<double>().array()};
}

/// Whether all triangles lie in one plane with the middle of the box: there is no inside.
bool is_flat(const UnitScene& component, const Box& box) {
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
  return height <= area;  // a lattice step in the mean
}

class Assigner {
 public:
  Assigner(const UnitScene& scene, const Components& components,
           const ComponentJointOptions& options)
      : scene_(scene),
        components_(components),
        options_(options),
        influences_(scene.influences.size()) {
    result_.kind.assign(components.count(), ComponentKind::open);
    result_.joint.assign(components.count(), 0);
    result_.admits.assign(components.count(), std::vector<bool>(influences_, false));
  }

  ComponentJoints run() {
    measure();
    for (std::size_t p = 0; p < components_.count(); ++p) sort_by_bones(p);
    const std::uint32_t most = *std::ranges::max_element(components_.vertices);
    for (std::size_t p = 0; p < components_.count(); ++p)
      if (components_.vertices[p] == most && result_.kind[p] == ComponentKind::attached)
        result_.kind[p] = ComponentKind::open;
    admit_by_bones();
    attach();
    return std::move(result_);
  }

 private:
  /// The length of every influence's bones in every part.
  void measure() {
    const std::vector<Sample> samples = bone_samples(scene_);
    total_.assign(influences_, 0.0);
    for (const Sample& s : samples) total_[s.influence] += s.length;
    length_.assign(components_.count(), std::vector<double>(influences_, 0.0));
    diagonal_.assign(components_.count(), 0.0);
    parallel_for(components_.count(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p) {
        const UnitScene component = component_scene(scene_, components_.triangles[p]);
        const Box box = box_of(component);
        diagonal_[p] = box.diagonal();
        if (std::none_of(samples.begin(), samples.end(),
                         [&](const Sample& s) { return box.contains(s.at); }) ||
            is_flat(component, box))
          continue;
        const WindingTree tree(component);
        for (const Sample& s : samples)
          if (box.contains(s.at) && std::abs(tree(s.at)) > min_inside)
            length_[p][s.influence] += s.length;
      }
    });
  }

  void sort_by_bones(std::size_t p) {
    const std::vector<double>& length = length_[p];
    const double sum = std::accumulate(length.begin(), length.end(), 0.0);
    if (!(sum > options_.min_bone_length * diagonal_[p])) {
      result_.kind[p] = ComponentKind::attached;
      return;
    }
    const auto most = std::max_element(length.begin(), length.end());
    if (*most < options_.dominant_fraction * sum) return;
    result_.kind[p] = ComponentKind::rigid;
    result_.joint[p] = static_cast<std::uint32_t>(most - length.begin());
  }

  void admit_by_bones() {
    for (std::size_t i = 0; i < influences_; ++i) {
      double most = 0.0, contained = 0.0;
      for (const std::vector<double>& length : length_) {
        most = std::max(most, length[i]);
        contained += length[i];
      }
      const bool anywhere = !(contained >= options_.min_contained * total_[i]) || most == 0.0;
      for (std::size_t p = 0; p < components_.count(); ++p)
        if (result_.kind[p] != ComponentKind::attached)
          result_.admits[p][i] =
              anywhere || (length_[p][i] > 0.0 && length_[p][i] >= options_.shared_fraction * most);
    }
  }

  /// Attached parts get the joints of what they touch, those with the smallest gaps first.
  void attach() {
    std::vector<std::uint32_t> waiting;
    std::vector<bool> placed(components_.count());
    for (std::uint32_t p = 0; p < components_.count(); ++p) {
      placed[p] = result_.kind[p] != ComponentKind::attached;
      if (!placed[p]) waiting.push_back(p);
    }
    if (waiting.empty()) return;
    const ComponentContacts surfaces(scene_, components_);
    const std::vector<std::vector<ComponentContact>> contacts = surfaces.of_each(waiting);
    // By part, who waits for it and with which gap.
    using Gap = std::pair<double, std::size_t>;
    std::vector<std::vector<Gap>> waiting_for(components_.count());
    for (std::size_t w = 0; w < waiting.size(); ++w)
      for (const ComponentContact& contact : contacts[w])
        waiting_for[contact.component].emplace_back(contact.gap, w);
    std::priority_queue<Gap, std::vector<Gap>, std::greater<>> next;
    for (std::size_t p = 0; p < components_.count(); ++p)
      if (placed[p])
        for (const Gap& gap : waiting_for[p]) next.push(gap);
    while (!next.empty()) {
      // Those with the same gap hang from what was placed before all of them.
      const double gap = next.top().first;
      std::vector<std::size_t> batch;
      for (; !next.empty() && next.top().first <= gap + same_gap; next.pop())
        if (!placed[waiting[next.top().second]]) batch.push_back(next.top().second);
      std::ranges::sort(batch);
      batch.erase(std::unique(batch.begin(), batch.end()), batch.end());
      parallel_for(batch.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          take_joints(waiting[batch[i]], surfaces, contacts[batch[i]], gap, placed);
      });
      for (const std::size_t w : batch) {
        placed[waiting[w]] = true;
        for (const Gap& other : waiting_for[waiting[w]]) next.push(other);
      }
    }
    for (const std::uint32_t p : waiting)
      if (!placed[p]) result_.admits[p].assign(influences_, true);
  }

  /// From those parts that touch it along as much of its surface as any, nearly.
  void take_joints(std::uint32_t component, const ComponentContacts& surfaces,
                   const std::vector<ComponentContact>& contacts, double gap,
                   const std::vector<bool>& placed) {
    const double reach = gap + options_.contact;
    std::vector<std::pair<std::uint32_t, std::size_t>> touching;
    for (const ComponentContact& contact : contacts)
      if (placed[contact.component])
        touching.emplace_back(contact.component,
                              surfaces.within(component, contact.component, reach));
    std::size_t most = 0;
    for (const auto& [other, points] : touching) most = std::max(most, points);
    for (const auto& [other, points] : touching) {
      if (static_cast<double>(points) < options_.shared_contact * static_cast<double>(most))
        continue;
      for (std::size_t i = 0; i < influences_; ++i)
        if (result_.admits[other][i]) result_.admits[component][i] = true;
    }
  }

  const UnitScene& scene_;
  const Components& components_;
  const ComponentJointOptions& options_;
  std::size_t influences_;
  std::vector<std::vector<double>> length_;
  std::vector<double> diagonal_, total_;
  ComponentJoints result_;
};

}  // namespace

ComponentJoints component_joints(const UnitScene& scene, const Components& components,
                                 const ComponentJointOptions& options) {
  if (components.count() > 1) return Assigner(scene, components, options).run();
  return {std::vector<ComponentKind>(components.count(), ComponentKind::open),
          std::vector<std::uint32_t>(components.count(), 0),
          {components.count(), std::vector<bool>(scene.influences.size(), true)}};
}

}  // namespace gvbind
