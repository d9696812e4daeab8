#include "gvbind/solid/vote.h"

#include <atomic>
#include <bit>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/solid/column_voxelizer.h"

namespace gvbind {

namespace {

constexpr std::size_t word_grain = 1 << 14;

/// Number of axes with a view. Two of two axes have to agree, or two of three.
int looking_axes(unsigned views) {
  int axes = 0;
  for (int axis = 0; axis < 3; ++axis)
    axes += (views & (view_plus_x | view_minus_x) << (2 * axis)) != 0;
  return axes;
}

/// Equation 6 for 64 voxels.
struct WordVotes {
  std::uint64_t interior, ambiguous;
};
WordVotes combined(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t surface,
                   std::uint64_t one_decides) {
  const std::uint64_t interior = (x & y) | (x & z) | (y & z) | ((x | y | z) & one_decides);
  return {interior, (x ^ y ^ z) & ~interior & ~surface};
}

struct VoteCounts {
  std::size_t interior = 0, boundary = 0, ambiguous = 0;

  void add(const WordVotes& votes, std::uint64_t surface) {
    interior += static_cast<std::size_t>(std::popcount(votes.interior & ~surface));
    boundary += static_cast<std::size_t>(std::popcount(surface));
    ambiguous += static_cast<std::size_t>(std::popcount(votes.ambiguous));
  }
};

/// Adds one thread's counts.
void add_counts(const VoteCounts& counts, Solid& solid) {
  const auto add = [](std::size_t& sum, std::size_t more) {
    std::atomic_ref(sum).fetch_add(more, std::memory_order_relaxed);
  };
  add(solid.interior_voxels, counts.interior);
  add(solid.boundary_voxels, counts.boundary);
  add(solid.ambiguous_voxels, counts.ambiguous);
}

std::uint64_t bits_if_one_decides(unsigned views) {
  return looking_axes(views) == 1 ? ~std::uint64_t{0} : 0;
}

}  // namespace

VotedSolid combine_votes(AxisVotes votes, BitGrid boundary, unsigned views) {
  const std::uint64_t one_decides = bits_if_one_decides(views);
  VotedSolid voted;
  // Reuses the memory of the votes for the result: at the finest resolution a grid is 1 GB.
  auto &x = votes.axis[0].words, &y = votes.axis[1].words, &z = votes.axis[2].words;
  parallel_for(x.size(), word_grain, [&](std::size_t begin, std::size_t end) {
    VoteCounts counts;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t surface = boundary.words[i];
      if ((x[i] | y[i] | z[i] | surface) == 0) continue;  // keeps pages untouched
      const WordVotes word = combined(x[i], y[i], z[i], surface, one_decides);
      counts.add(word, surface);
      x[i] = word.interior | surface;
      y[i] = word.ambiguous;
    }
    add_counts(counts, voted.solid);
  });
  voted.solid.non_exterior = std::move(votes.axis[0]);
  voted.ambiguous = std::move(votes.axis[1]);
  voted.solid.boundary = std::move(boundary);
  return voted;
}

VotedSolid column_vote(const LatticeMesh& mesh, BitGrid boundary, unsigned views) {
  const std::uint64_t one_decides = bits_if_one_decides(views);
  VotedSolid voted;
  Solid& solid = voted.solid;
  solid.non_exterior = BitGrid(boundary.resolution);
  voted.ambiguous = BitGrid(boundary.resolution);
  visit_column_votes(mesh, boundary.resolution, views, [&](const VoteLayer& layer) {
    VoteCounts counts;
    const std::size_t first = boundary.word_index(0, 0, layer.z);
    for (std::size_t i = 0; i < layer.axis[0].size(); ++i) {
      const std::uint64_t x = layer.axis[0][i], y = layer.axis[1][i], z = layer.axis[2][i];
      const std::uint64_t surface = boundary.words[first + i];
      if ((x | y | z | surface) == 0) continue;
      const WordVotes word = combined(x, y, z, surface, one_decides);
      counts.add(word, surface);
      // Pages without set bits stay untouched.
      if ((word.interior | surface) != 0)
        solid.non_exterior.words[first + i] = word.interior | surface;
      if (word.ambiguous != 0) voted.ambiguous.words[first + i] = word.ambiguous;
    }
    add_counts(counts, solid);
  });
  solid.boundary = std::move(boundary);
  return voted;
}

}  // namespace gvbind
