#include "gvbind/facing.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "gvbind/mesh_parts.h"
#include "gvbind/parallel.h"
#include "gvbind/winding_number.h"

namespace gvbind {

namespace {

constexpr std::size_t most_samples = 512;
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
    std::uint32_t piece;
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
    if (pa.piece == pb.piece) return (pa.against ^ pb.against) == against;
    const std::uint32_t low = std::min(pa.piece, pb.piece), high = std::max(pa.piece, pb.piece);
    parent_[high] = low;
    against_[high] = pa.against ^ pb.against ^ against;
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> against_;
};

/// What is known of a piece.
struct Piece {
  bool open = false, one_sided = false;
  bool doubtful = false;  ///< whether it has to turn, by volume alone
  bool turn = false;      ///< its first triangle and those along with it; else those against it
  double area = 0.0, against = 0.0;  ///< of all, and of those that run against the first
  double volume = 0.0;               ///< as the first runs, about the piece's middle
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  std::vector<std::uint32_t> triangles;  ///< of a doubtful one
};

class Turner {
 public:
  Turner(UnitScene& scene, const FacingOptions& options)
      : scene_(scene),
        options_(options),
        piece_of_(scene.triangles.size()),
        against_(scene.triangles.size()) {}

  TurnedFaces run() {
    find_pieces();
    measure();
    for (Piece& piece : pieces_) agree(piece);
    turn_open();
    TurnedFaces turned;
    std::vector<bool> counted(pieces_.size());
    for (std::uint32_t t = 0; t < piece_of_.size(); ++t) {
      if (!turns(t)) continue;
      std::swap(scene_.triangles[t][1], scene_.triangles[t][2]);
      ++turned.triangles;
      turned.pieces += !counted[piece_of_[t]];
      counted[piece_of_[t]] = true;
    }
    return turned;
  }

 private:
  bool turns(std::uint32_t t) const {
    const Piece& piece = pieces_[piece_of_[t]];
    return !piece.one_sided && piece.turn != (against_[t] != 0);
  }

  void find_pieces() {
    Sides sides(piece_of_.size());
    std::vector<std::uint32_t> opened, one_sided;
    const Edges edges = edges_of(scene_, welded_places(scene_));
    for (std::size_t p = 0; p + 1 < edges.first.size(); ++p)
      for (std::uint32_t i = edges.first[p], end = i; i < edges.first[p + 1]; i = end) {
        while (end < edges.first[p + 1] && edges.list[end].high == edges.list[i].high) ++end;
        const Edge &a = edges.list[i], &b = edges.list[end - 1];
        if (end - i != 2)
          for (std::uint32_t k = i; k < end; ++k) opened.push_back(edges.list[k].triangle);
        else if (!sides.join(a.triangle, b.triangle, a.up == b.up))
          one_sided.push_back(a.triangle);
      }
    for (std::uint32_t t = 0; t < piece_of_.size(); ++t) {
      const auto [first, against] = sides.find(t);  // the lowest of its piece
      if (first == t) {
        piece_of_[t] = static_cast<std::uint32_t>(pieces_.size());
        pieces_.emplace_back();
      }
      piece_of_[t] = piece_of_[first];
      against_[t] = against;
    }
    for (const std::uint32_t t : opened) pieces_[piece_of_[t]].open = true;
    for (const std::uint32_t t : one_sided) pieces_[piece_of_[t]].one_sided = true;
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
    for (std::uint32_t t = 0; t < piece_of_.size(); ++t) {
      Piece& piece = pieces_[piece_of_[t]];
      const double area = normal(t).norm() / 2.0;
      piece.area += area;
      if (against_[t] != 0) piece.against += area;
      piece.middle += middle(t) * area;
    }
    for (Piece& piece : pieces_)
      if (piece.area > 0.0) piece.middle /= piece.area;
    for (std::uint32_t t = 0; t < piece_of_.size(); ++t) {
      Piece& piece = pieces_[piece_of_[t]];
      const double part = normal(t).dot(corner(t, 0) - piece.middle) / 6.0;
      piece.volume += against_[t] != 0 ? -part : part;
    }
  }

  /// Has a piece run as most of it does, or a closed one outward.
  void agree(Piece& piece) {
    const double least = options_.least_volume * std::pow(piece.area, 1.5);
    const double along = piece.area - piece.against;
    piece.turn = piece.against > along;
    // As many each way: no more than the volume tells.
    if (std::abs(piece.against - along) <= same_area * piece.area) {
      piece.turn = piece.volume < 0.0;
      piece.one_sided = piece.one_sided || std::abs(piece.volume) <= least;
    }
    if (piece.one_sided || std::abs(piece.volume) <= least) return;
    if (!piece.open)
      piece.turn = piece.volume < 0.0;
    else
      piece.doubtful = (piece.volume < 0.0) != piece.turn;
  }

  /// What an open piece's volume makes doubtful its winding numbers decide.
  void turn_open() {
    if (std::ranges::none_of(pieces_, &Piece::doubtful)) return;
    UnitScene agreed = scene_;
    for (std::uint32_t t = 0; t < piece_of_.size(); ++t) {
      if (turns(t)) std::swap(agreed.triangles[t][1], agreed.triangles[t][2]);
      Piece& piece = pieces_[piece_of_[t]];
      if (piece.doubtful) piece.triangles.push_back(t);
    }
    const WindingTree tree(agreed);
    for (Piece& piece : pieces_) {
      // By place, so that what is asked does not depend on the order of triangles.
      std::ranges::sort(piece.triangles, {}, [&](std::uint32_t t) {
        const Eigen::Vector3d at = middle(t);
        return std::tuple(at.x(), at.y(), at.z(), normal(t).squaredNorm());
      });
      const std::size_t step = std::max<std::size_t>(1, piece.triangles.size() / most_samples);
      double sum = 0.0;
      std::size_t count = 0;
      for (std::size_t i = 0; i < piece.triangles.size(); i += step, ++count)
        sum += tree(middle(piece.triangles[i]));
      if (count > 0 && sum < options_.most_winding * static_cast<double>(count))
        piece.turn = !piece.turn;
    }
  }

  UnitScene& scene_;
  const FacingOptions& options_;
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> piece_of_;
  std::vector<std::uint8_t> against_;  ///< the first of its piece
};

}  // namespace

TurnedFaces turn_faces_outward(UnitScene& scene, const FacingOptions& options) {
  return Turner(scene, options).run();
}

}  // namespace gvbind
