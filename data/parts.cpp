#include "parts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace gvbind {
namespace {

constexpr int cap_rings = 2;

struct Ring {
  Eigen::Vector3d center, tangent;
  double wide, deep;
};

/// Catmull-Rom between b and c.
template <typename Value>
Value between(const Value& a, const Value& b, const Value& c, const Value& d, double t) {
  const double t2 = t * t, t3 = t2 * t;
  return 0.5 * (2.0 * b + (c - a) * t + (2.0 * a - 5.0 * b + 4.0 * c - d) * t2 +
                (3.0 * b - a - 3.0 * c + d) * t3);
}

std::vector<Ring> smooth_rings(std::span<const Section> sections, int steps) {
  const auto last = static_cast<int>(sections.size()) - 1;
  const auto at = [&](int i) -> const Section& {
    return sections[static_cast<std::size_t>(std::clamp(i, 0, last))];
  };
  std::vector<Ring> rings;
  for (int i = 0; i <= last * steps; ++i) {
    const int span = std::min(i / steps, last - 1);
    const double t = static_cast<double>(i - span * steps) / steps;
    const Section &a = at(span - 1), &b = at(span), &c = at(span + 1), &d = at(span + 2);
    // The center's own curve would stall at the ends, where a section stands for its neighbor too.
    const Eigen::Vector3d before =
        span == 0 ? Eigen::Vector3d(2.0 * b.center - c.center) : a.center;
    const Eigen::Vector3d after =
        span == last - 1 ? Eigen::Vector3d(2.0 * c.center - b.center) : d.center;
    rings.push_back({between<Eigen::Vector3d>(before, b.center, c.center, after, t),
                     Eigen::Vector3d::Zero(), between(a.wide, b.wide, c.wide, d.wide, t),
                     between(a.deep, b.deep, c.deep, d.deep, t)});
  }
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const Ring& before = rings[i == 0 ? 0 : i - 1];
    const Ring& after = rings[std::min(i + 1, rings.size() - 1)];
    rings[i].tangent = (after.center - before.center).normalized();
  }
  return rings;
}

/// A ring of a round cap: `part` of the way from the rim (0) to the pole (1).
Ring cap_ring(const Ring& rim, double bulge, double part) {
  const double angle = part * M_PI / 2;
  Ring ring = rim;
  ring.center += rim.tangent * (bulge * std::sin(angle));
  ring.wide *= std::cos(angle);
  ring.deep *= std::cos(angle);
  return ring;
}

void add_ring(Part& part, const Ring& ring, const SweepOptions& options) {
  const Eigen::Vector3d wide =
      (options.side - ring.tangent * ring.tangent.dot(options.side)).normalized();
  const Eigen::Vector3d deep = ring.tangent.cross(wide);
  for (int k = 0; k < options.around; ++k) {
    const double angle = 2.0 * M_PI * k / options.around;
    part.positions.emplace_back(ring.center + wide * (ring.wide * std::cos(angle)) +
                                deep * (ring.deep * std::sin(angle)));
  }
}

}  // namespace

Part sweep(std::span<const Section> sections, const SweepOptions& options) {
  std::vector<Ring> rings = smooth_rings(sections, options.steps);
  const Ring first = rings.front(), last = rings.back();
  for (int i = 1; i <= cap_rings; ++i) {
    const double way = static_cast<double>(i) / (cap_rings + 1);
    if (!options.start_open)
      rings.insert(rings.begin(), cap_ring(first, -options.start_bulge, way));
    if (!options.end_open) rings.push_back(cap_ring(last, options.end_bulge, way));
  }
  Part part;
  for (const Ring& ring : rings) add_ring(part, ring, options);
  const auto count = static_cast<int>(rings.size());
  const auto at = [&](int ring, int k) {
    return static_cast<std::uint32_t>(ring * options.around + k % options.around);
  };
  for (int i = 0; i + 1 < count; ++i)
    for (int k = 0; k < options.around; ++k) {
      part.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
      part.triangles.push_back({at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)});
    }
  if (!options.start_open) {
    const auto pole = static_cast<std::uint32_t>(part.positions.size());
    part.positions.push_back(first.center - first.tangent * options.start_bulge);
    for (int k = 0; k < options.around; ++k)
      part.triangles.push_back({pole, at(0, k + 1), at(0, k)});
  }
  if (!options.end_open) {
    const auto pole = static_cast<std::uint32_t>(part.positions.size());
    part.positions.push_back(last.center + last.tangent * options.end_bulge);
    for (int k = 0; k < options.around; ++k)
      part.triangles.push_back({pole, at(count - 1, k), at(count - 1, k + 1)});
  }
  return part;
}

Part ellipsoid(const Eigen::Vector3d& center, const Eigen::Vector3d& radii, int around, int along) {
  Part part;
  part.positions.push_back(center - Eigen::Vector3d(0, radii.y(), 0));
  for (int i = 1; i < along; ++i)
    for (int k = 0; k < around; ++k) {
      const double rise = M_PI * i / along, turn = 2.0 * M_PI * k / around;
      const Eigen::Vector3d direction(std::sin(rise) * std::cos(turn), -std::cos(rise),
                                      -std::sin(rise) * std::sin(turn));
      part.positions.emplace_back(center + radii.cwiseProduct(direction));
    }
  const auto top = static_cast<std::uint32_t>(part.positions.size());
  part.positions.push_back(center + Eigen::Vector3d(0, radii.y(), 0));
  const auto at = [&](int ring, int k) {
    return static_cast<std::uint32_t>(1 + (ring - 1) * around + k % around);
  };
  for (int k = 0; k < around; ++k) {
    part.triangles.push_back({0, at(1, k + 1), at(1, k)});
    for (int i = 1; i + 1 < along; ++i) {
      part.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
      part.triangles.push_back({at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)});
    }
    part.triangles.push_back({top, at(along - 1, k), at(along - 1, k + 1)});
  }
  return part;
}

Part sheet(int columns, int rows, const std::function<Eigen::Vector3d(double, double)>& at) {
  Part part;
  for (int y = 0; y <= rows; ++y)
    for (int x = 0; x <= columns; ++x)
      part.positions.push_back(at(static_cast<double>(x) / columns, static_cast<double>(y) / rows));
  const auto index = [&](int x, int y) {
    return static_cast<std::uint32_t>(y * (columns + 1) + x);
  };
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      part.triangles.push_back({index(x, y), index(x, y + 1), index(x + 1, y)});
      part.triangles.push_back({index(x + 1, y), index(x, y + 1), index(x + 1, y + 1)});
    }
  return part;
}

Part mirrored(const Part& part) {
  Part result = part;
  for (Eigen::Vector3d& p : result.positions) p.x() = -p.x();
  for (Triangle& t : result.triangles) std::swap(t[1], t[2]);
  return result;
}

void append(SceneMesh& mesh, const Part& part) {
  const auto base = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), part.positions.begin(), part.positions.end());
  for (const Triangle& t : part.triangles)
    mesh.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
}

void append_both_sides(SceneMesh& mesh, const Part& part) {
  append(mesh, part);
  append(mesh, mirrored(part));
}

void add_normals(SceneMesh& mesh) {
  std::vector<Eigen::Vector3d> sums(mesh.positions.size(), Eigen::Vector3d::Zero());
  for (const Triangle& t : mesh.triangles) {
    const Eigen::Vector3d& a = mesh.positions[t[0]];
    const Eigen::Vector3d area = (mesh.positions[t[1]] - a).cross(mesh.positions[t[2]] - a);
    for (const std::uint32_t v : t) sums[v] += area;
  }
  mesh.normals.clear();
  for (const Eigen::Vector3d& sum : sums) mesh.normals.emplace_back(sum.normalized().cast<float>());
}

}  // namespace gvbind
