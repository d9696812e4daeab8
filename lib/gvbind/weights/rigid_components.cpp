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
  std::vector<std::map<std::uint32_t, double>> shares(owners.size());
  std::vector<double> size(owners.size(), 0.0);
  std::map<std::uint32_t, double> total, kept;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const std::uint32_t k = components.component[v];
    if (k == no_component || owners[k] == no_owner || weights.row(v).empty()) continue;
    ++size[k];
    for (const auto& [joint, weight] : weights.row(v)) shares[k][joint] += double{weight};
  }
  for (std::size_t k = 0; k < owners.size(); ++k) {
    if (owners[k] != no_owner) kept[owners[k]] += size[k];
    for (const auto& [joint, share] : shares[k]) total[joint] += share;
  }
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const std::uint32_t k = components.component[v];
    if (k != no_component && owners[k] != no_owner) continue;
    for (const auto& [joint, weight] : weights.row(v))
      if (const auto at = total.find(joint); at != total.end()) {
        at->second += double{weight};
        kept[joint] += double{weight};
      }
  }
  std::vector<std::uint32_t> released = owners;
  for (std::size_t k = 0; k < owners.size(); ++k)
    for (const auto& [joint, share] : shares[k])
      if (joint != owners[k] && share >= min_released * size[k] &&
          kept[joint] < min_kept * total[joint])
        released[k] = no_owner;
  owners = std::move(released);
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
