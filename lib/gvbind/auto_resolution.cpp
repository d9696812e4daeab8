#include "gvbind/auto_resolution.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "gvbind/nearest.h"
#include "gvbind/parallel.h"
#include "gvbind/surface_samples.h"

namespace gvbind {

namespace {

constexpr double none = std::numeric_limits<double>::infinity();
/// More samples are passed over evenly.
constexpr std::size_t most_asked = 1 << 14;
/// Cosines: normals that oppose, and a bone that lies behind the surface.
constexpr double opposing = -0.5, behind = 0.3;
/// How far to the side a facing sample may lie, in gaps.
constexpr double aside = 0.6;
/// A bone ends where its neighbor begins, give or take.
constexpr double same_place = lattice_size / 500.0;
/// Of a bone's length: what lies beyond is an end or another's.
constexpr double limb_begin = 0.1, limb_end = 0.9;
/// A limb's surface lies all around its bone: the mean of the directions to it is shorter.
constexpr double surrounded = 0.6;
/// Its thickness is that across its narrower sides.
constexpr double narrow_part = 0.25;

struct Bone {
  std::uint32_t influence;
  Eigen::Vector3d a, along;
  double square;
};

/// A bone as seen from a place on the surface.
struct Owner {
  std::size_t bone = 0;
  Eigen::Vector3d foot = Eigen::Vector3d::Zero();  ///< the bone's nearest place
  double at = 0.0;                                 ///< along the bone, 0 to 1
  double distance = none;                          ///< lattice; infinity: there is no owner
};

class Skeleton {
 public:
  Skeleton(const UnitScene& scene, std::span<const JointPoint> joints)
      : parent_(joints.size()), place_(joints.size()), depth_(joints.size(), 0.0) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      parent_[j] = joints[j].parent;
      place_[j] = scene.cube.to_lattice(joints[j].position).cast<double>();
      if (parent_[j] >= 0) {
        const auto p = static_cast<std::size_t>(parent_[j]);
        depth_[j] = depth_[p] + (place_[j] - place_[p]).norm();
      }
    }
    for (std::uint32_t i = 0; i < scene.influences.size(); ++i)
      for (const LatticeSegment& s : scene.influences[i]) {
        const Eigen::Vector3d along = (s.b - s.a).cast<double>();
        bones_.push_back({i, s.a.cast<double>(), along, along.squaredNorm()});
      }
  }

  const std::vector<Bone>& bones() const { return bones_; }

  /// The nearest bone of those that lie behind the surface.
  Owner owner(const SurfaceSample& sample) const {
    Owner owner;
    for (std::size_t b = 0; b < bones_.size(); ++b) {
      const Bone& bone = bones_[b];
      const Eigen::Vector3d way = sample.at - bone.a;
      const double at =
          bone.square > 0.0 ? std::clamp(way.dot(bone.along) / bone.square, 0.0, 1.0) : 0.0;
      const Eigen::Vector3d out = way - bone.along * at;
      const double distance = out.norm();
      if (distance >= owner.distance || out.dot(sample.normal) < behind * distance) continue;
      owner = {b, bone.a + bone.along * at, at, distance};
    }
    return owner;
  }

  /// The way along the bones from one foot to the other; 0 for neighbors, infinity in two trees.
  double way(const Owner& a, const Owner& b) const {
    const std::size_t i = bones_[a.bone].influence, k = bones_[b.bone].influence;
    if (i == k || meet(bones_[a.bone], bones_[b.bone])) return 0.0;
    int steps = 0;
    std::size_t up_i = i, up_k = k;
    while (up_i != up_k) {
      // Parents are earlier than their children.
      std::size_t& later = up_i > up_k ? up_i : up_k;
      if (parent_[later] < 0) return none;
      later = static_cast<std::size_t>(parent_[later]);
      ++steps;
    }
    if (steps < 2) return 0.0;
    const double to_a = (a.foot - place_[i]).norm(), to_b = (b.foot - place_[k]).norm();
    const double between = depth_[i] + depth_[k] - 2.0 * depth_[up_i];
    if (up_i == i) return std::max(0.0, between + to_b - to_a);
    if (up_k == k) return std::max(0.0, between + to_a - to_b);
    return between + to_a + to_b;
  }

 private:
  static bool meet(const Bone& a, const Bone& b) {
    const auto near = [](const Eigen::Vector3d& p, const Eigen::Vector3d& q) {
      return (p - q).squaredNorm() < same_place * same_place;
    };
    const Eigen::Vector3d a_end = a.a + a.along, b_end = b.a + b.along;
    return near(a.a, b.a) || near(a.a, b_end) || near(a_end, b.a) || near(a_end, b_end);
  }

  std::vector<int> parent_;
  std::vector<Eigen::Vector3d> place_;
  std::vector<double> depth_;  ///< way from the root
  std::vector<Bone> bones_;
};

struct GapSample {
  double width = none;  ///< cube sides
  double share = 0.0;
  std::uint32_t a = 0, b = 0;
};

class GapFinder {
 public:
  GapFinder(const std::vector<SurfaceSample>& samples, const Skeleton& skeleton,
            const FeatureOptions& options)
      : samples_(samples), skeleton_(skeleton), options_(options) {}

  /// The nearest sheet that faces the sample and belongs to a far bone.
  GapSample gap_at(const SurfaceSample& from, const Owner& owner) const {
    GapSample gap;
    double bound = options_.most_gap * lattice_size;
    visit_nearest(
        [&](std::size_t i) { return samples_[i].cell; },
        {0, lattice_bits - sample_level, 0, samples_.size()}, bound,
        [&](const Eigen::Vector3i& low, int side) { return least_distance(from, low, side); },
        [&](std::size_t i) {
          const Eigen::Vector3d way = samples_[i].at - from.at;
          const double width = width_between(from, samples_[i], way);
          if (!(width <= bound) || !(way.norm() < bound)) return;
          const Owner other = skeleton_.owner(samples_[i]);
          if (other.distance == none || !(skeleton_.way(owner, other) > options_.far * width))
            return;
          bound = way.norm();
          const std::uint32_t a = skeleton_.bones()[owner.bone].influence;
          const std::uint32_t b = skeleton_.bones()[other.bone].influence;
          gap = {width / lattice_size, from.share, std::min(a, b), std::max(a, b)};
        });
    return gap;
  }

 private:
  /// Infinity where two samples do not face each other.
  static double width_between(const SurfaceSample& from, const SurfaceSample& to,
                              const Eigen::Vector3d& way) {
    const double ahead = way.dot(from.normal), back = -way.dot(to.normal);
    if (!(ahead > 0.0 && back > 0.0) || from.normal.dot(to.normal) > opposing) return none;
    const double width = (ahead + back) / 2.0;
    const double side = std::max(1.5 * sample_spacing, aside * width);
    return way.squaredNorm() - ahead * ahead <= side * side ? width : none;
  }

  /// To a box of cells; infinity where all of it lies beside or behind what the sample looks at.
  static double least_distance(const SurfaceSample& from, const Eigen::Vector3i& low, int side) {
    const Eigen::Array3d first = low.cast<double>().array() * sample_spacing;
    const Eigen::Array3d last = first + side * sample_spacing;
    const Eigen::Array3d at = from.at.array(), normal = from.normal.array();
    const double distance = (at.max(first).min(last) - at).matrix().norm();
    const double ahead = ((normal > 0.0).select(last, first) - at).matrix().dot(from.normal);
    const bool beside = distance > 3.0 * sample_spacing && ahead < distance / 2.0;
    return ahead < 0.0 || beside ? none : distance;
  }

  const std::vector<SurfaceSample>& samples_;
  const Skeleton& skeleton_;
  const FeatureOptions& options_;
};

std::optional<NarrowGap> narrowest(std::vector<GapSample> gaps, const FeatureOptions& options) {
  std::erase_if(
      gaps, [&](const GapSample& gap) { return gap.width < options.least || gap.width == none; });
  std::sort(gaps.begin(), gaps.end(),
            [](const GapSample& x, const GapSample& y) { return x.width < y.width; });
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> pairs;
  double share = 0.0;
  for (const GapSample& gap : gaps) {
    pairs[{gap.a, gap.b}] += gap.share;
    share += gap.share;
    if (share < options.share) continue;
    const auto most =
        std::max_element(pairs.begin(), pairs.end(),
                         [](const auto& x, const auto& y) { return x.second < y.second; });
    return NarrowGap{gap.width, most->first.first, most->first.second};
  }
  return std::nullopt;
}

/// What surrounds a bone.
struct Limb {
  std::vector<std::pair<double, double>> sides;  ///< distance, share
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();
  double share = 0.0;

  bool around() const { return share > 0.0 && direction.norm() < surrounded * share; }
  double thickness() {
    std::sort(sides.begin(), sides.end());
    double passed = 0.0;
    for (const auto& [distance, part] : sides)
      if ((passed += part) >= narrow_part * share) return 2.0 * distance / lattice_size;
    return none;
  }
};

std::optional<ThinLimb> thinnest(const std::vector<const SurfaceSample*>& asked,
                                 const std::vector<Owner>& owners, const Skeleton& skeleton,
                                 double scale, const FeatureOptions& options) {
  std::vector<Limb> limbs(skeleton.bones().size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Owner& owner = owners[i];
    if (owner.distance == none || owner.at < limb_begin || owner.at > limb_end) continue;
    Limb& limb = limbs[owner.bone];
    const double share = asked[i]->share * scale;
    limb.sides.emplace_back(owner.distance, share);
    if (owner.distance > 0.0)
      limb.direction += (asked[i]->at - owner.foot) / owner.distance * share;
    limb.share += share;
  }
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t b = 0; b < limbs.size(); ++b)
    if (limbs[b].around())
      if (const double thickness = limbs[b].thickness(); thickness >= options.least)
        order.emplace_back(thickness, b);
  std::sort(order.begin(), order.end());
  double share = 0.0;
  for (const auto& [thickness, b] : order)
    if ((share += limbs[b].share) >= options.share)
      return ThinLimb{thickness, skeleton.bones()[b].influence};
  return std::nullopt;
}

std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g %%", part * 100.0);
  return text;
}

std::string name_of(std::span<const JointPoint> joints, std::uint32_t i) {
  return joints[i].name.empty() ? "joint " + std::to_string(i) : "'" + joints[i].name + "'";
}

}  // namespace

FineFeatures fine_features(const UnitScene& scene, std::span<const JointPoint> joints,
                           const FeatureOptions& options) {
  const std::vector<SurfaceSample> samples = surface_samples(scene);
  const Skeleton skeleton(scene, joints);
  const std::size_t stride = (samples.size() + most_asked - 1) / most_asked;
  std::vector<const SurfaceSample*> asked;
  double share = 0.0;
  for (std::size_t i = 0; i < samples.size(); i += stride) {
    asked.push_back(&samples[i]);
    share += samples[i].share;
  }
  const double scale = asked.empty() ? 1.0 : 1.0 / share;
  const GapFinder finder(samples, skeleton, options);
  std::vector<Owner> owners(asked.size());
  std::vector<GapSample> gaps(asked.size());
  parallel_for(asked.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      owners[i] = skeleton.owner(*asked[i]);
      if (owners[i].distance == none) continue;
      gaps[i] = finder.gap_at(*asked[i], owners[i]);
      gaps[i].share *= scale;
    }
  });
  return {narrowest(std::move(gaps), options), thinnest(asked, owners, skeleton, scale, options)};
}

int resolution_for(const FineFeatures& features, const ResolutionOptions& options) {
  if (!features.gap && !features.limb)
    return std::clamp(options.without, options.least, options.most);
  double voxels = 0.0;
  if (features.gap) voxels = options.gap_voxels / features.gap->width;
  if (features.limb) voxels = std::max(voxels, options.limb_voxels / features.limb->thickness);
  int resolution = options.least;
  while (resolution < options.most && resolution < voxels) resolution *= 2;
  return resolution;
}

std::string features_text(const FineFeatures& features, std::span<const JointPoint> joints) {
  std::string text;
  if (features.gap)
    text += "gap of " + percent(features.gap->width) + " of the box between " +
            name_of(joints, features.gap->a) + " and " + name_of(joints, features.gap->b);
  if (features.limb)
    text += (text.empty() ? "limb " : ", limb ") + name_of(joints, features.limb->influence) + " " +
            percent(features.limb->thickness) + " thick";
  return text.empty() ? "neither a gap nor a limb around a bone was found" : text;
}

}  // namespace gvbind
