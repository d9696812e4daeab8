#include "rig/bridge_parts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "gvbind/base/disjoint_sets.h"

namespace gvbind::rig {

namespace {

using Cells = std::vector<Eigen::Vector3i>;

bool comes_before(const Eigen::Vector3i& a, const Eigen::Vector3i& b) {
  return std::tie(a.z(), a.y(), a.x()) < std::tie(b.z(), b.y(), b.x());
}

// Minimum size of another body, relative to the largest component.
constexpr double body_volume_share = 0.4, body_length_share = 0.5;
// Of the height of all cells. The arms and legs of a figure in pieces are shorter.
constexpr double body_height_share = 0.6;

void sort_cells(Cells& cells) {
  std::ranges::sort(cells, comes_before);
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
}

/// A box of numbers around cells, with a margin of air.
struct Box {
  Eigen::Vector3i low, extent;
  std::vector<std::int32_t> owner;  ///< by position, the nearest cell, or -1

  Box(const Cells& cells, int air) {
    low = cells[0];
    Eigen::Vector3i high = cells[0];
    for (const Eigen::Vector3i& cell : cells) {
      low = low.cwiseMin(cell);
      high = high.cwiseMax(cell);
    }
    low.array() -= air;
    extent = high - low + Eigen::Vector3i::Constant(1 + air);
    owner.assign(static_cast<std::size_t>(extent.x()) * extent.y() * extent.z(), -1);
  }
  std::size_t at(const Eigen::Vector3i& voxel) const {
    const Eigen::Vector3i p = voxel - low;
    return (static_cast<std::size_t>(p.z()) * extent.y() + p.y()) * extent.x() + p.x();
  }
  bool inside(const Eigen::Vector3i& voxel) const {
    return ((voxel - low).array() >= 0).all() && ((voxel - low).array() < extent.array()).all();
  }
};

/// By cell, its component, numbered by first cells.
std::vector<std::uint32_t> parts_of(const Cells& cells, const Box& box) {
  DisjointSets sets(cells.size());
  for (std::uint32_t c = 0; c < cells.size(); ++c)
    for (int d = 0; d < 13; ++d) {
      const Eigen::Vector3i other = cells[c] + Eigen::Vector3i(d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1);
      if (box.inside(other) && box.owner[box.at(other)] >= 0)
        sets.join(c, static_cast<std::uint32_t>(box.owner[box.at(other)]));
    }
  std::vector<std::uint32_t> part(cells.size());
  for (std::uint32_t c = 0; c < cells.size(); ++c) part[c] = sets.root(c);
  return part;
}

struct Gap {
  long squared;  ///< squared length
  int depth;     ///< below the origin: of gaps of one length the highest counts, as limbs hang
  std::int32_t from, to;
  auto operator<=>(const Gap&) const = default;
};

/// Gaps between two components that are as good as each other.
using Ties = std::vector<Gap>;

void add_gap(const Gap& gap, Ties& ties) {
  const auto rank = [](const Gap& g) { return std::pair(g.squared, g.depth); };
  if (!ties.empty() && rank(gap) > rank(ties.front())) return;
  if (!ties.empty() && rank(gap) < rank(ties.front())) ties.clear();
  ties.push_back(gap);
}

/// The one nearest to the middle of all, as a neck is in the middle of a shoulder.
Gap middle_of(const Ties& ties, const Cells& cells) {
  const auto twice_at = [&](const Gap& gap) {
    return Eigen::Vector3d((cells[gap.from] + cells[gap.to]).cast<double>());
  };
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Gap& gap : ties) sum += twice_at(gap);
  sum /= static_cast<double>(ties.size());
  return *std::ranges::min_element(ties, {}, [&](const Gap& gap) {
    return std::pair((twice_at(gap) - sum).squaredNorm(), std::pair(gap.from, gap.to));
  });
}

/// The smallest gap of each pair of components whose neighborhoods meet. Cells claim the air around
/// them layer by layer.
std::vector<Gap> gaps_between(const Cells& cells, Box& box, const std::vector<std::uint32_t>& part,
                              int reach) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Ties> least;
  Cells front = cells;
  for (int step = 0; step <= reach / 2 && !front.empty(); ++step) {
    Cells next;
    for (const Eigen::Vector3i& at : front) {
      const std::int32_t own = box.owner[box.at(at)];
      for (int d = 0; d < 6; ++d) {
        const Eigen::Vector3i other = at + (d % 2 ? 1 : -1) * Eigen::Vector3i::Unit(d / 2);
        if (!box.inside(other)) continue;
        std::int32_t& claimed = box.owner[box.at(other)];
        if (claimed < 0) {
          claimed = own;
          next.push_back(other);
        } else if (part[claimed] != part[own]) {
          const auto [a, b] = std::minmax(own, claimed);
          const Gap gap{(cells[a] - cells[b]).cast<long>().squaredNorm(),
                        -(cells[a].y() + cells[b].y()), a, b};
          add_gap(gap, least[std::minmax(part[a], part[b])]);
        }
      }
    }
    front = std::move(next);
  }
  std::vector<Gap> gaps;
  for (const auto& [pair, ties] : least) gaps.push_back(middle_of(ties, cells));
  std::ranges::sort(gaps);
  return gaps;
}

void add_line(const Eigen::Vector3i& from, const Eigen::Vector3i& to, Cells& cells) {
  const int steps = (to - from).cwiseAbs().maxCoeff();
  for (int i = 1; i < steps; ++i) {
    const Eigen::Vector3d at =
        from.cast<double>() + (to - from).cast<double>() * (static_cast<double>(i) / steps);
    cells.push_back(at.array().rint().cast<int>());
  }
}

/// The root with the most cells, or the next ones after it; ties: the first.
std::uint32_t root_of_group(const std::vector<std::size_t>& count, std::size_t group) {
  std::vector<std::uint32_t> roots;
  for (std::uint32_t c = 0; c < count.size(); ++c)
    if (count[c] > 0) roots.push_back(c);
  std::ranges::stable_sort(roots, std::ranges::greater(),
                           [&](std::uint32_t root) { return count[root]; });
  return roots[std::min(group, roots.size() - 1)];
}

struct PartBox {
  std::size_t count = 0;
  Eigen::Vector3i low, high;

  void add(const Eigen::Vector3i& cell) {
    low = count == 0 ? cell : Eigen::Vector3i(low.cwiseMin(cell));
    high = count == 0 ? cell : Eigen::Vector3i(high.cwiseMax(cell));
    ++count;
  }
  Eigen::Vector3i sides() const { return (high - low).array() + 1; }
  int length() const { return sides().maxCoeff(); }
  bool is_apart(const PartBox& other, int axis) const {
    return low[axis] > other.high[axis] || other.low[axis] > high[axis];
  }
  /// Whether two of three sides are about as long. Two bodies may hold their arms in different
  /// ways.
  bool is_shaped_like(const PartBox& other) const {
    const Eigen::Array3i a = sides(), b = other.sides();
    return (a <= 2 * b && b <= 2 * a).count() >= 2;
  }
};

}  // namespace

BodyCount count_bodies(Cells cells) {
  sort_cells(cells);
  Box box(cells, 1);
  for (std::size_t c = 0; c < cells.size(); ++c)
    box.owner[box.at(cells[c])] = static_cast<std::int32_t>(c);
  const std::vector<std::uint32_t> part = parts_of(cells, box);
  std::map<std::uint32_t, PartBox> parts;
  PartBox all;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    parts[part[c]].add(cells[c]);
    all.add(cells[c]);
  }
  const PartBox main = std::ranges::max_element(parts, {}, [](const auto& entry) {
                         return entry.second.count;
                       })->second;
  const auto stands = [&](const PartBox& body) {
    return body.sides().y() >= body_height_share * all.sides().y();
  };
  BodyCount count;
  for (const auto& [first, other] : parts) {
    if (static_cast<double>(other.count) < body_volume_share * static_cast<double>(main.count) ||
        other.length() < body_length_share * main.length())
      continue;
    if (other.is_apart(main, 0) || other.is_apart(main, 2)) {
      if (stands(main) && stands(other) && other.is_shaped_like(main)) ++count.beside;
    } else if (other.is_apart(main, 1))
      ++count.stacked;
  }
  return count;
}

Cells bridged_parts(Cells cells, int reach, std::size_t group) {
  sort_cells(cells);
  Box box(cells, reach / 2 + 2);
  for (std::size_t c = 0; c < cells.size(); ++c)
    box.owner[box.at(cells[c])] = static_cast<std::int32_t>(c);
  const std::vector<std::uint32_t> part = parts_of(cells, box);
  DisjointSets joined(cells.size());
  for (std::uint32_t c = 0; c < cells.size(); ++c) joined.join(c, part[c]);
  Cells lines;
  std::vector<std::uint32_t> line_part;
  for (const Gap& gap : gaps_between(cells, box, part, reach)) {
    const auto a = static_cast<std::uint32_t>(gap.from), b = static_cast<std::uint32_t>(gap.to);
    if (gap.squared > static_cast<long>(reach) * reach || joined.root(a) == joined.root(b))
      continue;
    joined.join(a, b);
    add_line(cells[a], cells[b], lines);
    line_part.resize(lines.size(), a);
  }
  std::vector<std::size_t> count(cells.size(), 0);
  for (std::uint32_t c = 0; c < cells.size(); ++c) ++count[joined.root(c)];
  const std::uint32_t main = root_of_group(count, group);
  Cells kept;
  for (std::uint32_t c = 0; c < cells.size(); ++c)
    if (joined.root(c) == main) kept.push_back(cells[c]);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (joined.root(line_part[i]) == main) kept.push_back(lines[i]);
  sort_cells(kept);
  return kept;
}

}  // namespace gvbind::rig
