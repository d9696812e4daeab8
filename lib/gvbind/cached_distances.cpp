#include "gvbind/cached_distances.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/bind_findings.h"
#include "gvbind/distance/seeds.h"
#include "gvbind/fitted/default_network.h"
#include "gvbind/fitted/painted_pairs.h"
#include "gvbind/volume/voxel_neighbors.h"
#include "gvbind/weights/joint_regions.h"

namespace gvbind {

namespace {

/// FNV-1a over 64-bit words.
class KeyHash {
 public:
  void add(std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8)
      hash_ = (hash_ ^ (word >> shift & 0xff)) * 0x100000001b3u;
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(std::span<const std::uint32_t> list) {
    add(std::uint64_t{list.size()});
    for (const std::uint32_t value : list) add(std::uint64_t{value});
  }
  void add(const Primitive& where) {
    add(static_cast<std::uint64_t>(where.kind));
    for (const double number : where.a) add(number);
    for (const double number : where.b) add(number);
    add(where.radius);
    for (const double number : where.frame.matrix().reshaped()) add(number);
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// Cuts rows to `count` labels.
DistanceField truncated(const DistanceField& field, int count) {
  DistanceField made;
  made.labels_per_voxel = count;
  const auto kept = static_cast<std::size_t>(count);
  const std::size_t voxels = field.labels.size() / static_cast<std::size_t>(field.labels_per_voxel);
  made.labels.reserve(voxels * kept);
  for (std::size_t v = 0; v < voxels; ++v) {
    const std::span<const Label> row = field.of(static_cast<std::uint32_t>(v));
    made.labels.insert(made.labels.end(), row.begin(), row.begin() + count);
  }
  return made;
}

struct PointsInside {
  std::vector<Eigen::Vector3i> points;  ///< lattice
  std::vector<double> outside;          ///< as in PointWeights
};

/// The point of the solid nearest to a lattice point.
Eigen::Vector3i nearest_place(const SparseVoxels& voxels, const Eigen::Vector3i& point) {
  const std::uint32_t voxel = nearest_voxels(voxels, {point, point}).voxels.front();
  const int half = voxels.side(voxel) / 2;
  const Eigen::Vector3i center = voxels.center(voxel);
  return point.cwiseMax((center.array() - half).matrix())
      .cwiseMin((center.array() + half).matrix());
}

PointsInside moved_inside(const CharacterDistances& d, const PositionView& points) {
  PointsInside made;
  for (std::size_t i = 0; i < points.size(); ++i)
    made.points.push_back(d.character.cube.to_lattice(points[i]));
  made.outside.assign(points.size(), 0.0);
  const std::vector<Eigen::Vector3i>& vertices = d.character.mesh.positions;
  const std::vector<std::uint32_t> nearest = nearest_vertices(vertices, made.points);
  parallel_for(points.size(), 256, [&](std::size_t begin, std::size_t end) {
    std::uint32_t touched[8];
    for (std::size_t i = begin; i < end; ++i) {
      Eigen::Vector3i& point = made.points[i];
      const std::uint32_t v = nearest[i];
      if (point == vertices[v] ||
          d.voxels.touching(point + d.reading_points()[v] - vertices[v], touched) > 0)
        continue;
      const Eigen::Vector3i inside = nearest_place(d.voxels, point);
      made.outside[i] = (point - inside).cast<double>().norm() / d.character.cube.scale;
      point = inside;
    }
  });
  return made;
}

/// Reduces cached distances to those that a bind with these options computes.
void take_options(std::span<const Joint> joints, const BindOptions& options,
                  CachedDistances& kept) {
  CharacterDistances& d = kept.distances;
  const int all = static_cast<int>(joints.size()), wanted = labels_per_voxel(options);
  const int count = wanted == 0 ? all : std::min(wanted, all);
  if (count > d.field.labels_per_voxel)
    throw Error(ErrorKind::usage,
                "max-influences " +
                    (options.max_influences == 0 ? std::string("all")
                                                 : std::to_string(options.max_influences)) +
                    (options.limit == LimitRule::smooth ? " with limit smooth" : "") + ": takes " +
                    std::to_string(count) + " distances per voxel, and " +
                    std::to_string(d.field.labels_per_voxel) +
                    " were kept; bind again, with --save-distances and these options");
  narrow(d, count);
  kept.rules.bans = owner_ban(options.rules.forbidden, joints.size());
  const auto searches = [](const JointRegion& region) { return region.joints.size() > 1; };
  if (std::ranges::any_of(options.rules.regions, searches)) link_neighbors(d.voxels);
  d.regions = region_fields(d.voxels, d.seeds, joints.size(), options);
}

}  // namespace

void narrow(CharacterDistances& distances, int labels) {
  const auto cut = [&](DistanceField& field) {
    if (labels > 0 && labels < field.labels_per_voxel) field = truncated(field, labels);
  };
  cut(distances.field);
  for (RegionField& region : distances.regions) cut(region.field);
}

std::uint64_t scores_key(const BindOptions& options) {
  KeyHash hash;
  for (const PairNetwork& network :
       (options.network ? *options.network : default_networks()).networks)
    for (const std::span<const float> part : parts_of(network))
      for (const float number : part) hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(number)});
  if (options.like) {
    const auto add = [&](float number) {
      hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(number)});
    };
    add(options.like->prior);
    for (const PaintedPairs::OfJoint& joint : options.like->joints) {
      for (const char c : joint.key) hash.add(static_cast<std::uint64_t>(c));
      std::ranges::for_each(joint.point, add);
      std::ranges::for_each(joint.difference, add);
    }
  }
  hash.add(static_cast<std::uint64_t>(options.names));
  // hashed for heat only, so that keys of older caches stay valid
  constexpr std::uint64_t heat_version = 2;
  if (options.weights == WeightRule::heat) {
    hash.add(static_cast<std::uint64_t>(options.weights));
    hash.add(heat_version);
  }
  hash.add(static_cast<std::uint64_t>(labels_per_voxel(options)));
  hash.add(std::uint64_t{options.rules.regions.size()});
  for (const JointRegion& region : options.rules.regions) {
    hash.add(std::span(region.joints));
    hash.add(region.where);
  }
  return hash.value();
}

BindResult bind_kept(CachedDistances kept, std::span<const Joint> joints,
                     const BindOptions& options, const Monitor& monitor) {
  validate(options, joints);
  BindResult result = std::move(kept.report);
  run_monitored(options, monitor, [&] {
    StageClock clock(result.statistics.stages, monitor, 1);
    take_options(joints, options, kept);
    compute_weights(kept, joints, options, clock, result);
  });
  return result;
}

namespace {

/// By vertex, the vertex whose row fill_empty_rows() copies to it.
std::vector<std::uint32_t> row_sources(std::span<const Eigen::Vector3i> positions,
                                       const PairScores& scores) {
  SkinWeights rows;
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    if (scores.first[v] < scores.first[v + 1]) {
      rows.joint.push_back(v);
      rows.weight.push_back(1.0f);
    }
    rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
  }
  fill_empty_rows(positions, rows);
  std::vector<std::uint32_t> source(positions.size());
  for (std::uint32_t v = 0; v < source.size(); ++v)
    source[v] = rows.row(v).empty() ? v : rows.row(v)[0].joint;
  return source;
}

/// The numbers of influences for which a voxel keeps as many labels as for these options.
void set_influence_range(BindOptions options, TunableScores& made) {
  made.least_influences = made.most_influences = options.max_influences;
  if (options.max_influences == 0) return;
  const int labels = labels_per_voxel(options);
  for (int count = 1; count <= labels; ++count) {
    options.max_influences = count;
    if (labels_per_voxel(options) != labels) continue;
    made.least_influences = std::min(made.least_influences, count);
    made.most_influences = std::max(made.most_influences, count);
  }
}

}  // namespace

TunableScores tunable_scores(CachedDistances kept, std::span<const Joint> joints,
                             const BindOptions& options) {
  validate(options, joints);
  TunableScores made;
  set_influence_range(options, made);
  run_monitored(options, {}, [&] {
    take_options(joints, options, kept);
    BindResult ignored;
    const Monitor unwatched;
    StageClock clock(ignored.statistics.stages, unwatched, 1);
    compute_weights(kept, joints, options, clock, ignored);
    const CharacterDistances& d = kept.distances;
    const std::vector<std::uint32_t> owner =
        fitted_weights(d, kept.rules, kept.scores, falloff_of(options)).owner;
    for (const std::uint32_t component : d.character.components.component)
      made.owner.push_back(component == no_component || owner.empty() ? no_owner
                                                                      : owner[component]);
    made.source = row_sources(d.character.mesh.positions, kept.scores);
    made.scores = std::move(kept.scores);
  });
  return made;
}

PointWeights kept_weights_at(CachedDistances kept, std::span<const Joint> joints,
                             const BindOptions& options, const PositionView& points) {
  validate(options, joints);
  PointWeights made;
  run_monitored(options, {}, [&] {
    take_options(joints, options, kept);
    const CharacterDistances& d = kept.distances;
    PointsInside inside = moved_inside(d, points);
    made.outside = std::move(inside.outside);
    const Falloff falloff = falloff_of(options);
    made.rows =
        options.weights == WeightRule::falloff
            ? weights_of_points(d, kept.rules, falloff, inside.points)
            : fitted_weights_of_points(d, kept.rules, fitted_rules(d, kept.rules, joints, options),
                                       falloff, inside.points);
    if (falloff.prune > 0.0) made.rows = pruned(made.rows, falloff.prune);
  });
  return made;
}

double distance_outside(const CharacterDistances& distances, const PositionView& points) {
  double sum = 0.0;
  for (const double distance : moved_inside(distances, points).outside) sum += distance;
  return sum;
}

}  // namespace gvbind
