#include "gvbind/surface_samples.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gvbind/parallel.h"

namespace gvbind {

namespace {

/// A triangle is cut into at most the square of these.
constexpr int most_rows = 256;
constexpr int cell_bits = 3 * (lattice_bits - sample_level);
constexpr int facing_bits = 3;

struct Corners {
  Eigen::Vector3d a, b, c;

  Eigen::Vector3d moment() const { return (b - a).cross(c - a) / 2.0; }
};

struct Piece {
  std::uint64_t key;  ///< cell, then facing
  Eigen::Vector3d at, moment;
};

Corners corners_of(const UnitScene& scene, const Triangle& t) {
  return {scene.positions[t[0]].cast<double>(), scene.positions[t[1]].cast<double>(),
          scene.positions[t[2]].cast<double>()};
}

std::uint64_t key_of(const Eigen::Vector3d& at, const Eigen::Vector3d& moment) {
  constexpr int last = (1 << (lattice_bits - sample_level)) - 1;
  const auto cell = [&](int k) {
    return std::clamp(static_cast<int>(at[k]) >> sample_level, 0, last);
  };
  return morton_code(cell(0), cell(1), cell(2)) << facing_bits |
         static_cast<unsigned>(facing_of(moment));
}

int rows_of(const Corners& t) {
  const double longest = std::sqrt(
      std::max({(t.b - t.a).squaredNorm(), (t.c - t.b).squaredNorm(), (t.a - t.c).squaredNorm()}));
  return std::clamp(static_cast<int>(std::ceil(longest / (1.5 * sample_spacing))), 1, most_rows);
}

template <class Take>
void cut(const Corners& t, const Take& take) {
  const Eigen::Vector3d moment = t.moment();
  if (!(moment.squaredNorm() > 0.0)) return;
  const int rows = rows_of(t);
  const Eigen::Vector3d u = (t.b - t.a) / rows, v = (t.c - t.a) / rows;
  const Eigen::Vector3d part = moment / (static_cast<double>(rows) * rows);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; i + k < rows; ++k) {
      take(t.a + u * (i + 1.0 / 3.0) + v * (k + 1.0 / 3.0), part);
      if (i + k + 1 < rows) take(t.a + u * (i + 2.0 / 3.0) + v * (k + 2.0 / 3.0), part);
    }
}

bool inside_out(const UnitScene& scene) {
  const Eigen::Vector3d middle = Eigen::Vector3d::Constant(lattice_size / 2);
  double volume = 0.0;
  for (const Triangle& t : scene.triangles) {
    const Corners c = corners_of(scene, t);
    volume += c.moment().dot((c.a + c.b + c.c) / 3.0 - middle);
  }
  return volume < 0.0;
}

std::vector<Piece> pieces_of(const UnitScene& scene) {
  std::vector<std::size_t> first(scene.triangles.size() + 1, 0);
  for (std::size_t t = 0; t < scene.triangles.size(); ++t) {
    const Corners c = corners_of(scene, scene.triangles[t]);
    const auto rows = static_cast<std::size_t>(rows_of(c));
    first[t + 1] = first[t] + (c.moment().squaredNorm() > 0.0 ? rows * rows : 0);
  }
  const double sign = inside_out(scene) ? -1.0 : 1.0;
  std::vector<Piece> pieces(first.back());
  parallel_for(scene.triangles.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      std::size_t next = first[t];
      cut(corners_of(scene, scene.triangles[t]),
          [&](const Eigen::Vector3d& at, const Eigen::Vector3d& moment) {
            pieces[next++] = {key_of(at, sign * moment), at, sign * moment};
          });
    }
  });
  return pieces;
}

/// Keys are of 30 bits, so that a piece's index fits behind one.
std::vector<std::uint64_t> order_of(const std::vector<Piece>& pieces) {
  static_assert(cell_bits + facing_bits <= 30);
  std::vector<std::uint64_t> order(pieces.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = pieces[i].key << 34 | i;
  parallel_sort(order);
  return order;
}

}  // namespace

int facing_of(const Eigen::Vector3d& normal) {
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  return 2 * axis + (normal[axis] < 0.0);
}

std::vector<SurfaceSample> surface_samples(const UnitScene& scene) {
  const std::vector<Piece> pieces = pieces_of(scene);
  constexpr std::uint64_t index_mask = (std::uint64_t{1} << 34) - 1;
  std::vector<SurfaceSample> samples;
  double whole = 0.0;
  std::uint64_t last_key = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t entry : order_of(pieces)) {
    const Piece& piece = pieces[entry & index_mask];
    const double area = piece.moment.norm();
    if (piece.key != last_key)
      samples.push_back(
          {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), 0.0, piece.key >> facing_bits});
    last_key = piece.key;
    SurfaceSample& sample = samples.back();
    sample.at += piece.at * area;
    sample.normal += piece.moment;
    sample.share += area;
    whole += area;
  }
  for (SurfaceSample& sample : samples) {
    sample.at /= sample.share;
    sample.normal.normalize();
    sample.share /= whole;
  }
  return samples;
}

}  // namespace gvbind
