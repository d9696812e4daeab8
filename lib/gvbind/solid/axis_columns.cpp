#include "gvbind/solid/axis_columns.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "gvbind/base/parallel.h"

namespace gvbind {

namespace {

__extension__ using Int128 = __int128;

// Ties between a voxel center and a face or edge are broken by moving the center by (e, e^2, e^3)
// for an infinitesimal e > 0. All three axes use the same move, so a closed surface is in general
// position for every column, and all six views see the same inside.

constexpr ColumnAxes column_axes[3] = {{1, 2, 0}, {0, 2, 1}, {0, 1, 2}};

int sign(std::int64_t x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// Sign of the first nonzero component: the side of the plane to which the center moves.
int leading_sign(const std::int64_t n[3]) {
  return n[0] != 0 ? sign(n[0]) : n[1] != 0 ? sign(n[1]) : sign(n[2]);
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

}  // namespace

AxisColumns::AxisColumns(const LatticeMesh& mesh, int resolution, int axis)
    : mesh_(mesh),
      resolution_(resolution),
      axes_(column_axes[axis]),
      shift_(voxel_shift(resolution)) {
  half_ = 1 << (shift_ - 1);
  collect();
}

FacePlane AxisColumns::plane_of(std::uint32_t triangle) const {
  const Triangle& t = mesh_.triangles[triangle];
  const auto a = mesh_.positions[t[0]].cast<std::int64_t>().eval();
  const auto ab = (mesh_.positions[t[1]].cast<std::int64_t>() - a).eval();
  const auto ac = (mesh_.positions[t[2]].cast<std::int64_t>() - a).eval();
  const auto n = ab.cross(ac).eval();
  return {{n[0], n[1], n[2]}, {a[0], a[1], a[2]}};
}

/// Calls cover(column, row) for each pixel whose moved center lies in the triangle's image.
template <class Cover>
void AxisColumns::rasterize(std::uint32_t triangle, const Cover& cover) const {
  const Triangle& t = mesh_.triangles[triangle];
  std::int64_t u[3], v[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = mesh_.positions[t[i]][axes_.u];
    v[i] = mesh_.positions[t[i]][axes_.v];
  }
  const int left = first_center(std::min({u[0], u[1], u[2]}));
  const int right = last_center(std::max({u[0], u[1], u[2]}));
  const int bottom = first_center(std::min({v[0], v[1], v[2]}));
  const int top = last_center(std::max({v[0], v[1], v[2]}));
  if (left > right || bottom > top) return;
  const std::int64_t area = (u[1] - u[0]) * (v[2] - v[0]) - (v[1] - v[0]) * (u[2] - u[0]);
  if (area == 0) return;
  if (area < 0) {
    std::swap(u[1], u[2]);
    std::swap(v[1], v[2]);
  }
  std::int64_t row_value[3], du[3], dv[3];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    du[i] = u[j] - u[i];
    dv[i] = v[j] - v[i];
    row_value[i] = du[i] * (center(bottom) - v[i]) - dv[i] * (center(left) - u[i]);
    // A center on the edge is inside if it moves inside.
    if (!(dv[i] < 0 || (dv[i] == 0 && du[i] > 0))) --row_value[i];
    du[i] <<= shift_;
    dv[i] <<= shift_;
  }
  for (int row = bottom; row <= top; ++row) {
    std::int64_t e0 = row_value[0], e1 = row_value[1], e2 = row_value[2];
    for (int column = left; column <= right; ++column) {
      if ((e0 | e1 | e2) >= 0) cover(column, row);
      e0 -= dv[0];
      e1 -= dv[1];
      e2 -= dv[2];
    }
    for (int i = 0; i < 3; ++i) row_value[i] += du[i];
  }
}

void AxisColumns::collect() {
  const std::size_t columns = static_cast<std::size_t>(resolution_) * resolution_;
  first_.assign(columns + 1, 0);
  constexpr std::size_t grain = 1024;
  parallel_for(mesh_.triangles.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t)
      rasterize(static_cast<std::uint32_t>(t), [&](int column, int row) {
        std::atomic_ref<std::uint32_t>(first_[column_of(row, column) + 1])
            .fetch_add(1, std::memory_order_relaxed);
      });
  });
  for (std::size_t i = 0; i < columns; ++i) first_[i + 1] += first_[i];
  crossings_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  parallel_for(mesh_.triangles.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const auto triangle = static_cast<std::uint32_t>(t);
      const FacePlane face = plane_of(triangle);
      rasterize(triangle, [&](int column, int row) {
        const std::uint32_t at = std::atomic_ref<std::uint32_t>(next[column_of(row, column)])
                                     .fetch_add(1, std::memory_order_relaxed);
        crossings_[at] = {static_cast<std::int32_t>(depth(face, column, row).first), triangle};
      });
    }
  });
  parallel_for(static_cast<std::size_t>(resolution_), 8, [&](std::size_t begin, std::size_t end) {
    for (int row = static_cast<int>(begin); row < static_cast<int>(end); ++row)
      for (int column = 0; column < resolution_; ++column) {
        const std::size_t i = column_of(row, column);
        if (first_[i + 1] - first_[i] < 2) continue;
        std::sort(crossings_.begin() + first_[i], crossings_.begin() + first_[i + 1],
                  [&](const ColumnCrossing& a, const ColumnCrossing& b) {
                    const int order = compare(a, b, column, row);
                    return order != 0 ? order < 0 : a.triangle < b.triangle;
                  });
      }
  });
}

std::pair<std::int64_t, std::int64_t> AxisColumns::depth(const FacePlane& f, int column,
                                                         int row) const {
  const std::int64_t slope = f.n[axes_.u] * (center(column) - f.corner[axes_.u]) +
                             f.n[axes_.v] * (center(row) - f.corner[axes_.v]);
  const std::int64_t n = f.n[axes_.w];
  const std::int64_t rise = floor_div(-slope, n);
  return {f.corner[axes_.w] + rise, std::abs(-slope - rise * n)};
}

/// Order along the column at its moved center; 0 only for coplanar faces.
int AxisColumns::compare(const ColumnCrossing& a, const ColumnCrossing& b, int column,
                         int row) const {
  if (a.step != b.step) return a.step < b.step ? -1 : 1;
  const FacePlane f = plane_of(a.triangle), g = plane_of(b.triangle);
  const std::int64_t fw = f.n[axes_.w], gw = g.n[axes_.w];
  const Int128 difference = Int128{depth(f, column, row).second} * std::abs(gw) -
                            Int128{depth(g, column, row).second} * std::abs(fw);
  if (difference != 0) return difference < 0 ? -1 : 1;
  for (const int axis : {axes_.u, axes_.v}) {
    // Moving the center along this axis changes the depth by -n_axis / n_w.
    const Int128 turn = Int128{g.n[axis]} * fw - Int128{f.n[axis]} * gw;
    if (turn != 0) return (turn < 0) != ((fw < 0) != (gw < 0)) ? -1 : 1;
  }
  return 0;
}

/// Number of the column's moved voxel centers before the face.
int AxisColumns::centers_below(const ColumnCrossing& crossing, int column, int row) const {
  const int count = last_center(crossing.step) + 1;
  if (((crossing.step - half_) & ((1 << shift_) - 1)) != 0) return count;
  const FacePlane face = plane_of(crossing.triangle);
  if (depth(face, column, row).second != 0) return count;
  return leading_sign(face.n) * sign(face.n[axes_.w]) < 0 ? count : count - 1;
}

/// Appends pairs (begin, end) of voxels that either view sees as inside.
void AxisColumns::sweep_column(int column, int row, bool plus, bool minus,
                               std::vector<int>& runs) const {
  runs.clear();
  const std::size_t i = column_of(row, column);
  int begin = 0;
  bool inside_from_below = false;
  for (std::uint32_t k = first_[i]; k < first_[i + 1];) {
    const ColumnCrossing& place = crossings_[k];
    bool any_up = false, any_down = false;
    const int end = centers_below(place, column, row);
    for (; k < first_[i + 1] && compare(place, crossings_[k], column, row) == 0; ++k)
      (plane_of(crossings_[k].triangle).n[axes_.w] > 0 ? any_up : any_down) = true;
    // The front face wins: a back face counts only if no front face coincides with it.
    const bool inside_from_above = minus && any_up && !any_down;
    if ((inside_from_below || inside_from_above) && begin < end) {
      runs.push_back(begin);
      runs.push_back(end);
    }
    begin = end;
    inside_from_below = plus && any_down && !any_up;
  }
  if (inside_from_below && begin < resolution_) {
    runs.push_back(begin);
    runs.push_back(resolution_);
  }
}

}  // namespace gvbind
