#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "gvbind/bind_skin.h"
#include "gvbind/prepare/bone_segments.h"
#include "gvbind/prepare/normalize.h"

/// Binding as in the paper, slow and simple, in double precision, without any stage of the library:
/// a uniform grid, one plain Dijkstra per bone, no octree. Only the rules that make the result
/// unique (the margin around the box, vertices between voxels, joints outside) are the library's.
namespace gvbind::test {

using Point = Eigen::Vector3d;

/// Mean over vertices of the sum over influences of |a - b|: 0 for equal weights, 2 for disjoint
/// ones.
inline double mean_l1(const SkinWeights& a, const SkinWeights& b) {
  double sum = 0.0;
  for (std::size_t v = 0; v < a.vertex_count(); ++v) {
    std::map<std::uint32_t, double> row;
    for (std::uint32_t k = a.first[v]; k < a.first[v + 1]; ++k) row[a.joint[k]] += a.weight[k];
    for (std::uint32_t k = b.first[v]; k < b.first[v + 1]; ++k) row[b.joint[k]] -= b.weight[k];
    for (const auto& [joint, difference] : row) sum += std::abs(difference);
  }
  return a.vertex_count() == 0 ? 0.0 : sum / static_cast<double>(a.vertex_count());
}

/// Works in [0,1]^3; voxel (x, y, z) is [x/r, (x+1)/r] and so on. The nearest faces win.
class ReferenceBinder {
 public:
  ReferenceBinder(std::span<const Point> positions, std::span<const Triangle> triangles,
                  std::span<const Joint> joints, const BindOptions& options)
      : options_(options), r_(options.resolution), triangles_(triangles.begin(), triangles.end()) {
    normalize_scene(positions, bone_segments(joints, {options.leaf}));
  }

  SkinWeights bind() {
    find_boundary();
    vote();
    std::vector<std::vector<double>> distances;
    for (const JointBones& joint : influences_) distances.push_back(dijkstra(joint));
    return weigh(distances);
  }

 private:
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * r_ + y) * r_ + x;
  }
  Point center(int x, int y, int z) const { return Point(x + 0.5, y + 0.5, z + 0.5) / r_; }
  Point center(std::size_t i) const {
    return center(static_cast<int>(i % r_), static_cast<int>(i / r_ % r_),
                  static_cast<int>(i / r_ / r_));
  }

  void normalize_scene(std::span<const Point> positions, std::vector<JointBones> influences) {
    Point low = Point::Constant(std::numeric_limits<double>::infinity()), high = -low;
    const auto grow = [&](const Point& p) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    };
    for (const Point& p : positions) grow(p);
    for (const JointBones& i : influences)
      for (const Segment& s : i.segments) {
        grow(s.a);
        grow(s.b);
      }
    const Point middle = (low + high) / 2.0;
    const double scale = (1.0 - 2.0 / 256.0) / (high - low).maxCoeff();
    // The library's lattice: whole steps of 2^-20.
    const auto place = [&](const Point& p) {
      Point q;
      for (int k = 0; k < 3; ++k)
        q[k] = std::round((p[k] - middle[k]) * scale * lattice_size) / lattice_size + 0.5;
      return q;
    };
    for (const Point& p : positions) positions_.push_back(place(p));
    for (JointBones& i : influences)
      for (Segment& s : i.segments) s = {place(s.a), place(s.b)};
    influences_ = std::move(influences);
  }

  /// Separating axis test of a triangle (or a segment a, b, b) and a box.
  static bool meets(const std::array<Point, 3>& t, const Point& box_center, double half) {
    const std::array<Point, 3> p = {t[0] - box_center, t[1] - box_center, t[2] - box_center};
    const std::array<Point, 3> e = {p[1] - p[0], p[2] - p[1], p[0] - p[2]};
    std::vector<Point> axes = {Point::UnitX(), Point::UnitY(), Point::UnitZ(), e[0].cross(e[1])};
    for (const Point& edge : e)
      for (int k = 0; k < 3; ++k) axes.push_back(edge.cross(Point::Unit(k)));
    for (const Point& axis : axes) {
      const double a = axis.dot(p[0]), b = axis.dot(p[1]), c = axis.dot(p[2]);
      const double radius = half * axis.cwiseAbs().sum() + 1e-15;
      if (std::min({a, b, c}) > radius || std::max({a, b, c}) < -radius) return false;
    }
    return true;
  }

  template <class Visit>
  void visit_meeting(const std::array<Point, 3>& t, const Visit& visit) const {
    const Point low = t[0].cwiseMin(t[1]).cwiseMin(t[2]), high = t[0].cwiseMax(t[1]).cwiseMax(t[2]);
    Eigen::Vector3i first, last;
    for (int k = 0; k < 3; ++k) {
      first[k] = std::clamp(static_cast<int>(std::ceil(low[k] * r_)) - 1, 0, r_ - 1);
      last[k] = std::clamp(static_cast<int>(std::floor(high[k] * r_)), 0, r_ - 1);
    }
    for (int z = first.z(); z <= last.z(); ++z)
      for (int y = first.y(); y <= last.y(); ++y)
        for (int x = first.x(); x <= last.x(); ++x)
          if (meets(t, center(x, y, z), 0.5 / r_)) visit(index(x, y, z));
  }

  void find_boundary() {
    boundary_.assign(static_cast<std::size_t>(r_) * r_ * r_, false);
    for (const Triangle& t : triangles_)
      visit_meeting({positions_[t[0]], positions_[t[1]], positions_[t[2]]},
                    [&](std::size_t i) { boundary_[i] = true; });
  }

  struct Hit {
    double depth;
    bool up;  ///< the face points along the axis
  };

  /// Intersections of a column with the mesh; the column is moved slightly off the lattice.
  std::vector<std::vector<Hit>> hits_of_axis(int u, int v, int w) const {
    std::vector<std::vector<Hit>> hits(static_cast<std::size_t>(r_) * r_);
    for (const Triangle& t : triangles_) {
      const Point &a = positions_[t[0]], &b = positions_[t[1]], &c = positions_[t[2]];
      const Point n = (b - a).cross(c - a);
      if (n[w] == 0.0) continue;
      const Point low = a.cwiseMin(b).cwiseMin(c) * r_, high = a.cwiseMax(b).cwiseMax(c) * r_;
      for (int j = std::max(0, int(low[v]) - 1); j <= std::min(r_ - 1, int(high[v])); ++j)
        for (int i = std::max(0, int(low[u]) - 1); i <= std::min(r_ - 1, int(high[u])); ++i) {
          Point p;
          p[u] = (i + 0.5) / r_ + 1.37e-9;
          p[v] = (j + 0.5) / r_ + 2.91e-10;
          const auto side = [&](const Point& from, const Point& to) {
            return (to[u] - from[u]) * (p[v] - from[v]) - (to[v] - from[v]) * (p[u] - from[u]) > 0;
          };
          const bool ab = side(a, b), bc = side(b, c), ca = side(c, a);
          if (ab != bc || bc != ca) continue;
          const double depth = a[w] - (n[u] * (p[u] - a[u]) + n[v] * (p[v] - a[v])) / n[w];
          hits[static_cast<std::size_t>(j) * r_ + i].push_back({depth, n[w] > 0.0});
        }
    }
    return hits;
  }

  /// Equation 5 for one voxel center on a column.
  static bool votes_inside(const std::vector<Hit>& hits, double depth, bool plus, bool minus) {
    const double infinity = std::numeric_limits<double>::infinity();
    constexpr double coincident = 1e-11;
    double below = -infinity, above = infinity;
    for (const Hit& h : hits) {
      if (h.depth < depth) below = std::max(below, h.depth);
      if (h.depth >= depth) above = std::min(above, h.depth);
    }
    bool back_below = below > -infinity, back_above = above < infinity;
    for (const Hit& h : hits) {
      if (h.depth < depth && below - h.depth < coincident && h.up) back_below = false;
      if (h.depth >= depth && h.depth - above < coincident && !h.up) back_above = false;
    }
    return (plus && back_below) || (minus && back_above);
  }

  double winding(const Point& p) const {
    double sum = 0.0;
    for (const Triangle& t : triangles_) {
      const Point a = positions_[t[0]] - p, b = positions_[t[1]] - p, c = positions_[t[2]] - p;
      const double la = a.norm(), lb = b.norm(), lc = c.norm();
      sum += 2.0 * std::atan2(a.dot(b.cross(c)),
                              la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return sum / (4.0 * M_PI);
  }

  /// Equations 5 and 6, then winding numbers.
  void vote() {
    std::vector<std::uint8_t> count(boundary_.size(), 0);
    const int axes[3][3] = {{1, 2, 0}, {0, 2, 1}, {0, 1, 2}};
    for (int axis = 0; axis < 3; ++axis) {
      const auto [u, v, w] = axes[axis];
      const bool plus = options_.views >> (2 * axis) & 1,
                 minus = options_.views >> (2 * axis + 1) & 1;
      const std::vector<std::vector<Hit>> hits = hits_of_axis(u, v, w);
      for (int j = 0; j < r_; ++j)
        for (int i = 0; i < r_; ++i) {
          const std::vector<Hit>& column = hits[static_cast<std::size_t>(j) * r_ + i];
          if (column.empty()) continue;
          for (int k = 0; k < r_; ++k) {
            int voxel[3];
            voxel[u] = i;
            voxel[v] = j;
            voxel[w] = k;
            count[index(voxel[0], voxel[1], voxel[2])] +=
                votes_inside(column, (k + 0.5) / r_ + 1e-12, plus, minus);
          }
        }
    }
    inside_.assign(boundary_.size(), false);
    for (std::size_t i = 0; i < count.size(); ++i)
      inside_[i] = boundary_[i] || count[i] > 1 ||
                   (count[i] == 1 && options_.ambiguous == AmbiguousRule::winding &&
                    winding(center(i)) > 0.5);
  }

  static double to_voxel(const Segment& s, const Point& middle, double half) {
    const auto at = [&](double t) {
      const Point p = s.a + (s.b - s.a) * t - middle;
      return (p.cwiseAbs().array() - half).max(0.0).matrix().norm();
    };
    double from = 0.0, to = 1.0;
    for (int i = 0; i < 80; ++i) {
      const double third = (to - from) / 3.0;
      if (at(from + third) < at(to - third))
        to -= third;
      else
        from += third;
    }
    return at(from);
  }

  /// Lines 6 to 9 of algorithm 3; the nearest voxels for a bone that meets none.
  std::vector<std::pair<double, std::size_t>> seeds(const JointBones& joint) const {
    std::vector<std::pair<double, std::size_t>> found;
    for (const Segment& s : joint.segments)
      visit_meeting({s.a, s.b, s.b}, [&](std::size_t i) {
        if (inside_[i]) found.emplace_back(0.0, i);
      });
    if (!found.empty()) return found;
    double least = std::numeric_limits<double>::infinity();
    for (const Segment& s : joint.segments)
      for (std::size_t i = 0; i < inside_.size(); ++i)
        if (inside_[i]) {
          const double d = to_voxel(s, center(i), 0.5 / r_);
          least = std::min(least, d);
          if (d <= least + 1e-9) found.emplace_back(d, i);
        }
    std::erase_if(found, [&](const auto& f) { return f.first > least + 1e-9; });
    return found;
  }

  std::vector<double> dijkstra(const JointBones& joint) const {
    const double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> distance(inside_.size(), infinity);
    using Item = std::pair<double, std::size_t>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    for (const Item& start : seeds(joint))
      if (start.first < distance[start.second]) {
        distance[start.second] = start.first;
        queue.push(start);
      }
    while (!queue.empty()) {
      const auto [d, i] = queue.top();
      queue.pop();
      if (d > distance[i]) continue;
      const int x = int(i % r_), y = int(i / r_ % r_), z = int(i / r_ / r_);
      for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx) {
            if (x + dx < 0 || x + dx >= r_ || y + dy < 0 || y + dy >= r_ || z + dz < 0 ||
                z + dz >= r_)
              continue;
            const std::size_t n = index(x + dx, y + dy, z + dz);
            if (n == i || !inside_[n]) continue;
            const double step = std::sqrt(dx * dx + dy * dy + dz * dz) / r_;
            const double through = d + step * (boundary_[n] ? options_.penalty : 1.0);
            if (through >= distance[n]) continue;
            distance[n] = through;
            queue.emplace(through, n);
          }
    }
    return distance;
  }

  /// The non-exterior voxels that touch a point, or else the nearest one.
  std::vector<std::size_t> voxels_at(const Point& p) const {
    std::vector<std::size_t> found;
    visit_meeting({p, p, p}, [&](std::size_t i) {
      if (inside_[i]) found.push_back(i);
    });
    if (!found.empty()) return found;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < inside_.size(); ++i)
      if (inside_[i]) least = std::min(least, to_voxel({p, p}, center(i), 0.5 / r_));
    for (std::size_t i = 0; i < inside_.size(); ++i)
      if (inside_[i] && to_voxel({p, p}, center(i), 0.5 / r_) <= least + 1e-9) found.push_back(i);
    return found;
  }

  using Row = std::vector<std::pair<double, std::uint32_t>>;  ///< weight, joint

  /// Equations 7 to 9 for one vertex; empty if nothing reaches it.
  Row row_of(const Point& p, const std::vector<std::vector<double>>& distances) const {
    Row row;
    const std::vector<std::size_t> voxels = voxels_at(p);
    for (std::uint32_t i = 0; i < distances.size(); ++i) {
      double d = std::numeric_limits<double>::infinity();
      for (const std::size_t voxel : voxels)
        d = std::min(d, distances[i][voxel] + (p - center(voxel)).norm());
      if (std::isfinite(d)) row.emplace_back(d, i);
    }
    std::sort(row.begin(), row.end());
    if (options_.max_influences > 0 && row.size() > std::size_t(options_.max_influences))
      row.resize(static_cast<std::size_t>(options_.max_influences));
    const double lambda = (1.0 - options_.alpha) * 5.0 + options_.alpha * 30.0;
    double sum = 0.0;
    for (auto& [d, i] : row) {
      d = std::pow(std::max(d, 1.0 / lattice_size), -lambda);
      sum += d;
    }
    for (auto& [d, i] : row) d /= sum;
    return row;
  }

  SkinWeights weigh(const std::vector<std::vector<double>>& distances) const {
    std::vector<Row> rows;
    for (const Point& p : positions_) rows.push_back(row_of(p, distances));
    SkinWeights weights;
    for (std::size_t v = 0; v < rows.size(); ++v) {
      std::size_t from = v;
      double least = std::numeric_limits<double>::infinity();
      if (rows[v].empty())
        for (std::size_t other = 0; other < rows.size(); ++other)
          if (!rows[other].empty() && (positions_[other] - positions_[v]).norm() < least) {
            least = (positions_[other] - positions_[v]).norm();
            from = other;
          }
      for (const auto& [weight, joint] : rows[from]) {
        weights.joint.push_back(joint);
        weights.weight.push_back(static_cast<float>(weight));
      }
      weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
    }
    return weights;
  }

  BindOptions options_;
  int r_;
  std::vector<Triangle> triangles_;
  std::vector<Point> positions_;
  std::vector<JointBones> influences_;
  std::vector<bool> boundary_, inside_;  ///< inside: interior or boundary
};

inline SkinWeights reference_bind(std::span<const Point> positions,
                                  std::span<const Triangle> triangles,
                                  std::span<const Joint> joints, const BindOptions& options) {
  return ReferenceBinder(positions, triangles, joints, options).bind();
}

}  // namespace gvbind::test
