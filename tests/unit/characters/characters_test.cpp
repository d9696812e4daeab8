#include "characters/characters.h"

#include <catch2/catch.hpp>

#include "../gvbind/reference_bind.h"
#include "gvbind/bind_skin.h"
#include "gvbind/solid/column_voxelizer.h"
#include "support/skip.h"

namespace gvbind {

using test::character_files;
using test::join;
using test::JoinedMesh;
using test::load_character;

namespace {

void compare_with_reference(int resolution) {
  for (const auto& path : character_files()) {
    const Scene scene = load_character(path);
    if (scene.meshes.empty()) continue;
    const JoinedMesh mesh = join(scene);
    BindOptions options = paper_options();
    options.resolution = resolution;
    options.device = Device::cpu;
    const BindResult result =
        gvbind::bind_skin({mesh.positions, mesh.triangles}, mesh.joints, options);
    const SkinWeights reference =
        test::reference_bind(mesh.positions, mesh.triangles, mesh.joints, options);
    const double l1 = test::mean_l1(result.weights, reference);
    INFO(path.filename().string() << " at " << resolution << ": mean L1 " << l1);
    CHECK(l1 < 0.03);
    WARN(path.filename().string() << " at " << resolution << ": mean L1 " << l1);
  }
}

}  // namespace

// The other cases always run on the samples; this one shows the runner whether there were more.
TEST_CASE("there are characters of other people") {
  if (std::filesystem::is_directory(GVBIND_CHARACTERS))
    CHECK(character_files().size() > 1);
  else
    test::skip("no folder " GVBIND_CHARACTERS);
}

TEST_CASE("weights are those of a uniform grid and one Dijkstra a bone, at 64") {
  compare_with_reference(64);
}

TEST_CASE("weights are those of a uniform grid and one Dijkstra a bone, at 128", "[long]") {
  compare_with_reference(128);
}

TEST_CASE("every vertex of every character gets weights that sum to one") {
  for (const auto& path : character_files()) {
    const Scene scene = load_character(path);
    if (scene.meshes.empty()) continue;
    const JoinedMesh mesh = join(scene);
    BindOptions options;
    options.resolution = 128;
    options.device = Device::cpu;
    const BindResult result =
        gvbind::bind_skin({mesh.positions, mesh.triangles}, mesh.joints, options);
    INFO(path.filename().string());
    REQUIRE(result.weights.vertex_count() == mesh.positions.size());
    double worst = 0.0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      double sum = 0.0;
      for (std::uint32_t i = result.weights.first[v]; i < result.weights.first[v + 1]; ++i)
        sum += result.weights.weight[i];
      worst = std::max(worst, std::abs(sum - 1.0));
    }
    CHECK(worst < 1e-5);
  }
}

}  // namespace gvbind
