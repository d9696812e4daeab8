#include "gvbind/solid/vote.h"

#include <atomic>
#include <bit>
#include <utility>

#include "gvbind/base/parallel.h"

namespace gvbind {

namespace {

constexpr std::size_t word_grain = 1 << 14;

/// Of two axes both have to agree, as of three.
int looking_axes(unsigned views) {
  int axes = 0;
  for (int axis = 0; axis < 3; ++axis)
    axes += (views & (view_plus_x | view_minus_x) << (2 * axis)) != 0;
  return axes;
}

}  // namespace

VotedSolid combine_votes(AxisVotes votes, BitGrid boundary, unsigned views) {
  const std::uint64_t one_decides = looking_axes(views) == 1 ? ~std::uint64_t{0} : 0;
  VotedSolid voted;
  Solid& solid = voted.solid;
  std::atomic<std::size_t> interior_count{0}, boundary_count{0}, single_count{0};
  // The votes' own memory becomes the result: at the finest resolution a grid is 128 MB.
  ZeroedArray<std::uint64_t>&x = votes.axis[0].words, &y = votes.axis[1].words,
  &z = votes.axis[2].words;
  parallel_for(x.size(), word_grain, [&](std::size_t begin, std::size_t end) {
    std::size_t interior_here = 0, boundary_here = 0, single_here = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t surface = boundary.words[i];
      if ((x[i] | y[i] | z[i] | surface) == 0) continue;  // leaves pages untouched
      const std::uint64_t interior =
          (x[i] & y[i]) | (x[i] & z[i]) | (y[i] & z[i]) | ((x[i] | y[i] | z[i]) & one_decides);
      const std::uint64_t ambiguous = (x[i] ^ y[i] ^ z[i]) & ~interior & ~surface;
      interior_here += std::popcount(interior & ~surface);
      boundary_here += std::popcount(surface);
      single_here += std::popcount(ambiguous);
      x[i] = interior | surface;
      y[i] = ambiguous;
    }
    interior_count += interior_here;
    boundary_count += boundary_here;
    single_count += single_here;
  });
  solid.non_exterior = std::move(votes.axis[0]);
  voted.ambiguous = std::move(votes.axis[1]);
  solid.boundary = std::move(boundary);
  solid.interior_voxels = interior_count;
  solid.boundary_voxels = boundary_count;
  solid.ambiguous_voxels = single_count;
  return voted;
}

}  // namespace gvbind
