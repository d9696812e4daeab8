#include "gvbind/character_solid.h"

#include <catch2/catch.hpp>
#include <map>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

std::map<VoxelKind, std::size_t> kinds_of(const Figure& f, const BindOptions& options) {
  BindResult result;
  const Monitor unwatched;
  StageClock clock(result.statistics.stages, unwatched, bind_stages);
  Character character = prepare_character({f.shape.positions, f.shape.triangles}, f.joints,
                                          character_options(options));
  SolidTrace trace;
  const CharacterSolid made = character_solid(character, f.joints, options, clock, result, &trace);
  std::map<VoxelKind, std::size_t> counts;
  const int r = options.resolution;
  for (int z = 0; z < r; ++z)
    for (int y = 0; y < r; ++y)
      for (int x = 0; x < r; ++x) ++counts[voxel_kind(made.solid, trace, {x, y, z})];
  CHECK(counts[VoxelKind::boundary] + counts[VoxelKind::sealed] ==
        result.statistics.boundary_voxels);
  CHECK(counts[VoxelKind::interior] + counts[VoxelKind::winding] + counts[VoxelKind::added] ==
        result.statistics.interior_voxels);
  return counts;
}

}  // namespace

TEST_CASE("every voxel has the state and reason that its stages gave it") {
  Figure f = figure();
  BindOptions options;
  options.resolution = 64;
  options.device = Device::cpu;
  auto counts = kinds_of(f, options);
  CHECK(counts[VoxelKind::interior] > 100);
  for (const VoxelKind none : {VoxelKind::added, VoxelKind::cut, VoxelKind::sealed})
    CHECK(counts[none] == 0);
  options.rules.edits = {{EditKind::add, {Primitive::Kind::sphere, {0.8, 0.5, 0}, {0, 0, 0}, 0.2}},
                         {EditKind::cut, {Primitive::Kind::box, {-2, 1.4, -1}, {-0.8, 2, 1}}},
                         {EditKind::seal, {Primitive::Kind::box, {0.5, 1.8, 0}, {0.8, 1.9, 0.1}}}};
  counts = kinds_of(f, options);
  for (const VoxelKind some : {VoxelKind::added, VoxelKind::cut, VoxelKind::sealed})
    CHECK(counts[some] > 10);
}

TEST_CASE("with one view pair the winding number is not asked, with two it decides") {
  const Figure f = figure();
  BindOptions options;
  options.resolution = 64;
  options.device = Device::cpu;
  options.views = view_plus_y | view_minus_y;
  CHECK(kinds_of(f, options)[VoxelKind::winding] == 0);
}
