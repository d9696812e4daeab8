#include "gvbind/fitted/pair_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/base/portable_log.h"
#include "gvbind/base/segment.h"
#include "gvbind/fitted/vertex_normals.h"
#include "gvbind/weights/falloff.h"

namespace gvbind {

namespace {

/// Added to distances before taking logarithms, cube sides; differences below it do not matter.
constexpr double least_distance = 0.003;
/// Number of fine distances used: the minimum that a bind stores per voxel.
constexpr std::size_t fine_distances = 4;
/// Joints at more than e^1.6 = 5 times the distance of the nearest, by path and straight, get no
/// weight.
constexpr double max_log_ratio = 1.6;
constexpr double far_ratio = 4.9531;  ///< a little more than e^max_log_ratio
constexpr double unreached = -1.0;
/// Solving for more would take longer than all other steps of a bind.
constexpr std::size_t max_heat_places = 1 << 14;
constexpr double heat_step = 1.0 / 4096.0;
/// Added to shares of heat before taking logarithms.
constexpr double least_heat = 1e-3;
/// Likewise to falloff weights.
constexpr double least_weight = 1e-4;

double log_near(double distance) { return portable_log(distance + least_distance); }

/// A candidate joint of a point. Distances in cube sides.
struct Pair {
  std::uint32_t joint = 0;
  double by_air = 0.0;           ///< along paths that may leave the solid
  double by_path = unreached;    ///< inside the solid, if any
  double corrected = unreached;  ///< by_path after correct_distances()
  double straight = 9.0;         ///< to the nearest of its bones
  double log_air = 0.0, log_straight = 0.0;
  double weight = 0.0;  ///< of the falloff
  double along = 0.0;   ///< parameter on that bone, 0 to 1
  /// Distance beyond either end of the bone, along its direction.
  double from_head = 0.0, from_tail = 0.0;
  double cosine = 0.0;  ///< between the normal and the direction away from the bone
};

/// The pairs of a point and their smallest distances.
struct Pairs {
  std::array<Pair, 64> pair;
  std::size_t count = 0;
  double min_path = 0.0, max_path = 0.0, min_corrected = 0.0, max_corrected = 0.0;
  /// By joint, the place of its pair plus one, or 0. All 0 between points.
  std::vector<std::uint8_t> place;

  void begin(std::size_t joints) {
    count = 0;
    min_path = max_path = min_corrected = max_corrected = 0.0;
    if (place.size() < joints) place.resize(joints, 0);
  }

  /// The pair of a joint, added if missing; null if there is no room.
  Pair* of(std::uint32_t joint) {
    if (place[joint] > 0) return &pair[place[joint] - 1u];
    if (count == pair.size()) return nullptr;
    pair[count] = {};
    pair[count].joint = joint;
    pair[count].by_air = unreached;
    place[joint] = static_cast<std::uint8_t>(++count);
    return &pair[count - 1];
  }

  /// Pairs may change places from here on.
  void end() {
    for (std::size_t i = 0; i < count; ++i) place[pair[i].joint] = 0;
  }
};

/// Distances in the coarse voxels whose centers are less than one voxel away along each axis, so
/// that mirrored points use mirrored voxels. Prefers voxels of the solid.
void add_candidates(const CandidateField& field, const Eigen::Vector3i& at, Pairs& pairs) {
  const SparseVoxels& voxels = field.voxels;
  const int side = lattice_size / voxels.resolution, half = side / 2;
  std::array<std::uint32_t, 8> found;
  std::size_t count = 0, solid = 0;
  Eigen::Vector3i first, last;
  for (int axis = 0; axis < 3; ++axis) {
    // Centers c with |c * side + half - at| < side.
    const int offset = at[axis] - half;
    first[axis] = std::max((offset + 8 * side) / side - 8, 0);
    const bool centered = offset == first[axis] * side;
    last[axis] = std::min(first[axis] + (centered || offset < 0 ? 0 : 1), voxels.resolution - 1);
  }
  for (int z = first.z(); z <= last.z(); ++z)
    for (int y = first.y(); y <= last.y(); ++y)
      for (int x = first.x(); x <= last.x(); ++x) {
        const std::uint32_t voxel = voxels.find(x, y, z);
        if (voxel == no_voxel) continue;
        solid += field.is_solid(voxel);
        found[count++] = voxel;
      }
  for (std::size_t i = 0; i < count; ++i) {
    if (solid > 0 && !field.is_solid(found[i])) continue;
    const double rest =
        (voxels.center(found[i]) - at).cast<double>().norm() / static_cast<double>(lattice_size);
    for (const Label label : field.field.of(found[i])) {
      if (label == no_label) break;
      const double distance = static_cast<double>(label_distance(label)) * label_unit + rest;
      Pair* const pair = pairs.of(label_joint(label));
      if (pair && (pair->by_air < 0.0 || distance < pair->by_air)) pair->by_air = distance;
    }
  }
}

/// Distances inside the solid as the bind reads them, and their falloff weights.
void add_fine(const CharacterDistances& distances, const WeightRules& rules, const PointSite& site,
              std::vector<JointDistance>& fine, Pairs& pairs) {
  joint_distances(distances.voxels, distances.field, site.reading, fine);
  if (fine.size() > fine_distances) fine.resize(fine_distances);
  if (!fine.empty()) {
    pairs.min_path = fine.front().distance;
    pairs.max_path = fine.back().distance;
  }
  for (const JointDistance& d : fine)
    if (Pair* const pair = pairs.of(d.joint)) pair->by_path = d.distance;
  if (rules.correction) correct_distances(*rules.correction, site.reading, fine);
  if (!fine.empty()) {
    pairs.min_corrected = fine.front().distance;
    pairs.max_corrected = fine.back().distance;
  }
  for (const JointDistance& d : fine)
    if (Pair* const pair = pairs.of(d.joint)) pair->corrected = d.distance;
  for (const Influence& joint : site.falloff)
    if (Pair* const pair = pairs.of(joint.joint)) pair->weight = double{joint.weight};
  double largest = 0.0;
  for (std::size_t i = 0; i < pairs.count; ++i) largest = std::max(largest, pairs.pair[i].by_air);
  for (std::size_t i = 0; i < pairs.count; ++i)
    if (pairs.pair[i].by_air < 0.0) pairs.pair[i].by_air = largest;
}

/// Position of the point relative to the nearest bone of the pair's joint.
void measure(const LatticeBones& bones, const PointSite& site, Pair& pair) {
  const Eigen::Vector3d point = site.at.cast<double>();
  for (const LatticeSegment& s : bones[pair.joint]) {
    const Eigen::Vector3d a = s.a.cast<double>(), along = (s.b - s.a).cast<double>();
    const double t = closest_parameter(a, along, point);
    const Eigen::Vector3d off = point - a - along * t;
    const double distance = off.norm() / lattice_size;
    if (distance > pair.straight) continue;
    const double length = along.norm();
    const double from_head = length > 0.0 ? (point - a).dot(along) / length / lattice_size : 0.0;
    const double from_tail = length > 0.0 ? from_head - length / lattice_size : 0.0;
    // Bones that share their start are equally near to all points behind it; their order must not
    // matter.
    if (distance == pair.straight &&
        std::pair(from_head, from_tail) <= std::pair(pair.from_head, pair.from_tail))
      continue;
    pair.straight = distance;
    pair.along = t;
    pair.from_head = from_head;
    pair.from_tail = from_tail;
    pair.cosine = distance > 0.0 ? off.dot(site.normal) / (distance * lattice_size) : 0.0;
  }
}

/// Keeps joints that can get weight, nearest first, and all that have falloff weight.
void keep_nearest(Pairs& pairs) {
  const auto begin = pairs.pair.begin();
  auto end = begin + static_cast<std::ptrdiff_t>(pairs.count);
  double air = 9.0, straight = 9.0;
  for (auto pair = begin; pair != end; ++pair) {
    air = std::min(air, pair->by_air);
    straight = std::min(straight, pair->straight);
  }
  // Most joints are too far by their distances; only for others logarithms are worth their time.
  const double far_air = far_ratio * (air + least_distance);
  const double far_straight = far_ratio * (straight + least_distance);
  end = std::partition(begin, end, [&](const Pair& pair) {
    return pair.weight > 0.0 || pair.by_air + least_distance < far_air ||
           pair.straight + least_distance < far_straight;
  });
  const double log_air = log_near(air), log_straight = log_near(straight);
  for (auto pair = begin; pair != end; ++pair) {
    pair->log_air = log_near(pair->by_air);
    pair->log_straight = log_near(pair->straight);
  }
  end = std::partition(begin, end, [&](const Pair& pair) {
    return pair.weight > 0.0 ||
           std::min(pair.log_air - log_air, pair.log_straight - log_straight) < max_log_ratio;
  });
  const auto nearer_pair = [](const Pair& a, const Pair& b) {
    return a.by_air != b.by_air ? a.by_air < b.by_air : a.joint < b.joint;
  };
  if (end - begin > static_cast<std::ptrdiff_t>(max_pairs)) {
    std::sort(begin, end, [&](const Pair& a, const Pair& b) {
      const bool owns = a.weight > 0.0;
      return owns != (b.weight > 0.0) ? owns : nearer_pair(a, b);
    });
    end = begin + static_cast<std::ptrdiff_t>(max_pairs);
  }
  std::sort(begin, end, nearer_pair);
  pairs.count = static_cast<std::size_t>(end - begin);
}

/// Features shared by all pairs of a point.
struct PointNumbers {
  double min_air, log_air, log_straight, min_straight;
  /// Logarithms of the smallest and largest fine distance.
  double log_min_path, log_max_path, log_min_corrected, log_max_corrected;
  const Pair* main;  ///< most falloff weight, else the nearest
};

/// Whether a is a better main pair than b. Bones with a common start are often equally near; then
/// features of the joints decide instead of the order in the file.
bool is_rather_main(const JointTable& joints, const Pair& a, const Pair& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  if (a.by_air != b.by_air) return a.by_air < b.by_air;
  return joints.traits[a.joint].number > joints.traits[b.joint].number;
}

/// Binding kind of the point's component with respect to a joint.
template <typename Put>
void put_component(const WeightRules& rules, const CharacterWeights& falloff,
                   const PairContext& context, std::uint32_t component, std::uint32_t joint,
                   const Put& put) {
  const bool known = component != no_component;
  const ComponentJoints* const c = known && rules.components ? &*rules.components : nullptr;
  const bool rigid = c && c->kind[component] == ComponentKind::rigid;
  put(!c || c->admits[component][joint]);
  put(rigid && c->joint[component] == joint);
  put(rigid);
  put(c && c->kind[component] == ComponentKind::attached);
  put(c && falloff.owner[component] != no_owner);
  put(context.components == 1);
  put(context.log_components);
}

/// Rounded, so that equal places of a mesh in another order have equal numbers.
template <typename Put>
void put_heat(std::span<const JointHeat> heat, std::uint32_t joint, const Put& put) {
  const auto found = std::ranges::find(heat, joint, &JointHeat::joint);
  const double share = found == heat.end() ? 0.0 : double{found->heat};
  const double rounded = std::nearbyint(share / heat_step) * heat_step;
  static const double of_none = portable_log(least_heat);
  put(rounded);
  put((rounded == 0.0 ? of_none : portable_log(rounded + least_heat)) / 7.0);
}

/// Relation of the pair to the main joint of the point.
template <typename Put>
void put_main(const JointTable& joints, const Pair& pair, const Pair& main, const Put& put) {
  const JointTraits& own = joints.traits[pair.joint];
  const JointTraits& of_main = joints.traits[main.joint];
  put(joints.steps(pair.joint, main.joint) / 4.0);
  put(joints.is_above(pair.joint, main.joint));
  put(joints.is_above(main.joint, pair.joint));
  put(pair.joint == main.joint);
  put(main.along);
  put(main.from_head / of_main.thickness);
  put(main.from_tail / of_main.thickness);
  put(main.straight / of_main.thickness);
  put(of_main.is_leaf);
  put(of_main.log_length - of_main.log_thickness);
  // Distance beyond the common joint, along the child's bone.
  double beyond = 0.0;
  if (joints.parent[main.joint] == static_cast<int>(pair.joint)) beyond = main.from_head;
  if (joints.parent[pair.joint] == static_cast<int>(main.joint)) beyond = pair.from_head;
  put(beyond / of_main.thickness);
  put(of_main.log_territory);
  put(own.log_thickness - of_main.log_thickness);
  put(main.weight);
}

template <typename Put>
void put_distances(const JointTable& joints, const Pair& pair, const PointNumbers& point,
                   const PointSite& site, const Put& put) {
  const JointTraits& own = joints.traits[pair.joint];
  const double thickness = own.thickness;
  static const double of_no_weight = portable_log(least_weight);
  const auto fine = [](double x, double log_least, double log_most) {
    return x >= 0.0 ? log_near(x) - log_least : log_most - log_least + 0.3;
  };
  put(pair.log_air - point.log_air);
  put(fine(pair.by_path, point.log_min_path, point.log_max_path));
  put(pair.by_path >= 0.0);
  put(pair.log_straight - point.log_straight);
  put(fine(pair.corrected, point.log_min_corrected, point.log_max_corrected));
  put((pair.by_air - point.min_air) * 10.0);
  put((pair.by_air - point.min_air) / thickness);
  put((pair.straight - point.min_straight) / joints.traits[point.main->joint].thickness);
  put(pair.log_air - pair.log_straight);
  put(pair.weight);
  put((pair.weight == 0.0 ? of_no_weight : portable_log(pair.weight + least_weight)) / 9.0);
  put(pair.along);
  put(std::max(0.0, pair.from_tail) / thickness);
  put(std::max(0.0, -pair.from_head) / thickness);
  put(pair.from_head / thickness);
  put(pair.from_tail / thickness);
  put(pair.log_air - own.log_thickness);
  put(point.log_air);
  put(point.log_straight);
  const Eigen::Vector3d to_joint = site.at.cast<double>() - joints.position[pair.joint];
  put(log_near(to_joint.norm() / lattice_size) - own.log_thickness);
  put(pair.cosine);
}

}  // namespace

PairContext pair_context(const CharacterDistances& distances, std::span<const Joint> joints,
                         const PairContextOptions& options) {
  const Character& c = distances.character;
  PairContext made;
  // Beside each other: heat is solved on one thread for the most part.
  parallel_each(2, [&](std::size_t task) {
    if (task == 0) {
      made.heat = surface_heat(distances, joints, options.mesh_starts, max_heat_places);
      return;
    }
    made.field = candidate_field(distances, joints, {.outside = options.outside});
    made.joints = joint_table(distances, made.field, joints, options.names);
    made.normal = vertex_normals(c.mesh, c.welded);
  });
  made.components = c.components.count();
  made.log_components = portable_log(static_cast<double>(made.components) + 1e-9) / 4.0;
  return made;
}

FeatureGroups feature_groups() {
  // Smallest distances of the point, place on the bone of its main joint, its component.
  constexpr std::array<std::uint32_t, 15> of_point = {17, 18, 25, 26, 27, 28, 29, 30,
                                                      32, 34, 37, 38, 39, 40, 41};
  FeatureGroups groups;
  for (std::uint32_t f = 0; f < point_number_count; ++f)
    (std::ranges::binary_search(of_point, f) ? groups.point : groups.pair).push_back(f);
  for (std::uint32_t f = point_number_count; f < pair_feature_count; ++f) groups.joint.push_back(f);
  return groups;
}

PointSite vertex_site(const CharacterDistances& distances, const CharacterWeights& falloff,
                      const PairContext& context, std::uint32_t vertex) {
  const Character& c = distances.character;
  const Eigen::Vector3i& at = c.mesh.positions[vertex];
  return {at,
          distances.points.empty() ? at : distances.points[vertex],
          context.normal[vertex],
          c.components.component[vertex],
          falloff.rows.row(vertex),
          context.heat.at_place(context.heat.surface.place[vertex])};
}

void pairs_at(const CharacterDistances& distances, const WeightRules& rules,
              const CharacterWeights& falloff, const PairContext& context, const PointSite& site,
              PointPairs& result) {
  // thread_local, because initialization costs as much as filling it.
  thread_local Pairs pairs;
  thread_local std::vector<JointDistance> fine;
  pairs.begin(context.joints.traits.size());
  add_candidates(context.field, site.at, pairs);
  add_fine(distances, rules, site, fine, pairs);
  pairs.end();
  for (std::size_t i = 0; i < pairs.count; ++i) measure(context.field.bones, site, pairs.pair[i]);
  keep_nearest(pairs);
  result.count = pairs.count;
  if (pairs.count == 0) return;
  const Pair& nearest = pairs.pair[0];
  result.nearest = fine.empty() ? nearest.by_air : pairs.min_corrected;
  PointNumbers point{nearest.by_air,
                     nearest.log_air,
                     9.0,
                     9.0,
                     log_near(pairs.min_path),
                     log_near(pairs.max_path),
                     log_near(pairs.min_corrected),
                     log_near(pairs.max_corrected),
                     &nearest};
  for (std::size_t i = 0; i < pairs.count; ++i) {
    const Pair& pair = pairs.pair[i];
    point.min_straight = std::min(point.min_straight, pair.straight);
    point.log_straight = std::min(point.log_straight, pair.log_straight);
    if (is_rather_main(context.joints, pair, *point.main)) point.main = &pair;
  }
  for (std::size_t i = 0; i < pairs.count; ++i) {
    const Pair& pair = pairs.pair[i];
    result.joint[i] = pair.joint;
    float* out = result.feature[i];
    const auto put = [&](double x) { *out++ = static_cast<float>(std::clamp(x, -8.0, 8.0)); };
    put_distances(context.joints, pair, point, site, put);
    put_main(context.joints, pair, *point.main, put);
    put_component(rules, falloff, context, site.component, pair.joint, put);
    put_heat(site.heat, pair.joint, put);
    for (const float number : context.joints.traits[pair.joint].number) *out++ = number;
  }
}

}  // namespace gvbind
