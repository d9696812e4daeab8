#include "gvbind/solid/voxel_edits.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "gvbind/base/parallel.h"
#include "gvbind/solid/primitive_voxels.h"

namespace gvbind {

namespace {

using Word = std::uint64_t;

/// Effects of edits that the solid does not show.
struct EditState {
  Solid& solid;
  BitGrid sealed;        ///< exterior before the seal
  BitGrid cut;           ///< by the last edit of the voxel
  BitGrid cut_boundary;  ///< cut voxels of the surface
};

/// Returns the number of voxels changed.
int edit_word(EditKind kind, EditState& state, std::size_t word, Word mask) {
  Word &solid = state.solid.non_exterior.words[word], &boundary = state.solid.boundary.words[word];
  Word &sealed = state.sealed.words[word], &cut = state.cut.words[word];
  Word& cut_boundary = state.cut_boundary.words[word];
  const Word solid_before = solid, boundary_before = boundary;
  if (kind == EditKind::cut) {
    cut |= mask;
    cut_boundary |= boundary & ~sealed & mask;
    sealed &= ~mask;
    solid &= ~mask;
    boundary &= ~mask;
  } else {
    const Word changed = mask & ~solid;
    cut &= ~mask;
    cut_boundary &= ~mask;
    solid |= mask;
    if (kind == EditKind::seal) {
      sealed |= changed;
      boundary |= changed;
    } else {
      boundary &= ~(sealed & mask);
      sealed &= ~mask;
    }
  }
  return std::popcount((solid ^ solid_before) | (boundary ^ boundary_before));
}

std::size_t apply_edit(const VolumeEdit& edit, const UnitCube& cube, EditState& state) {
  std::atomic<std::size_t> changed{0};
  const BitGrid& grid = state.solid.non_exterior;
  visit_voxels(edit.where, cube, grid.resolution, [&](const VoxelRun& run) {
    std::size_t here = 0;
    const std::size_t row = grid.word_index(0, run.y, run.z);
    for (int w = run.first / 64; w <= run.last / 64; ++w)
      here += static_cast<std::size_t>(
          edit_word(edit.kind, state, row + static_cast<std::size_t>(w), run_mask(run, w)));
    changed += here;
  });
  return changed;
}

bool any_set(const BitGrid& grid) {
  return std::any_of(grid.words.begin(), grid.words.end(), [](Word word) { return word != 0; });
}

void fill_enclosed(EditState& state) {
  BitGrid& solid = state.solid.non_exterior;
  const std::size_t words = solid.words.size();
  const BitGrid open_after = open_voxels(solid);
  for (std::size_t w = 0; w < words; ++w) solid.words[w] &= ~state.sealed.words[w];
  const BitGrid open_before = open_voxels(solid);
  for (std::size_t w = 0; w < words; ++w)
    solid.words[w] |=
        state.sealed.words[w] | (open_before.words[w] & ~open_after.words[w] & ~state.cut.words[w]);
}

std::vector<MortonCode> codes_of(const BitGrid& grid) {
  std::vector<MortonCode> codes;
  for (int z = 0; z < grid.resolution; ++z)
    for (int y = 0; y < grid.resolution; ++y)
      for (int w = 0; w < grid.words_per_row; ++w)
        for (Word left = grid.words[grid.word_index(64 * w, y, z)]; left; left &= left - 1)
          codes.push_back(morton_code(64 * w + std::countr_zero(left), y, z));
  std::ranges::sort(codes);
  return codes;
}

void count_voxels(Solid& solid) {
  std::atomic<std::size_t> interior{0}, boundary{0};
  parallel_for(solid.boundary.words.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
    std::size_t interior_here = 0, boundary_here = 0;
    for (std::size_t w = begin; w < end; ++w) {
      const Word surface = solid.boundary.words[w];
      boundary_here += static_cast<std::size_t>(std::popcount(surface));
      interior_here +=
          static_cast<std::size_t>(std::popcount(solid.non_exterior.words[w] & ~surface));
    }
    interior += interior_here;
    boundary += boundary_here;
  });
  solid.interior_voxels = interior;
  solid.boundary_voxels = boundary;
}

/// Spreads set bits to adjacent free bits.
Word spread(Word set, Word free) {
  Word up = free, down = free, left = set, right = set;
  for (int step = 1; step < 64; step *= 2) {
    left |= up & left << step;
    right |= down & right >> step;
    up &= up << step;
    down &= down >> step;
  }
  return left | right;
}

/// Flood fill of a grid's free voxels by sweeps, repeated until nothing changes.
class OpenFlood {
 public:
  explicit OpenFlood(const BitGrid& solid) : solid_(solid), open_(solid.resolution) {}

  BitGrid run() {
    while (sweep(false) | sweep(true)) check_stop();
    return std::move(open_);
  }

 private:
  bool sweep(bool backward) {
    const int r = solid_.resolution;
    bool changed = false;
    for (int i = 0; i < r * r; ++i) {
      const int row = backward ? r * r - 1 - i : i;
      changed |= enter_row(row % r, row / r);
    }
    return changed;
  }

  bool enter_row(int y, int z) {
    const int r = solid_.resolution, words = solid_.words_per_row;
    const Word used = r < 64 ? (Word{1} << r) - 1 : ~Word{0};
    const bool rim = y == 0 || z == 0 || y == r - 1 || z == r - 1;
    bool changed = false;
    for (int w = 0; w < words; ++w) {
      const std::size_t at = solid_.word_index(64 * w, y, z);
      Word entered = rim ? used : 0;
      if (w == 0) entered |= 1;
      if (w == words - 1) entered |= Word{1} << ((r - 1) & 63);
      if (!rim)
        for (const auto& [dy, dz] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}})
          entered |= open_.words[solid_.word_index(64 * w, y + dy, z + dz)];
      if (w > 0) entered |= open_.words[at - 1] >> 63;
      if (w + 1 < words) entered |= open_.words[at + 1] << 63;
      const Word free = ~solid_.words[at] & used;
      const Word open = spread((open_.words[at] | entered) & free, free);
      changed |= open != open_.words[at];
      open_.words[at] = open;
    }
    return changed;
  }

  const BitGrid& solid_;
  BitGrid open_;
};

}  // namespace

BitGrid open_voxels(const BitGrid& solid) { return OpenFlood(solid).run(); }

VoxelEdits apply_edits(std::span<const VolumeEdit> edits, const UnitCube& cube, Solid& solid) {
  const int r = solid.non_exterior.resolution;
  EditState state{solid, BitGrid(r), BitGrid(r), BitGrid(r)};
  VoxelEdits done;
  for (const VolumeEdit& edit : edits) done.changed.push_back(apply_edit(edit, cube, state));
  if (any_set(state.sealed)) fill_enclosed(state);
  done.cut = codes_of(state.cut_boundary);
  count_voxels(solid);
  return done;
}

}  // namespace gvbind
