#include "fit/character_samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "bind/bind_scene.h"
#include "gvbind/base/utf8.h"
#include "gvbind/bind_stages.h"
#include "gvbind/fitted/pair_features.h"
#include "gvbind/fitted/pair_network.h"

namespace gvbind::fit {

namespace {

constexpr double min_sum = 0.1;           // minimum sum of valid weights, which readers divide by
constexpr double min_sound = 0.5;         // minimum fraction of the vertices of skinned meshes
constexpr std::size_t min_vertices = 20;  // minimum per solid, if it has that many

/// A vertex whose own weights are valid.
struct Target {
  std::size_t mesh, vertex;
};

double sum_of(const WeightRow& row) {
  double sum = 0.0;
  for (const auto [joint, weight] : row) sum += weight;
  return sum;
}

bool is_sound(const SceneMesh& mesh, std::size_t vertex) {
  return sum_of(mesh.weights.row(vertex)) >= min_sum &&
         !std::ranges::binary_search(mesh.damaged_vertices, vertex);
}

std::vector<Target> targets_of(const Scene& scene, const std::vector<std::size_t>& members) {
  std::vector<Target> targets;
  for (const std::size_t m : members)
    for (std::size_t v = 0; v < scene.meshes[m].weights.vertex_count(); ++v)
      if (is_sound(scene.meshes[m], v)) targets.push_back({m, v});
  return targets;
}

/// The joints and meshes of one solid of a character.
struct Solid {
  MeshGroup volume;
  std::vector<std::size_t> members;  ///< its meshes
  ReducedSkeleton skeleton;
};

/// The distances of a solid, and the other inputs of features.
struct SolidFields {
  CharacterDistances distances;
  WeightRules rules;
  CharacterWeights falloff;
  PairContext context;
};

BindOptions bind_options_of(const SampleOptions& options) {
  BindOptions bind;
  bind.resolution = options.resolution;
  bind.device = Device::cpu;
  return bind;
}

SolidFields fields_of(const Solid& solid, const BindOptions& options, NameRule names) {
  const std::vector<Joint>& joints = solid.skeleton.joints;
  BindResult result;
  const Monitor monitor;
  StageClock clock(result.statistics.stages, monitor, bind_stages);
  Character character = prepare_character({solid.volume.positions, solid.volume.triangles}, joints,
                                          character_options(options));
  SolidFields fields;
  fields.distances = character_distances(std::move(character), joints, options, clock, result);
  fields.rules = weight_rules(fields.distances, options);
  fields.falloff =
      character_weights(fields.distances, fields.rules, {options.alpha, options.max_influences});
  const std::vector<std::uint32_t> starts(solid.volume.start.begin() + 1,
                                          solid.volume.start.end() - 1);
  fields.context = pair_context(fields.distances, joints, {.names = names, .mesh_starts = starts});
  return fields;
}

std::vector<float> own_weights(const SceneMesh& mesh, std::size_t vertex,
                               const ReducedSkeleton& skeleton) {
  std::vector<float> own(skeleton.joints.size(), 0.0f);
  const WeightRow row = mesh.weights.row(vertex);
  const auto sum = static_cast<float>(sum_of(row));
  for (const auto [joint, weight] : row) own[skeleton.kept_as[joint]] += weight / sum;
  return own;
}

/// `own`: one weight per joint; like `row` it sums to one.
double l1_between(const std::vector<float>& own, const WeightRow& row) {
  double distance = 1.0;
  for (const auto [joint, weight] : row)
    distance += std::abs(double{own[joint]} - weight) - own[joint];
  return distance;
}

void add_vertex(const PointPairs& pairs, const std::vector<float>& own, SampleSet& set) {
  float elsewhere = 1.0f;
  for (std::size_t p = 0; p < pairs.count; ++p) {
    set.own.push_back(own[pairs.joint[p]]);
    set.joint.push_back(pairs.joint[p]);
    elsewhere -= set.own.back();
  }
  const float* const features = &pairs.feature[0][0];
  set.features.insert(set.features.end(), features, features + pairs.count * pair_feature_count);
  set.elsewhere.push_back(std::max(elsewhere, 0.0f));
  set.first.push_back(static_cast<std::uint32_t>(set.own.size()));
}

/// Adds the targets; accumulates their error in `l1`.
void add_samples(const Scene& scene, const Solid& solid, const std::vector<Target>& targets,
                 const BindOptions& options, NameRule names, SampleSet& set, double& l1) {
  const SolidFields fields = fields_of(solid, options, names);
  PointPairs pairs;
  for (const Target& target : targets) {
    const auto member = std::ranges::find(solid.members, target.mesh) - solid.members.begin();
    const auto vertex = static_cast<std::uint32_t>(solid.volume.start[member] + target.vertex);
    const std::vector<float> own =
        own_weights(scene.meshes[target.mesh], target.vertex, solid.skeleton);
    pairs_at(fields.distances, fields.rules, fields.falloff, fields.context,
             vertex_site(fields.distances, fields.falloff, fields.context, vertex), pairs);
    add_vertex(pairs, own, set);
    l1 += l1_between(own, fields.falloff.rows.row(vertex));
  }
}

/// Each joint with probability `share`.
std::vector<bool> joints_to_drop(std::size_t count, double share, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<bool> drop(count);
  for (std::size_t j = 0; j < count; ++j) drop[j] = uniform(random) < share;
  return drop;
}

SampleSet sample_scene(const Scene& scene, const SampleOptions& options, double share,
                       NameRule names, std::mt19937& random) {
  const auto volumes = group_meshes(scene, Volume::automatic);
  std::size_t all = 0;
  for (const auto& members : volumes) all += targets_of(scene, members).size();
  SampleSet set;
  double l1 = 0.0;
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    std::vector<Target> targets = targets_of(scene, volumes[i]);
    if (targets.empty()) continue;
    std::ranges::shuffle(targets, random);
    const std::size_t wanted =
        std::max<std::size_t>(min_vertices, options.vertices * targets.size() / all);
    targets.resize(std::min(targets.size(), wanted));
    const std::vector<Joint> joints = joints_of_volume(scene, Volume::automatic, i, volumes[i]);
    const Solid solid = {join_meshes(scene, volumes[i]), volumes[i],
                         reduce_skeleton(joints, joints_to_drop(joints.size(), share, random))};
    add_samples(scene, solid, targets, bind_options_of(options), names, set, l1);
  }
  set.falloff_l1 = l1 / static_cast<double>(std::max<std::size_t>(set.vertex_count(), 1));
  return set;
}

}  // namespace

std::string why_unfit(const Scene& scene) {
  std::size_t vertices = 0, sound = 0;
  for (const SceneMesh& mesh : scene.meshes) {
    vertices += mesh.weights.vertex_count();
    for (std::size_t v = 0; v < mesh.weights.vertex_count(); ++v) sound += is_sound(mesh, v);
  }
  if (vertices == 0) return "has no skin";
  const double share = static_cast<double>(sound) / static_cast<double>(vertices);
  if (share >= min_sound && sound >= min_vertices) return "";
  return "only " + counted(sound, "vertex", "vertices") + " (" + fixed(100.0 * share, 0) +
         " %) have sound weights";
}

ReducedSkeleton reduce_skeleton(std::span<const Joint> joints, const std::vector<bool>& drop) {
  ReducedSkeleton reduced;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    Joint joint = joints[j];
    if (joint.parent >= 0) {
      const std::uint32_t parent = reduced.kept_as[joint.parent];
      if (drop[j]) {
        reduced.kept_as.push_back(parent);
        continue;
      }
      joint.parent = static_cast<int>(parent);
    }
    reduced.kept_as.push_back(static_cast<std::uint32_t>(reduced.joints.size()));
    reduced.joints.push_back(std::move(joint));
  }
  return reduced;
}

SampleSet whole_samples_of(const Scene& scene, const SampleOptions& options) {
  std::mt19937 random(options.seed);
  return sample_scene(scene, options, 0.0, NameRule::use, random);
}

CharacterSamples samples_of(const Scene& scene, const SampleOptions& options) {
  std::mt19937 random(options.seed);
  CharacterSamples samples;
  samples.whole = sample_scene(scene, options, 0.0, NameRule::use, random);
  const double share =
      std::uniform_real_distribution<double>(options.min_drop, options.max_drop)(random);
  // Half of the characters without names, so that the network works without them too.
  const NameRule names = random() % 2 == 0 ? NameRule::use : NameRule::ignore;
  samples.reduced = sample_scene(scene, options, share, names, random);
  return samples;
}

}  // namespace gvbind::fit
