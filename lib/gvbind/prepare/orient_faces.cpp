#include "gvbind/prepare/orient_faces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "gvbind/base/parallel.h"
#include "gvbind/prepare/components.h"
#include "gvbind/prepare/winding_number.h"

namespace gvbind {

namespace {

constexpr std::size_t max_samples = 512;
/// Areas are the same if they differ by less than this part.
constexpr double same_area = 1e-6;

/// An edge of a triangle, under the lower of its places.
struct Edge {
  std::uint32_t high, triangle;
  bool up;  ///< the triangle runs along it from the lower to the higher place
};

/// Of every place, the edges to higher ones: [first[place], first[place + 1]), by their other end.
struct Edges {
  std::vector<std::uint32_t> first;
  std::vector<Edge> list;
};

Edges edges_of(const UnitScene& scene, const std::vector<std::uint32_t>& place) {
  Edges edges;
  edges.first.assign(place.size() + 1, 0);
  const auto visit = [&](const auto& body) {
    for (std::uint32_t t = 0; t < scene.triangles.size(); ++t) {
      const Triangle& corners = scene.triangles[t];
      const Triangle at = {place[corners[0]], place[corners[1]], place[corners[2]]};
      if (at[0] == at[1] || at[1] == at[2] || at[2] == at[0]) continue;
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t a = at[k], b = at[(k + 1) % 3];
        body(std::min(a, b), Edge{std::max(a, b), t, a < b});
      }
    }
  };
  visit([&](std::uint32_t low, const Edge&) { ++edges.first[low + 1]; });
  std::partial_sum(edges.first.begin(), edges.first.end(), edges.first.begin());
  edges.list.resize(edges.first.back());
  std::vector<std::uint32_t> next(edges.first.begin(), edges.first.end() - 1);
  visit([&](std::uint32_t low, const Edge& edge) { edges.list[next[low]++] = edge; });
  parallel_for(place.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p)
      std::sort(edges.list.begin() + edges.first[p], edges.list.begin() + edges.first[p + 1],
                [](const Edge& a, const Edge& b) {
                  return a.high != b.high ? a.high < b.high : a.triangle < b.triangle;
                });
  });
  return edges;
}

/// Sets of triangles in which each knows whether it runs the way of the set's first.
class Sides {
 public:
  explicit Sides(std::size_t triangles) : parent_(triangles), against_(triangles, 0) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  struct Place {
    std::uint32_t patch;
    bool against;
  };
  Place find(std::uint32_t t) {
    std::uint32_t root = t;
    bool against = false;
    for (; parent_[root] != root; root = parent_[root]) against ^= against_[root] != 0;
    const bool sum = against;
    while (parent_[t] != root && t != root) {
      const std::uint32_t next = parent_[t];
      const bool own = against_[t] != 0;
      parent_[t] = root;
      against_[t] = against;
      against ^= own;
      t = next;
    }
    return {root, sum};
  }
  /// False where the two are known to run otherwise.
  bool join(std::uint32_t a, std::uint32_t b, bool against) {
    const Place pa = find(a), pb = find(b);
    if (pa.patch == pb.patch) return (pa.against ^ pb.against) == against;
    const std::uint32_t low = std::min(pa.patch, pb.patch), high = std::max(pa.patch, pb.patch);
    parent_[high] = low;
    against_[high] = pa.against ^ pb.against ^ against;
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> against_;
};

/// What is known of a piece.
struct Patch {
  bool open = false, one_sided = false;
  bool doubtful = false;  ///< whether it has to turn, by volume alone
  bool flip = false;      ///< its first triangle and those along with it; else those against it
  double area = 0.0, against = 0.0;  ///< of all, and of those that run against the first
  double volume = 0.0;               ///< as the first runs, about the piece's middle
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  std::vector<std::uint32_t> triangles;  ///< of a doubtful one
};

class Orienter {
 public:
  Orienter(UnitScene& scene, const OrientOptions& options)
      : scene_(scene),
        options_(options),
        patch_of_(scene.triangles.size()),
        against_(scene.triangles.size()) {}

  FlippedFaces run() {
    find_patches();
    measure();
    for (Patch& patch : patches_) agree(patch);
    flip_open();
    FlippedFaces flipped;
    std::vector<bool> counted(patches_.size());
    for (std::uint32_t t = 0; t < patch_of_.size(); ++t) {
      if (!flips(t)) continue;
      std::swap(scene_.triangles[t][1], scene_.triangles[t][2]);
      ++flipped.triangles;
      flipped.patches += !counted[patch_of_[t]];
      counted[patch_of_[t]] = true;
    }
    return flipped;
  }

 private:
  bool flips(std::uint32_t t) const {
    const Patch& patch = patches_[patch_of_[t]];
    return !patch.one_sided && patch.flip != (against_[t] != 0);
  }

  void find_patches() {
    Sides sides(patch_of_.size());
    std::vector<std::uint32_t> opened, one_sided;
    const Edges edges = edges_of(scene_, welded_vertices(scene_));
    for (std::size_t p = 0; p + 1 < edges.first.size(); ++p)
      for (std::uint32_t i = edges.first[p], end = i; i < edges.first[p + 1]; i = end) {
        while (end < edges.first[p + 1] && edges.list[end].high == edges.list[i].high) ++end;
        const Edge &a = edges.list[i], &b = edges.list[end - 1];
        if (end - i != 2)
          for (std::uint32_t k = i; k < end; ++k) opened.push_back(edges.list[k].triangle);
        else if (!sides.join(a.triangle, b.triangle, a.up == b.up))
          one_sided.push_back(a.triangle);
      }
    for (std::uint32_t t = 0; t < patch_of_.size(); ++t) {
      const auto [first, against] = sides.find(t);  // the lowest of its piece
      if (first == t) {
        patch_of_[t] = static_cast<std::uint32_t>(patches_.size());
        patches_.emplace_back();
      }
      patch_of_[t] = patch_of_[first];
      against_[t] = against;
    }
    for (const std::uint32_t t : opened) patches_[patch_of_[t]].open = true;
    for (const std::uint32_t t : one_sided) patches_[patch_of_[t]].one_sided = true;
  }

  Eigen::Vector3d corner(std::uint32_t t, int k) const {
    return scene_.positions[scene_.triangles[t][k]].cast<double>();
  }
  Eigen::Vector3d middle(std::uint32_t t) const {
    return (corner(t, 0) + corner(t, 1) + corner(t, 2)) / 3.0;
  }
  /// Normal, as long as twice the area.
  Eigen::Vector3d normal(std::uint32_t t) const {
    return (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0));
  }

  void measure() {
    for (std::uint32_t t = 0; t < patch_of_.size(); ++t) {
      Patch& patch = patches_[patch_of_[t]];
      const double area = normal(t).norm() / 2.0;
      patch.area += area;
      if (against_[t] != 0) patch.against += area;
      patch.middle += middle(t) * area;
    }
    for (Patch& patch : patches_)
      if (patch.area > 0.0) patch.middle /= patch.area;
    for (std::uint32_t t = 0; t < patch_of_.size(); ++t) {
      Patch& patch = patches_[patch_of_[t]];
      const double part = normal(t).dot(corner(t, 0) - patch.middle) / 6.0;
      patch.volume += against_[t] != 0 ? -part : part;
    }
  }

  /// Has a piece run as most of it does, or a closed one outward.
  void agree(Patch& patch) {
    const double least = options_.min_volume * std::pow(patch.area, 1.5);
    const double along = patch.area - patch.against;
    patch.flip = patch.against > along;
    // As many each way: no more than the volume tells.
    if (std::abs(patch.against - along) <= same_area * patch.area) {
      patch.flip = patch.volume < 0.0;
      patch.one_sided = patch.one_sided || std::abs(patch.volume) <= least;
    }
    if (patch.one_sided || std::abs(patch.volume) <= least) return;
    if (!patch.open)
      patch.flip = patch.volume < 0.0;
    else
      patch.doubtful = (patch.volume < 0.0) != patch.flip;
  }

  /// What an open piece's volume makes doubtful its winding numbers decide.
  void flip_open() {
    if (std::ranges::none_of(patches_, &Patch::doubtful)) return;
    UnitScene agreed = scene_;
    for (std::uint32_t t = 0; t < patch_of_.size(); ++t) {
      if (flips(t)) std::swap(agreed.triangles[t][1], agreed.triangles[t][2]);
      Patch& patch = patches_[patch_of_[t]];
      if (patch.doubtful) patch.triangles.push_back(t);
    }
    const WindingTree tree(agreed);
    for (Patch& patch : patches_) {
      // By place, so that what is asked does not depend on the order of triangles.
      std::ranges::sort(patch.triangles, {}, [&](std::uint32_t t) {
        const Eigen::Vector3d at = middle(t);
        return std::tuple(at.x(), at.y(), at.z(), normal(t).squaredNorm());
      });
      const std::size_t step = std::max<std::size_t>(1, patch.triangles.size() / max_samples);
      double sum = 0.0;
      std::size_t count = 0;
      for (std::size_t i = 0; i < patch.triangles.size(); i += step, ++count)
        sum += tree(middle(patch.triangles[i]));
      if (count > 0 && sum < options_.max_winding * static_cast<double>(count))
        patch.flip = !patch.flip;
    }
  }

  UnitScene& scene_;
  const OrientOptions& options_;
  std::vector<Patch> patches_;
  std::vector<std::uint32_t> patch_of_;
  std::vector<std::uint8_t> against_;  ///< the first of its piece
};

}  // namespace

FlippedFaces orient_faces(UnitScene& scene, const OrientOptions& options) {
  return Orienter(scene, options).run();
}

}  // namespace gvbind
