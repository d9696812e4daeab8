#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bind/bind_scene.h"
#include "bind/scene_rules.h"
#include "gvbind/error.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/voxel_edits.h"
#include "round_trip.h"
#include "rule_scene.h"

namespace {

using namespace gvbind;

void check_edits(std::span<const VolumeEdit> edits, const Scene& scene) {
  constexpr int resolution = 32;
  const std::vector<Joint> joints = joint_points(scene);
  const Character character =
      prepare_character({scene.meshes[0].positions, scene.meshes[0].triangles}, joints);
  Solid solid{boundary_voxels(character.mesh, resolution), {}};
  solid.non_exterior = solid.boundary;
  const VoxelEdits done = apply_edits(edits, character.cube, solid);
  fuzz::require(done.changed.size() == edits.size(), "every edit is counted");
  for (std::size_t w = 0; w < solid.boundary.words.size(); ++w)
    fuzz::require((solid.boundary.words[w] & ~solid.non_exterior.words[w]) == 0,
                  "boundary voxels belong to the solid");
  for (const MortonCode code : done.cut)
    fuzz::require(!solid.non_exterior.test(morton_cell(code)), "cut voxels are exterior");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::TimeLimit limit;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz::accepts([&] {
    RuleSet rules;
    try {
      rules.edits = parse_edits(text, "f");
    } catch (const Error& error) {
      fuzz::require(error.kind() == ErrorKind::input && fuzz::names_line(error.what(), "f"),
                    "a refusal names the file and the line");
      throw;
    }
    Scene scene = fuzz::rule_scene();
    Findings findings;
    check_edits(resolve_rules(rules, scene.meshes, scene.joints, findings).edits, scene);
  });
  return 0;
}
