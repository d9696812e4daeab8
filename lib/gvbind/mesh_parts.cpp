#include "gvbind/mesh_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gvbind/morton.h"

namespace gvbind {

namespace {

constexpr int most_rows = 40;

std::uint64_t code_of(const Eigen::Vector3i& p) { return morton_code(p.x(), p.y(), p.z()); }

class Sets {
 public:
  explicit Sets(std::vector<std::uint32_t> parents) : parent_(std::move(parents)) {}
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

std::vector<std::uint32_t> welded_places(const UnitScene& scene) {
  struct Place {
    int x, y, z;
    std::uint32_t vertex;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places(scene.positions.size());
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const Eigen::Vector3i& p = scene.positions[i];
    places[i] = {p.x(), p.y(), p.z(), i};
  }
  std::sort(places.begin(), places.end());
  std::vector<std::uint32_t> first(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool same =
        i > 0 && scene.positions[places[i].vertex] == scene.positions[places[i - 1].vertex];
    first[places[i].vertex] = same ? first[places[i - 1].vertex] : places[i].vertex;
  }
  return first;
}

MeshParts mesh_parts(const UnitScene& scene) {
  const std::vector<std::uint32_t> place = welded_places(scene);
  Sets sets(place);
  for (const Triangle& t : scene.triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[0], t[2]);
  }
  MeshParts parts;
  std::vector<std::uint32_t> number(place.size(), no_part);
  for (std::uint32_t t = 0; t < scene.triangles.size(); ++t) {
    std::uint32_t& n = number[sets.find(scene.triangles[t][0])];
    if (n == no_part) {
      n = static_cast<std::uint32_t>(parts.triangles.size());
      parts.triangles.emplace_back();
    }
    parts.triangles[n].push_back(t);
  }
  parts.vertices.assign(parts.triangles.size(), 0);
  for (std::uint32_t v = 0; v < place.size(); ++v) {
    parts.part.push_back(number[sets.find(v)]);
    if (parts.part[v] != no_part) parts.vertices[parts.part[v]] += place[v] == v;
  }
  return parts;
}

std::vector<SurfacePoint> surface_points(const UnitScene& scene, const MeshParts& parts,
                                         double spacing) {
  std::vector<SurfacePoint> points;
  for (std::uint32_t p = 0; p < parts.count(); ++p) {
    const std::size_t first = points.size();
    for (const std::uint32_t index : parts.triangles[p]) {
      Eigen::Vector3d corner[3];
      for (int k = 0; k < 3; ++k)
        corner[k] = scene.positions[scene.triangles[index][k]].cast<double>();
      double longest = 0.0;
      for (int k = 0; k < 3; ++k)
        longest = std::max(longest, (corner[k] - corner[(k + 1) % 3]).norm());
      const int rows = std::clamp(static_cast<int>(std::ceil(longest / spacing)), 1, most_rows);
      for (int i = 0; i <= rows; ++i)
        for (int k = 0; i + k <= rows; ++k) {
          const Eigen::Vector3d at =
              (corner[0] * i + corner[1] * k + corner[2] * (rows - i - k)) / rows;
          points.push_back({at.array().round().cast<int>(), p});
        }
    }
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(first);
    const auto before = [](const SurfacePoint& a, const SurfacePoint& b) {
      return code_of(a.at) < code_of(b.at);
    };
    std::sort(begin, points.end(), before);
    points.erase(
        std::unique(begin, points.end(),
                    [](const SurfacePoint& a, const SurfacePoint& b) { return a.at == b.at; }),
        points.end());
  }
  return points;
}

}  // namespace gvbind
