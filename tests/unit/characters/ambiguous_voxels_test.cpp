#include "gvbind/solid/ambiguous_voxels.h"

#include <catch2/catch.hpp>

#include "../gvbind/compare_votes.h"
#include "../gvbind/unit_scene.h"
#include "characters/characters.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/column_voxelizer.h"

namespace gvbind {

TEST_CASE("cells decide single votes as voxels do, at 256", "[long]") {
  for (const auto& path : test::character_files()) {
    const Scene scene = test::load_character(path);
    if (scene.meshes.empty()) continue;
    const test::JoinedMesh mesh = test::join(scene);
    const test::UnitScene unit =
        test::normalize(mesh.positions, mesh.triangles, bone_segments(mesh.joints));
    const test::VotesCompared compared = test::compare_votes(
        combine_votes(voxelize_columns(unit, 256), boundary_voxels(unit, 256)), unit);
    INFO(path.filename().string() << ": " << compared.votes << " single votes, " << compared.queries
                                  << " asked");
    CHECK(compared.different == 0);
  }
}

}  // namespace gvbind
