#include "gvbind/rigid_parts.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace gvbind {

namespace {

constexpr std::uint32_t nobody = 0xffffffffu;

/// The joint of each part that goes with one.
std::vector<std::uint32_t> owners(const MeshParts& parts, const PartJoints& joints,
                                  const VertexWeights& weights) {
  std::vector<std::map<std::uint32_t, double>> votes(parts.count());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const std::uint32_t p = parts.part[v];
    if (p == no_part || joints.kind[p] != PartKind::attached) continue;
    for (std::uint32_t k = weights.first[v]; k < weights.first[v + 1]; ++k)
      votes[p][weights.influence[k]] += static_cast<double>(weights.weight[k]);
  }
  std::vector<std::uint32_t> owner(parts.count(), nobody);
  for (std::size_t p = 0; p < parts.count(); ++p) {
    if (joints.kind[p] == PartKind::rigid) owner[p] = joints.joint[p];
    double most = 0.0, sum = 0.0;
    std::uint32_t best = nobody;
    for (const auto& [influence, vote] : votes[p]) {
      sum += vote;
      if (vote > most) {
        most = vote;
        best = influence;
      }
    }
    if (most > 0.0 && most >= least_rigid_share * sum) owner[p] = best;
  }
  return owner;
}

}  // namespace

RigidCount bind_rigid_parts(const MeshParts& parts, const PartJoints& joints,
                            VertexWeights& weights) {
  const std::vector<std::uint32_t> owner = owners(parts, joints, weights);
  RigidCount count;
  for (const std::uint32_t joint : owner) count.parts += joint != nobody;
  if (count.parts == 0) return count;
  VertexWeights bound;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const std::uint32_t p = parts.part[v], from = weights.first[v], to = weights.first[v + 1];
    if (from < to && p != no_part && owner[p] != nobody) {
      bound.influence.push_back(owner[p]);
      bound.weight.push_back(1.0f);
      ++count.vertices;
    } else {
      bound.influence.insert(bound.influence.end(), weights.influence.begin() + from,
                             weights.influence.begin() + to);
      bound.weight.insert(bound.weight.end(), weights.weight.begin() + from,
                          weights.weight.begin() + to);
    }
    bound.first.push_back(static_cast<std::uint32_t>(bound.influence.size()));
  }
  weights = std::move(bound);
  return count;
}

}  // namespace gvbind
