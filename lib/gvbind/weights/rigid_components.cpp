#include "gvbind/weights/rigid_components.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace gvbind {

std::vector<std::uint32_t> component_owners(const Components& components,
                                            const ComponentJoints& joints,
                                            const SkinWeights& weights) {
  std::vector<std::map<std::uint32_t, double>> votes(components.count());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const std::uint32_t p = components.component[v];
    if (p == no_component || joints.kind[p] != ComponentKind::attached) continue;
    for (const auto& [joint, weight] : weights.row(v)) votes[p][joint] += double{weight};
  }
  std::vector<std::uint32_t> owner(components.count(), no_owner);
  for (std::size_t p = 0; p < components.count(); ++p) {
    if (joints.kind[p] == ComponentKind::rigid) owner[p] = joints.joint[p];
    double most = 0.0, sum = 0.0;
    std::uint32_t best = no_owner;
    for (const auto& [joint, vote] : votes[p]) {
      sum += vote;
      if (vote > most) {
        most = vote;
        best = joint;
      }
    }
    if (most > 0.0 && most >= min_rigid_fraction * sum) owner[p] = best;
  }
  return owner;
}

void release_components(const Components& components, const SkinWeights& weights,
                        std::vector<std::uint32_t>& owners) {
  if (std::ranges::all_of(owners, [](std::uint32_t joint) { return joint == no_owner; })) return;
  std::uint32_t last_joint = 0;
  for (const std::uint32_t joint : weights.joint) last_joint = std::max(last_joint, joint);
  std::vector<double> total(last_joint + 1, 0.0), kept = total, size(owners.size(), 0.0);
  std::vector<std::map<std::uint32_t, double>> shares(owners.size());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const std::uint32_t k = components.component[v];
    const bool is_owned = k != no_component && owners[k] != no_owner;
    if (is_owned && !weights.row(v).empty()) {
      ++size[k];
      if (owners[k] <= last_joint) ++kept[owners[k]];
    }
    for (const auto& [joint, weight] : weights.row(v)) {
      total[joint] += double{weight};
      (is_owned ? shares[k][joint] : kept[joint]) += double{weight};
    }
  }
  for (std::size_t k = 0; k < owners.size(); ++k)
    if (std::ranges::any_of(shares[k], [&](const auto& of_joint) {
          const auto& [joint, share] = of_joint;
          return joint != owners[k] && share >= min_released_fraction * size[k] &&
                 kept[joint] < min_kept_fraction * total[joint];
        }))
      owners[k] = no_owner;
}

RigidCount bind_rigid_components(const Components& components, std::span<const std::uint32_t> owner,
                                 SkinWeights& weights) {
  RigidCount count;
  for (const std::uint32_t joint : owner) count.components += joint != no_owner;
  if (count.components == 0) return count;
  SkinWeights bound;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const std::uint32_t k = components.component[v];
    if (weights.row(v).empty() || k == no_component || owner[k] == no_owner) {
      bound.append_row(weights, v);
      continue;
    }
    bound.joint.push_back(owner[k]);
    bound.weight.push_back(1.0f);
    bound.first.push_back(static_cast<std::uint32_t>(bound.joint.size()));
    ++count.vertices;
  }
  weights = std::move(bound);
  return count;
}

}  // namespace gvbind
