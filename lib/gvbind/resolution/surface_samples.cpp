#include "gvbind/resolution/surface_samples.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "gvbind/base/aabb.h"
#include "gvbind/base/parallel.h"
#include "gvbind/base/segment.h"

namespace gvbind {

namespace {

/// Limit for the number of cuts; larger surfaces get larger pieces, to save memory.
constexpr double max_cut = 1 << 19;
/// Maximum number of pieces in memory.
constexpr std::size_t max_pieces = 1 << 21;
constexpr int cell_bits = 3 * (lattice_bits - sample_level);
constexpr int facing_bits = 3;
/// Leaves room for a piece's index in the low bits of its key.
constexpr int index_bits = 34;

struct Corners {
  Eigen::Vector3d a, b, c;

  Eigen::Vector3d moment() const { return (b - a).cross(c - a) / 2.0; }
};

/// Floats save memory; exact to an eighth of a lattice step.
struct Piece {
  std::uint32_t key;  ///< cell, then facing
  Eigen::Vector3f at, moment;
};

Corners corners_of(const LatticeMesh& mesh, const Triangle& t) {
  return {mesh.positions[t[0]].cast<double>(), mesh.positions[t[1]].cast<double>(),
          mesh.positions[t[2]].cast<double>()};
}

std::uint32_t key_of(const Eigen::Vector3d& at, const Eigen::Vector3d& moment) {
  constexpr int last = (1 << (lattice_bits - sample_level)) - 1;
  const auto cell = [&](int k) {
    return std::clamp(static_cast<int>(at[k]) >> sample_level, 0, last);
  };
  return static_cast<std::uint32_t>(morton_code(cell(0), cell(1), cell(2))) << facing_bits |
         static_cast<std::uint32_t>(dominant_axis(moment));
}

double square(double x) { return x * x; }

/// Halves the longest edge until all are short, which keeps slivers from producing many pieces.
template <class Take>
void cut(const Corners& t, const Eigen::Vector3d& moment, double longest, const Take& take) {
  const double ab = (t.b - t.a).squaredNorm(), bc = (t.c - t.b).squaredNorm(),
               ca = (t.a - t.c).squaredNorm();
  const double most = std::max({ab, bc, ca});
  if (most <= square(longest)) return take((t.a + t.b + t.c) / 3.0, moment);
  const Corners turned = most == ab   ? t
                         : most == bc ? Corners{t.b, t.c, t.a}
                                      : Corners{t.c, t.a, t.b};
  const Eigen::Vector3d middle = (turned.a + turned.b) / 2.0, half = moment / 2.0;
  cut({turned.a, middle, turned.c}, half, longest, take);
  cut({middle, turned.b, turned.c}, half, longest, take);
}

/// Edge length that limits the number of pieces; estimated on the safe side.
double longest_edge(const LatticeMesh& mesh) {
  const auto pieces = [&](double longest) {
    double count = 0.0;
    for (const Triangle& triangle : mesh.triangles) {
      const Corners t = corners_of(mesh, triangle);
      const double edge = std::max({(t.b - t.a).norm(), (t.c - t.b).norm(), (t.a - t.c).norm()});
      if (edge > longest) count += 2.0 * edge / longest + 4.0 * t.moment().norm() / square(longest);
    }
    return count;
  };
  double longest = 1.5 * cell_spacing;
  while (pieces(longest) > max_cut) longest *= 2.0;
  return longest;
}

bool inside_out(const LatticeMesh& mesh) {
  const Eigen::Vector3d middle = Eigen::Vector3d::Constant(lattice_size / 2.0);
  double volume = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const Corners c = corners_of(mesh, t);
    volume += c.moment().dot((c.a + c.b + c.c) / 3.0 - middle);
  }
  return volume < 0.0;
}

/// Keys by their upper bits.
constexpr int bin_bits = 15, bin_shift = cell_bits + facing_bits - bin_bits;
constexpr std::uint16_t several_bins = 0xffff;

/// Bins from `first` to before `last`.
struct BinRange {
  std::uint32_t first = 0, last = 0;
  std::size_t pieces = 0;
};

/// The surface cut into pieces, one range of bins at a time.
class CutSurface {
 public:
  explicit CutSurface(const LatticeMesh& mesh)
      : mesh_(mesh), sign_(inside_out(mesh) ? -1.0 : 1.0), longest_(longest_edge(mesh)) {
    bin_of_.reserve(mesh.triangles.size());
    for (const Triangle& triangle : mesh.triangles) {
      std::optional<std::uint32_t> only;
      bool several = false;
      cut_triangle(triangle, [&](const Eigen::Vector3d& at, const Eigen::Vector3d& moment) {
        const std::uint32_t bin = key_of(at, moment) >> bin_shift;
        ++pieces_in_[bin];
        several = several || (only && *only != bin);
        only = bin;
      });
      bin_of_.push_back(several || !only ? several_bins : static_cast<std::uint16_t>(*only));
    }
  }

  /// All bins, in ranges of at most max_pieces unless a single bin has more.
  std::vector<BinRange> ranges() const {
    std::vector<BinRange> ranges(1);
    for (std::uint32_t bin = 0; bin < pieces_in_.size(); ++bin) {
      if (ranges.back().pieces > 0 && ranges.back().pieces + pieces_in_[bin] > max_pieces)
        ranges.push_back({bin, bin, 0});
      ranges.back().last = bin + 1;
      ranges.back().pieces += pieces_in_[bin];
    }
    return ranges;
  }

  /// In the order of the mesh.
  std::vector<Piece> pieces(const BinRange& range) const {
    const auto holds = [&](std::uint32_t bin) { return bin >= range.first && bin < range.last; };
    std::vector<Piece> pieces;
    pieces.reserve(range.pieces);
    for (std::size_t t = 0; t < bin_of_.size(); ++t) {
      if (bin_of_[t] != several_bins && !holds(bin_of_[t])) continue;
      cut_triangle(mesh_.triangles[t],
                   [&](const Eigen::Vector3d& at, const Eigen::Vector3d& moment) {
                     const std::uint32_t key = key_of(at, moment);
                     if (holds(key >> bin_shift))
                       pieces.push_back({key, at.cast<float>(), moment.cast<float>()});
                   });
    }
    return pieces;
  }

 private:
  template <class Take>
  void cut_triangle(const Triangle& triangle, const Take& take) const {
    const Corners t = corners_of(mesh_, triangle);
    const Eigen::Vector3d whole = t.moment() * sign_;
    if (whole.squaredNorm() > 0.0) cut(t, whole, longest_, take);
  }

  const LatticeMesh& mesh_;
  double sign_, longest_;
  std::vector<std::size_t> pieces_in_ = std::vector<std::size_t>(std::size_t{1} << bin_bits);
  std::vector<std::uint16_t> bin_of_;  ///< by triangle; several_bins also if it has no area
};

std::vector<std::uint64_t> order_of(const std::vector<Piece>& pieces) {
  static_assert(cell_bits + facing_bits + index_bits <= 64);
  std::vector<std::uint64_t> order(pieces.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = std::uint64_t{pieces[i].key} << index_bits | i;
  parallel_sort(order);
  return order;
}

/// Appends samples of a range's pieces, as sums instead of means; adds to the total area.
void add_samples(const std::vector<Piece>& pieces, std::vector<SurfaceSample>& samples,
                 double& whole) {
  constexpr std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;
  const std::vector<std::uint64_t> order = order_of(pieces);
  const auto key = [&](std::size_t i) { return order[i] >> index_bits; };
  std::size_t count = samples.size();
  for (std::size_t i = 0; i < order.size(); ++i) count += i == 0 || key(i) != key(i - 1);
  samples.reserve(count);
  std::uint32_t last_key = std::numeric_limits<std::uint32_t>::max();
  for (const std::uint64_t entry : order) {
    const Piece& piece = pieces[entry & index_mask];
    const Eigen::Vector3d moment = piece.moment.cast<double>();
    const double area = moment.norm();
    if (piece.key != last_key)
      samples.push_back({Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), 0.0,
                         MortonCode{piece.key >> facing_bits}});
    last_key = piece.key;
    SurfaceSample& sample = samples.back();
    sample.at += piece.at.cast<double>() * area;
    sample.normal += moment;
    sample.share += area;
    whole += area;
  }
}

/// Minimum cosine between the surface's normal and the direction from the bone.
constexpr double depth_behind = 0.3;
constexpr double coincident = lattice_size / 500.0;

std::vector<Bvh::Box> boxes_of(const LatticeBones& bones) {
  std::vector<Bvh::Box> boxes;
  for (const std::vector<LatticeSegment>& of_joint : bones)
    for (const LatticeSegment& s : of_joint) {
      boxes.emplace_back(s.a.cast<double>());
      boxes.back().extend(s.b.cast<double>());
    }
  return boxes;
}

bool near(const Eigen::Vector3d& p, const Eigen::Vector3d& q) {
  return (p - q).squaredNorm() < coincident * coincident;
}

bool meet(const SurfaceBones::Bone& a, const SurfaceBones::Bone& b) {
  const Eigen::Vector3d a_end = a.a + a.along, b_end = b.a + b.along;
  return near(a.a, b.a) || near(a.a, b_end) || near(a_end, b.a) || near(a_end, b_end);
}

}  // namespace

int dominant_axis(const Eigen::Vector3d& normal) {
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  return 2 * axis + (normal[axis] < 0.0);
}

std::vector<SurfaceSample> surface_samples(const LatticeMesh& mesh) {
  const CutSurface surface(mesh);
  std::vector<SurfaceSample> samples;
  double whole = 0.0;
  for (const BinRange& range : surface.ranges()) add_samples(surface.pieces(range), samples, whole);
  for (SurfaceSample& sample : samples) {
    sample.at /= sample.share;
    sample.normal.normalize();
    sample.share /= whole;
  }
  return samples;
}

SurfaceBones::SurfaceBones(const LatticeBones& bones, const SkeletonDistance& skeleton)
    : skeleton_(skeleton), tree_(boxes_of(bones)) {
  for (std::uint32_t i = 0; i < bones.size(); ++i)
    for (const LatticeSegment& s : bones[i])
      bones_.push_back({i, s.a.cast<double>(), (s.b - s.a).cast<double>()});
}

BoneView SurfaceBones::owner(const SurfaceSample& sample) const {
  constexpr double rounding = 1e-3;  // lattice; tolerance, so that rounding skips no bone
  BoneView owner;
  const auto gap = [&](const Bvh::Box& box) {
    return offset_to_box(sample.at, box.min(), box.max()).norm() - rounding;
  };
  tree_.visit_near(gap, owner.distance, [&](std::uint32_t b) {
    const Bone& bone = bones_[b];
    const double at = closest_parameter(bone.a, bone.along, sample.at);
    const Eigen::Vector3d out = sample.at - bone.a - bone.along * at;
    const double distance = out.norm();
    const bool nearer = distance < owner.distance || (distance == owner.distance && b < owner.bone);
    if (nearer && out.dot(sample.normal) >= depth_behind * distance)
      owner = {b, bone.a + bone.along * at, at, distance};
  });
  return owner;
}

bool SurfaceBones::far_apart(const BoneView& a, const BoneView& b, double branch,
                             double path) const {
  const std::size_t i = bones_[a.bone].joint, k = bones_[b.bone].joint;
  if (i == k || meet(bones_[a.bone], bones_[b.bone])) return false;
  const JointPath joints = skeleton_.path(i, k);
  if (joints.ancestor < 0) return true;
  double to_a = (a.foot - skeleton_.position(i)).norm();
  double to_b = (b.foot - skeleton_.position(k)).norm();
  // If the path runs along the foot's own bone, only the part beyond the foot counts.
  if (joints.ancestor == static_cast<int>(i)) to_a = -to_a;
  if (joints.ancestor == static_cast<int>(k)) to_b = -to_b;
  return std::min(joints.from_a, joints.from_b) > branch * lattice_size ||
         joints.from_a + joints.from_b + to_a + to_b > path * lattice_size;
}

}  // namespace gvbind
