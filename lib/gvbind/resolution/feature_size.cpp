#include "gvbind/resolution/feature_size.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "gvbind/base/aabb.h"
#include "gvbind/base/morton_search.h"
#include "gvbind/base/parallel.h"
#include "gvbind/prepare/winding_number.h"
#include "gvbind/resolution/surface_samples.h"

namespace gvbind {

namespace {

constexpr double no_gap = std::numeric_limits<double>::infinity();
/// Maximum number of samples queried, evenly distributed.
constexpr std::size_t max_queries = 1 << 14;
/// Normals are opposite below this cosine.
constexpr double opposing_normals = -0.5;
/// Maximum lateral offset of an opposite sample, in gap widths.
constexpr double aside = 0.6;
/// If more than this fraction of two opposite sheets touches, no resolution can separate them.
constexpr double max_touching = 0.2;
/// Fractions of a bone's length; the rest is a tip or a joint.
constexpr double limb_begin = 0.1, limb_end = 0.9;
/// The surface surrounds a bone if the mean of the unit vectors to it is shorter than this.
constexpr double surrounded = 0.6;

/// A sample for which an opposite sample is searched.
struct Query {
  const SurfaceSample* sample;
  double share;  ///< fraction of the surface that it represents
  BoneView owner;
};

/// The sample facing another across a gap.
struct Opposite {
  double width = no_gap;  ///< lattice
  const SurfaceSample* sample = nullptr;
  BoneView owner;
};

class GapFinder {
 public:
  GapFinder(const WindingTree& winding, const std::vector<SurfaceSample>& samples,
            const SurfaceBones& owners, const FeatureOptions& options)
      : winding_(winding), owners_(owners), options_(options) {
    std::array<std::size_t, 6> counts{};
    for (const SurfaceSample& sample : samples) ++counts[dominant_axis(sample.normal)];
    for (std::size_t axis = 0; axis < counts.size(); ++axis) {
      by_axis_[axis].cells.reserve(counts[axis]);
      by_axis_[axis].samples.reserve(counts[axis]);
    }
    for (const SurfaceSample& sample : samples) {
      Samples& same_axis = by_axis_[dominant_axis(sample.normal)];
      same_axis.cells.push_back(sample.cell);
      same_axis.samples.push_back(sample);
    }
  }

  /// The nearest sample that faces this one and belongs to a far bone; infinitely far if there is
  /// none, or no exterior between.
  Opposite opposite(const Query& from) const {
    Opposite found;
    if (!from.owner.found()) return found;
    double bound = options_.max_gap * lattice_size;
    for (int axis = 0; axis < 6; ++axis)
      if (may_oppose(from.sample->normal, axis)) search(from, by_axis_[axis], bound, found);
    if (found.sample && !separated_by_exterior(from, found)) return {};
    return found;
  }

 private:
  struct Samples {
    std::vector<MortonCode> cells;  ///< of the samples, ascending
    std::vector<SurfaceSample> samples;
  };

  /// Whether normals with this dominant axis can oppose the given normal.
  static bool may_oppose(const Eigen::Vector3d& normal, int axis) {
    // The opposing angle minus the largest angle between a normal and its dominant axis.
    static const double most =
        std::cos(std::acos(opposing_normals) - std::acos(std::sqrt(1.0 / 3.0)));
    return normal[axis / 2] * (axis % 2 == 0 ? 1.0 : -1.0) <= most;
  }

  void search(const Query& from, const Samples& all, double& bound, Opposite& found) const {
    visit_nearest(
        [&](std::size_t i) { return all.cells[i]; },
        {0, lattice_bits - sample_level, 0, all.cells.size()}, bound,
        [&](const Eigen::Vector3i& low, int side) { return min_distance(*from.sample, low, side); },
        [&](std::size_t i) {
          const SurfaceSample& sample = all.samples[i];
          const double width = width_between(*from.sample, sample);
          const double distance = (sample.at - from.sample->at).norm();
          if (width == no_gap || !(distance < bound)) return;
          const BoneView owner = owners_.owner(sample);
          if (!owner.found() ||
              !owners_.far_apart(from.owner, owner, options_.branch, options_.path))
            return;
          bound = distance;
          found = {width, &sample, owner};
        });
  }

  /// Infinite if two samples do not face each other.
  static double width_between(const SurfaceSample& from, const SurfaceSample& to) {
    if (from.normal.dot(to.normal) > opposing_normals) return no_gap;
    const Eigen::Vector3d offset = to.at - from.at;
    const double ahead = offset.dot(from.normal), back = -offset.dot(to.normal);
    if (!(ahead > 0.0 && back > 0.0)) return no_gap;
    const double width = (ahead + back) / 2.0;
    const double side = std::max(1.5 * cell_spacing, aside * width);
    return offset.squaredNorm() - ahead * ahead <= side * side ? width : no_gap;
  }

  /// To a box of cells; infinite if all of it lies beside or behind the sample's view.
  static double min_distance(const SurfaceSample& from, const Eigen::Vector3i& low, int side) {
    const Eigen::Array3d first = low.cast<double>().array() * cell_spacing;
    const Eigen::Array3d last = first + side * cell_spacing;
    const Eigen::Array3d at = from.at.array();
    const double distance = offset_to_box(from.at, first, last).norm();
    const Eigen::Array3d furthest = (from.normal.array() > 0.0).select(last, first);
    const double ahead = (furthest - at).matrix().dot(from.normal);
    const bool beside = distance > 3.0 * cell_spacing && ahead < 0.8 * distance;
    return ahead < 0.0 || beside ? no_gap : distance;
  }

  bool inside(const Eigen::Vector3d& at) const { return std::abs(winding_(at)) > 0.5; }

  /// A sheet has no inside, and a bone visible only through air belongs to another surface.
  bool contains_bone(const SurfaceSample& sample, const BoneView& owner) const {
    if (!inside(sample.at - sample.normal * cell_spacing)) return false;
    for (const double t : {0.25, 0.5, 0.75})
      if (!inside(sample.at + (owner.foot - sample.at) * t)) return false;
    return true;
  }

  bool separated_by_exterior(const Query& from, const Opposite& to) const {
    return contains_bone(*from.sample, from.owner) && contains_bone(*to.sample, to.owner) &&
           !inside((from.sample->at + to.sample->at) / 2.0);
  }

  const WindingTree& winding_;
  std::array<Samples, 6> by_axis_;
  const SurfaceBones& owners_;
  const FeatureOptions& options_;
};

/// Lengths with their fractions of the surface.
class Spread {
 public:
  void add(double length, double share) {
    lengths_.emplace_back(length, share);
    share_ += share;
  }

  double share() const { return share_; }

  double median() {
    std::sort(lengths_.begin(), lengths_.end());
    double passed = 0.0;
    for (const auto& [length, share] : lengths_)
      if ((passed += share) >= share_ / 2.0) return length;
    return no_gap;
  }

 private:
  std::vector<std::pair<double, double>> lengths_;
  double share_ = 0.0;
};

/// A gap or limb and its fraction of the surface.
template <typename Feature>
struct Found {
  double size;
  Feature feature;
  double share;
};

/// The finest feature, ignoring those that together cover too little of the surface.
template <typename Feature>
std::optional<Feature> finest(std::vector<Found<Feature>>& all, double min_share) {
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.size < b.size; });
  double share = 0.0;
  for (const Found<Feature>& one : all)
    if ((share += one.share) >= min_share) return one.feature;
  return std::nullopt;
}

std::optional<NarrowGap> narrowest_gap(const std::vector<Query>& queries,
                                       const std::vector<Opposite>& opposite,
                                       const SurfaceBones& owners, const FeatureOptions& options) {
  struct Pair {
    Spread widths;
    double touching = 0.0;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Pair> pairs;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const double width = opposite[i].width / lattice_size;
    if (!(width <= options.max_gap)) continue;
    const std::uint32_t a = owners.bones()[queries[i].owner.bone].joint;
    const std::uint32_t b = owners.bones()[opposite[i].owner.bone].joint;
    Pair& pair = pairs[std::minmax(a, b)];
    if (width >= options.least)
      pair.widths.add(width, queries[i].share);
    else
      pair.touching += queries[i].share;
  }
  std::vector<Found<NarrowGap>> gaps;
  for (auto& [names, pair] : pairs) {
    const double share = pair.widths.share();
    if (pair.touching > max_touching * (share + pair.touching)) continue;
    const double width = pair.widths.median();
    gaps.push_back({width, {width, names.first, names.second}, share});
  }
  return finest(gaps, options.share);
}

std::optional<ThinLimb> thinnest_limb(const std::vector<Query>& queries, const SurfaceBones& owners,
                                      const FeatureOptions& options) {
  struct Around {
    Spread distances;
    Eigen::Vector3d direction = Eigen::Vector3d::Zero();
  };
  std::vector<Around> around(owners.bones().size());
  for (const auto& [sample, share, owner] : queries) {
    if (!owner.found() || owner.at < limb_begin || owner.at > limb_end) continue;
    around[owner.bone].distances.add(owner.distance / lattice_size, share);
    if (owner.distance > 0.0)
      around[owner.bone].direction += (sample->at - owner.foot) / owner.distance * share;
  }
  std::vector<Found<ThinLimb>> limbs;
  for (std::size_t b = 0; b < around.size(); ++b) {
    const double share = around[b].distances.share();
    const double thickness = 2.0 * around[b].distances.median();
    const bool limb = around[b].direction.norm() < surrounded * share &&
                      thickness <= owners.bones()[b].length() / lattice_size;
    if (limb && thickness >= options.least)
      limbs.push_back({thickness, {thickness, owners.bones()[b].joint}, share});
  }
  return finest(limbs, options.share);
}

std::vector<Query> spread_queries(const std::vector<SurfaceSample>& samples) {
  std::vector<Query> queries;
  double share = 0.0;
  const std::size_t stride = samples.size() / max_queries + 1;
  for (std::size_t i = 0; i < samples.size(); i += stride) {
    queries.push_back({&samples[i], samples[i].share, {}});
    share += samples[i].share;
  }
  for (Query& one : queries) one.share /= share;
  return queries;
}

std::string percent_text(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g %%", part * 100.0);
  return text;
}

std::string name_of(std::span<const Joint> joints, std::uint32_t i) {
  return joints[i].name.empty() ? "joint " + std::to_string(i) : "'" + joints[i].name + "'";
}

}  // namespace

FeatureSizes feature_sizes(const Character& character, const FeatureOptions& options) {
  const std::vector<SurfaceSample> samples = surface_samples(character.mesh);
  const SurfaceBones owners(character.bones, character.skeleton);
  std::vector<Query> queries = spread_queries(samples);
  if (queries.empty() || owners.bones().empty()) return {};
  std::vector<Opposite> opposite(queries.size());
  const GapFinder gaps(character.winding, samples, owners, options);
  parallel_for(queries.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      queries[i].owner = owners.owner(*queries[i].sample);
      opposite[i] = gaps.opposite(queries[i]);
    }
  });
  return {narrowest_gap(queries, opposite, owners, options),
          thinnest_limb(queries, owners, options)};
}

int resolution_for(const FeatureSizes& features, const ResolutionOptions& options) {
  if (!features.gap && !features.limb)
    return std::clamp(options.without, options.least, options.most);
  double voxels = 0.0;
  if (features.gap) voxels = options.gap_voxels / features.gap->width;
  if (features.limb) voxels = std::max(voxels, options.limb_voxels / features.limb->thickness);
  int resolution = options.least;
  while (resolution < options.most && resolution < voxels) resolution *= 2;
  return resolution;
}

std::string features_text(const FeatureSizes& features, std::span<const Joint> joints) {
  std::string text;
  if (features.gap)
    text += "gap of " + percent_text(features.gap->width) + " of the box between " +
            name_of(joints, features.gap->a) + " and " + name_of(joints, features.gap->b);
  if (features.limb)
    text += (text.empty() ? "limb " : ", limb ") + name_of(joints, features.limb->joint) + " " +
            percent_text(features.limb->thickness) + " thick";
  return text.empty() ? "neither a narrow gap nor a limb around a bone was found" : text;
}

}  // namespace gvbind
