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
