#include "gvbind/weights/character_weights.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/prepare/point_search.h"
#include "gvbind/weights/falloff.h"
#include "gvbind/weights/joint_regions.h"

namespace gvbind {

namespace {

const EuclideanCorrection* correction_of(const WeightRules& rules) {
  return rules.correction ? &*rules.correction : nullptr;
}

/// `vertex_of`: by point, the vertex that defines its component; empty: its own index.
SkinWeights admitted_weights(const CharacterDistances& distances, const WeightRules& rules,
                             const Falloff& falloff, std::span<const Eigen::Vector3i> points,
                             std::span<const std::uint32_t> vertex_of = {}) {
  if (!rules.components)
    return weights_at(distances.voxels, distances.field, points, falloff, correction_of(rules), {},
                      rules.bans);
  const std::vector<std::uint32_t>& components = distances.character.components.component;
  const auto admits = [&](std::size_t point, std::uint32_t joint) {
    const std::uint32_t component = components[vertex_of.empty() ? point : vertex_of[point]];
    return component == no_component || rules.components->admits[component][joint];
  };
  return weights_at(distances.voxels, distances.field, points, falloff, correction_of(rules),
                    admits, rules.bans);
}

/// Adds straight distances to seed regions, and admits their joints everywhere.
void add_volumes(const CharacterDistances& distances, std::span<const SeedRegion> volumes,
                 WeightRules& rules) {
  if (volumes.empty()) return;
  if (rules.correction) {
    rules.correction->cube = distances.character.cube;
    rules.correction->volumes.resize(distances.bones.size());
    for (const SeedRegion& volume : volumes)
      rules.correction->volumes[volume.joint].push_back(volume.where);
  }
  if (rules.components)
    for (const SeedRegion& volume : volumes)
      for (std::vector<bool>& admits : rules.components->admits) admits[volume.joint] = true;
}

}  // namespace

std::vector<std::uint32_t> nearest_vertices(std::span<const Eigen::Vector3i> vertices,
                                            std::span<const Eigen::Vector3i> points) {
  std::vector<std::uint32_t> all(vertices.size());
  std::iota(all.begin(), all.end(), 0u);
  const PointSearch search(vertices, all);
  std::vector<std::uint32_t> nearest(points.size());
  parallel_for(points.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) nearest[p] = search.nearest(points[p]);
  });
  return nearest;
}

WeightRules weight_rules(const CharacterDistances& distances, const BindOptions& options) {
  WeightRules rules;
  if (options.distance == DistanceRule::straight)
    rules.correction = euclidean_correction(distances.bones, distances.voxels);
  if (options.components == ComponentRule::automatic)
    rules.components = component_joints(distances.character, distances.bones);
  add_volumes(distances, options.rules.volumes, rules);
  rules.bans = owner_ban(options.rules.forbidden, distances.bones.size());
  return rules;
}

OwnerBan owner_ban(std::span<const ForbiddenJoints> forbidden, std::size_t joints) {
  if (forbidden.empty()) return {};
  struct Groups {
    std::vector<bool> first, second;
  };
  std::vector<Groups> groups;
  for (const ForbiddenJoints& pair : forbidden) {
    Groups& own = groups.emplace_back(Groups{std::vector<bool>(joints), std::vector<bool>(joints)});
    for (const std::uint32_t joint : pair.first) own.first[joint] = true;
    for (const std::uint32_t joint : pair.second) own.second[joint] = true;
  }
  return [groups = std::move(groups)](std::uint32_t owner, std::uint32_t joint) {
    return owner != joint && std::ranges::any_of(groups, [&](const Groups& pair) {
             return (pair.first[owner] && pair.second[joint]) ||
                    (pair.second[owner] && pair.first[joint]);
           });
  };
}

SkinWeights without_banned(const SkinWeights& weights, const OwnerBan& bans) {
  SkinWeights made;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const WeightRow row = weights.row(v);
    Influence owner{0, 0.0f};
    for (const Influence influence : row)
      if (influence.weight > owner.weight) owner = influence;
    float sum = 0.0f;
    for (const auto [joint, weight] : row) sum += bans(owner.joint, joint) ? 0.0f : weight;
    for (const auto [joint, weight] : row) {
      if (bans(owner.joint, joint)) continue;
      made.joint.push_back(joint);
      made.weight.push_back(weight / sum);
    }
    made.first.push_back(static_cast<std::uint32_t>(made.joint.size()));
  }
  return made;
}

CharacterWeights character_weights(const CharacterDistances& distances, const WeightRules& rules,
                                   const Falloff& falloff) {
  CharacterWeights made;
  made.rows = admitted_weights(distances, rules, falloff, distances.reading_points());
  if (rules.components) {
    const Components& components = distances.character.components;
    made.owner = component_owners(components, *rules.components, made.rows);
    made.rigid = bind_rigid_components(components, made.owner, made.rows);
  }
  const std::vector<Eigen::Vector3i>& positions = distances.character.mesh.positions;
  made.unreached = fill_empty_rows(positions, made.rows);
  bind_regions(distances, rules, falloff, {positions, distances.reading_points()}, nullptr,
               made.rows);
  return made;
}

SkinWeights with_rows_of_vertices(const Components& components, const CharacterWeights& of_vertices,
                                  std::span<const std::uint32_t> nearest, const SkinWeights& free) {
  SkinWeights weights;
  for (std::size_t p = 0; p < nearest.size(); ++p) {
    const std::uint32_t component = components.component[nearest[p]];
    const bool is_rigid = !of_vertices.owner.empty() && component != no_component &&
                          of_vertices.owner[component] != no_owner;
    if (is_rigid || free.row(p).empty())
      weights.append_row(of_vertices.rows, nearest[p]);
    else
      weights.append_row(free, p);
  }
  return weights;
}

SkinWeights weights_of_points(const CharacterDistances& distances, const WeightRules& rules,
                              const Falloff& falloff, std::span<const Eigen::Vector3i> points) {
  const std::vector<Eigen::Vector3i>& vertices = distances.character.mesh.positions;
  const std::vector<std::uint32_t> nearest = nearest_vertices(vertices, points);
  const CharacterWeights of_vertices = character_weights(distances, rules, falloff);
  const std::span<const Eigen::Vector3i> reading = distances.reading_points();
  std::vector<Eigen::Vector3i> read(points.begin(), points.end());
  for (std::size_t p = 0; p < read.size(); ++p)
    read[p] += reading[nearest[p]] - vertices[nearest[p]];
  const SkinWeights free = admitted_weights(distances, rules, falloff, read, nearest);
  SkinWeights rows =
      with_rows_of_vertices(distances.character.components, of_vertices, nearest, free);
  bind_regions(distances, rules, falloff, {points, read}, nullptr, rows);
  return rows;
}

}  // namespace gvbind
