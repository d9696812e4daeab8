#include <bit>
#include <catch2/catch.hpp>

#include "../gvbind/reference_bind.h"
#include "../gvbind/unit_scene.h"
#include "character/topology.h"
#include "characters/characters.h"
#include "egl/egl_context.h"
#include "egl/slab_voxelizer.h"
#include "gvbind/bind_skin.h"
#include "gvbind/egl.h"
#include "gvbind/solid/ambiguous_voxels.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/column_voxelizer.h"
#include "gvbind/solid/vote.h"
#include "gvbind/solid/voxelize.h"
#include "support/skip.h"

namespace gvbind {

using test::character_files;
using test::join;
using test::JoinedMesh;
using test::load_character;

namespace {

std::optional<egl::EglDevice> usable_device() {
  for (const egl::EglDevice& device : egl::probe_egl_devices())
    if (device.usable) return device;
  test::skip("no usable EGL device");
  return std::nullopt;
}

Solid solid_of(AxisVotes votes, const BitGrid& boundary, const LatticeMesh& unit) {
  VotedSolid voted = combine_votes(std::move(votes), boundary);
  resolve_ambiguous_voxels(voted, unit, WindingTree(unit));
  return std::move(voted.solid);
}

std::size_t different_voxels(const BitGrid& a, const BitGrid& b) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < a.words.size(); ++w)
    count += static_cast<std::size_t>(std::popcount(a.words[w] ^ b.words[w]));
  return count;
}

}  // namespace

TEST_CASE("the CPU and an EGL device make the same solid") {
  const std::optional<egl::EglDevice> device = usable_device();
  if (!device) return;
  egl::EglContext context(*device);
  for (const auto& path : character_files()) {
    const Scene scene = load_character(path);
    if (scene.meshes.empty()) continue;
    const JoinedMesh mesh = join(scene);
    const test::UnitScene unit =
        test::normalize(mesh.positions, mesh.triangles, bone_segments(mesh.joints));
    const Topology topology = topology_of(mesh.positions, mesh.triangles);
    const bool closed = topology.open_edges == 0 && topology.non_manifold_edges == 0;
    for (const int resolution : {128, 256}) {
      const BitGrid boundary = boundary_voxels(unit, resolution);
      const Solid cpu = solid_of(voxelize_columns(unit, resolution), boundary, unit);
      const Solid egl = solid_of(egl::voxelize_slabs(context, unit, resolution), boundary, unit);
      const std::size_t different = different_voxels(cpu.non_exterior, egl.non_exterior);
      INFO(path.filename().string() << " at " << resolution << ": " << different << " of "
                                    << cpu.interior_voxels << " interior voxels differ");
      CHECK(static_cast<double>(different) <= 0.001 * static_cast<double>(cpu.interior_voxels));
      if (closed && resolution == 128) CHECK(different == 0);
    }
  }
}

TEST_CASE("the CPU and an EGL device give the same weights") {
  if (!usable_device()) return;
  for (const auto& path : character_files()) {
    const Scene scene = load_character(path);
    if (scene.meshes.empty()) continue;
    const JoinedMesh mesh = join(scene);
    BindOptions options;
    options.resolution = 128;
    options.device = Device::cpu;
    const BindResult cpu =
        gvbind::bind_skin({mesh.positions, mesh.triangles}, mesh.joints, options);
    options.device = Device::egl;
    options.gpu = &egl::egl_voxelizer();
    const BindResult egl =
        gvbind::bind_skin({mesh.positions, mesh.triangles}, mesh.joints, options);
    INFO(path.filename().string());
    CHECK(test::mean_l1(cpu.weights, egl.weights) < 0.002);
  }
}

}  // namespace gvbind
