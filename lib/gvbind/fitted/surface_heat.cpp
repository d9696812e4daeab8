#include "gvbind/fitted/surface_heat.h"

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>

#include "gvbind/base/parallel.h"
#include "gvbind/base/segment.h"
#include "gvbind/fitted/coarse_surface.h"

namespace gvbind {

namespace {

using Matrix = Eigen::SparseMatrix<double>;

/// Squares of entries by column of the factor, summed, are what factorizing costs.
class Solver : public Eigen::SimplicialLDLT<Matrix> {
 public:
  double operations() const { return m_nonZerosPerCol.cast<double>().squaredNorm(); }
};

using PlacePair = std::pair<std::uint32_t, std::uint32_t>;

Eigen::Vector3d closest_on(const HeatBone& bone, const Eigen::Vector3d& point) {
  const Eigen::Vector3d along = bone.b - bone.a;
  return bone.a + closest_parameter(bone.a, along, point) * along;
}

/// The distance to a bone, up to two thousand times as large where the surface faces the bone.
double faced_distance(const HeatSurface& surface, std::uint32_t place, const HeatBone& bone) {
  const Eigen::Vector3d away = surface.position[place] - closest_on(bone, surface.position[place]);
  const double distance = away.norm();
  if (!(distance > 0.0)) return 0.0;
  const double cosine = away.dot(surface.normal[place]) / distance;
  return distance / (0.5 * (cosine + 1.001));
}

/// Where bones heat the surface.
struct Anchors {
  std::vector<double> nearest;                     ///< by place
  std::vector<std::vector<std::uint32_t>> joints;  ///< by place: of the bones that heat it
};

Anchors find_anchors(const HeatSurface& surface, std::span<const HeatBone> bones,
                     const HeatOptions& options) {
  Anchors anchors{std::vector<double>(surface.count(), 0.0),
                  std::vector<std::vector<std::uint32_t>>(surface.count())};
  std::vector<std::vector<std::uint32_t>> unseen(surface.count());
  const HeatSight sight(surface);
  parallel_for(surface.count(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<double> distance(bones.size());
    for (auto p = static_cast<std::uint32_t>(begin); p < end; ++p) {
      for (std::size_t b = 0; b < bones.size(); ++b)
        distance[b] = faced_distance(surface, p, bones[b]);
      const double least = bones.empty() ? 0.0 : *std::ranges::min_element(distance);
      anchors.nearest[p] = std::max(least, bones.empty() ? 0.0 : options.least_distance);
      for (std::size_t b = 0; b < bones.size(); ++b) {
        if (distance[b] > least * (1.0 + options.tolerance)) continue;
        const bool seen = sight.sees(p, closest_on(bones[b], surface.position[p]));
        (seen ? anchors.joints : unseen)[p].push_back(bones[b].joint);
      }
    }
  });
  std::vector<bool> heated(surface.count(), false);
  for (std::uint32_t p = 0; p < surface.count(); ++p)
    if (!anchors.joints[p].empty()) heated[surface.piece[p]] = true;
  for (std::uint32_t p = 0; p < surface.count(); ++p)
    if (!heated[surface.piece[p]]) anchors.joints[p] = std::move(unseen[p]);
  return anchors;
}

/// Cotangents of a triangle's angles, by corner; zero for a degenerate one.
std::array<double, 3> cotangents(const std::array<Eigen::Vector3d, 3>& at) {
  std::array<double, 3> made{};
  for (std::size_t k = 0; k < 3; ++k) {
    const Eigen::Vector3d a = at[(k + 1) % 3] - at[k], b = at[(k + 2) % 3] - at[k];
    const double across = a.cross(b).norm();
    if (across > 0.0) made[k] = a.dot(b) / across;
  }
  return made;
}

std::array<Eigen::Vector3d, 3> corners_of(const HeatSurface& surface, const Triangle& t) {
  return {surface.position[t[0]], surface.position[t[1]], surface.position[t[2]]};
}

/// By place, twice the area that is nearer to it than to other corners (Meyer et al. 2002, section
/// 3.3).
std::vector<double> twice_areas(const HeatSurface& surface) {
  std::vector<double> areas(surface.count(), 0.0);
  for (const Triangle& t : surface.triangles) {
    const std::array<Eigen::Vector3d, 3> at = corners_of(surface, t);
    const std::array<double, 3> cotangent = cotangents(at);
    const auto obtuse =
        std::ranges::find_if(cotangent, [](double c) { return c < 0.0; }) - cotangent.begin();
    const double area = 0.5 * (at[1] - at[0]).cross(at[2] - at[0]).norm();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3, last = (k + 2) % 3;
      if (obtuse < 3)
        areas[t[k]] += static_cast<std::size_t>(obtuse) == k ? area : 0.5 * area;
      else
        areas[t[k]] += 0.25 * (cotangent[next] * (at[last] - at[k]).squaredNorm() +
                               cotangent[last] * (at[next] - at[k]).squaredNorm());
    }
  }
  return areas;
}

/// Two places that an edge joins, the lower first.
struct Edge {
  PlacePair places;
  double conductance;
};

/// By pair of places, the mean over their triangles of the cotangent of the angle opposite.
std::vector<Edge> conductances(const HeatSurface& surface) {
  std::vector<Edge> sides;
  sides.reserve(3 * surface.triangles.size());
  for (const Triangle& t : surface.triangles) {
    const std::array<double, 3> cotangent = cotangents(corners_of(surface, t));
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(t[(k + 1) % 3], t[(k + 2) % 3]);
      sides.push_back({{low, high}, cotangent[k]});
    }
  }
  std::ranges::stable_sort(sides, {}, &Edge::places);
  std::vector<Edge> made;
  for (std::size_t first = 0, last = 0; first < sides.size(); first = last) {
    double sum = 0.0;
    for (; last < sides.size() && sides[last].places == sides[first].places; ++last)
      sum += sides[last].conductance;
    made.push_back({sides[first].places, sum / static_cast<double>(last - first)});
  }
  return made;
}

/// The equations, each multiplied by four times its place's area, so that the matrix is symmetric.
Matrix equations(const HeatSurface& surface, const std::vector<double>& anchored) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::uint32_t p = 0; p < surface.count(); ++p) entries.emplace_back(p, p, anchored[p]);
  for (const auto& [pair, conductance] : conductances(surface)) {
    const auto [a, b] = pair;
    entries.emplace_back(a, a, conductance);
    entries.emplace_back(b, b, conductance);
    entries.emplace_back(a, b, -conductance);
    entries.emplace_back(b, a, -conductance);
  }
  const auto size = static_cast<Eigen::Index>(surface.count());
  Matrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

struct PlaceHeat {
  std::uint32_t place;
  double heat;
};

double limited(double heat, const HeatOptions& options) {
  if (heat < options.none) return 0.0;
  if (heat >= options.full) return heat;
  return (heat - options.none) / (options.full - options.none) * options.full;
}

/// Rows from the shares of each joint. A place where all were too small gets the joint that heats
/// it; without one its row stays empty.
void take_rows(const std::vector<std::vector<PlaceHeat>>& by_joint, const Anchors& anchors,
               SurfaceHeat& made) {
  std::vector<std::vector<JointHeat>> rows(made.surface.count());
  for (std::uint32_t j = 0; j < by_joint.size(); ++j)
    for (const auto& [place, heat] : by_joint[j])
      rows[place].push_back({j, static_cast<float>(heat)});
  made.first = {0};
  for (std::uint32_t p = 0; p < rows.size(); ++p) {
    float sum = 0.0f;
    if (rows[p].empty() && !anchors.joints[p].empty())
      rows[p].push_back({anchors.joints[p].front(), 1.0f});
    for (const JointHeat& h : rows[p]) sum += h.heat;
    for (const JointHeat& h : rows[p]) made.heat.push_back({h.joint, h.heat / sum});
    made.first.push_back(static_cast<std::uint32_t>(made.heat.size()));
  }
}

void link_triangles(SurfaceHeat& made) {
  const HeatSurface& surface = made.surface;
  made.first_triangle.assign(surface.count() + 1, 0);
  for (const Triangle& t : surface.triangles)
    for (const std::uint32_t corner : t) ++made.first_triangle[corner + 1];
  for (std::size_t p = 0; p < surface.count(); ++p)
    made.first_triangle[p + 1] += made.first_triangle[p];
  made.triangle.resize(3 * surface.triangles.size());
  std::vector<std::uint32_t> next(made.first_triangle.begin(), made.first_triangle.end() - 1);
  for (std::uint32_t t = 0; t < surface.triangles.size(); ++t)
    for (const std::uint32_t corner : surface.triangles[t]) made.triangle[next[corner]++] = t;
}

/// By joint, where it heats the surface, in place order.
std::vector<std::vector<std::uint32_t>> heated_places(const Anchors& anchors, std::size_t joints) {
  std::vector<std::vector<std::uint32_t>> places(joints);
  for (std::uint32_t p = 0; p < anchors.joints.size(); ++p)
    for (const std::uint32_t joint : anchors.joints[p])
      if (places[joint].empty() || places[joint].back() != p) places[joint].push_back(p);
  return places;
}

}  // namespace

SurfaceHeat surface_heat(HeatSurface surface, std::span<const HeatBone> bones,
                         const HeatOptions& options) {
  SurfaceHeat made;
  made.surface = std::move(surface);
  const std::size_t count = made.surface.count();
  const Anchors anchors = find_anchors(made.surface, bones, options);
  const std::vector<double> areas = twice_areas(made.surface);
  std::vector<double> anchor(count, 0.0), anchored(count, 0.0);
  for (std::size_t p = 0; p < count; ++p) {
    const double d = anchors.nearest[p];
    if (anchors.joints[p].empty()) continue;
    anchor[p] = 2.0 * (areas[p] > 0.0 ? areas[p] : 1.0) / (d * d);
    anchored[p] = anchor[p] * static_cast<double>(anchors.joints[p].size());
  }
  const Matrix matrix = equations(made.surface, anchored);
  Solver solver;
  solver.analyzePattern(matrix);
  const bool affordable = solver.operations() <= options.max_operations;
  if (affordable) solver.factorize(matrix);
  const bool flows = affordable && solver.info() == Eigen::Success;
  std::uint32_t joints = 0;
  for (const HeatBone& bone : bones) joints = std::max(joints, bone.joint + 1);
  const std::vector<std::vector<std::uint32_t>> places = heated_places(anchors, joints);
  std::vector<std::vector<PlaceHeat>> heat(joints);
  parallel_for(joints, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      if (places[j].empty() || !flows) continue;
      Eigen::VectorXd right = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(count));
      for (const std::uint32_t p : places[j])
        right[p] = anchor[p] * static_cast<double>(std::ranges::count(
                                   anchors.joints[p], static_cast<std::uint32_t>(j)));
      const Eigen::VectorXd solved = solver.solve(right);
      for (std::uint32_t p = 0; p < count; ++p)
        if (const double share = limited(solved[p], options); share > 0.0)
          heat[j].push_back({p, share});
    }
  });
  made.nearest = anchors.nearest;
  take_rows(heat, anchors, made);
  link_triangles(made);
  return made;
}

namespace {

/// By vertex, the mesh that it is of; empty: all are of one.
std::vector<std::uint32_t> parts_of(std::span<const std::uint32_t> starts, std::size_t vertices) {
  if (starts.empty()) return {};
  std::vector<std::uint32_t> part(vertices, 0);
  for (std::size_t i = 0; i < starts.size(); ++i)
    std::fill(part.begin() + std::min<std::size_t>(starts[i], vertices), part.end(),
              static_cast<std::uint32_t>(i + 1));
  return part;
}

}  // namespace

SurfaceHeat surface_heat(const CharacterDistances& distances, std::span<const Joint> joints,
                         std::span<const std::uint32_t> mesh_starts, std::size_t max_places) {
  const Character& c = distances.character;
  const std::vector<std::uint32_t> part = parts_of(mesh_starts, c.mesh.positions.size());
  return surface_heat(coarse_surface(c.mesh, c.welded, part, max_places),
                      heat_bones(distances, joints));
}

namespace {

/// Shares of the corners at the point of a triangle that is nearest to `point` (Ericson 2005,
/// section 5.1.5).
Eigen::Vector3d nearest_shares(const std::array<Eigen::Vector3d, 3>& at,
                               const Eigen::Vector3d& point) {
  const Eigen::Vector3d ab = at[1] - at[0], ac = at[2] - at[0];
  const Eigen::Vector3d ap = point - at[0], bp = point - at[1], cp = point - at[2];
  const double d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp);
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d1 <= 0.0 && d2 <= 0.0) return {1, 0, 0};
  if (d3 >= 0.0 && d4 <= d3) return {0, 1, 0};
  if (d6 >= 0.0 && d5 <= d6) return {0, 0, 1};
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    const double w = (d4 - d3) / (d4 - d3 + d5 - d6);
    return {0, 1 - w, w};
  }
  return Eigen::Vector3d(va, vb, vc) / (va + vb + vc);
}

}  // namespace

void heat_at(const SurfaceHeat& heat, const Eigen::Vector3d& point, std::uint32_t place,
             std::vector<JointHeat>& found) {
  found.clear();
  Triangle corners = {place, place, place};
  Eigen::Vector3d shares(1, 0, 0);
  double least = (point - heat.surface.position[place]).squaredNorm();
  for (std::uint32_t i = heat.first_triangle[place]; i < heat.first_triangle[place + 1]; ++i) {
    const Triangle& t = heat.surface.triangles[heat.triangle[i]];
    const std::array<Eigen::Vector3d, 3> at = corners_of(heat.surface, t);
    const Eigen::Vector3d s = nearest_shares(at, point);
    const double apart = (s[0] * at[0] + s[1] * at[1] + s[2] * at[2] - point).squaredNorm();
    if (!(apart < least)) continue;
    least = apart;
    corners = t;
    shares = s;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const auto share = static_cast<float>(shares[static_cast<Eigen::Index>(k)]);
    if (share == 0.0f) continue;
    for (std::uint32_t i = heat.first[corners[k]]; i < heat.first[corners[k] + 1]; ++i) {
      const auto at = std::ranges::find(found, heat.heat[i].joint, &JointHeat::joint);
      if (at == found.end())
        found.push_back({heat.heat[i].joint, share * heat.heat[i].heat});
      else
        at->heat += share * heat.heat[i].heat;
    }
  }
  std::ranges::sort(found, [](const JointHeat& a, const JointHeat& b) {
    return a.heat != b.heat ? a.heat > b.heat : a.joint < b.joint;
  });
}

}  // namespace gvbind
