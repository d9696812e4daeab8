// Tested by tests/command/preview_test.py.

#include "commands/preview/preview_command.h"
#include "common/console.h"
#include "formats/clip.h"
#include "formats/convert/convert.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

/// An FBX states its axes in world space, but the picture is drawn in bind space.
void turn_to_bind(const Eigen::Affine3d& world_to_bind, Units& units) {
  units.up = (world_to_bind.linear() * units.up).normalized();
  units.front = (world_to_bind.linear() * units.front).normalized();
}

}  // namespace

PreviewInput read_textured(const std::string& path, const ReadLimits& limits) {
  PreviewInput input = read_preview(path, limits);
  Findings findings;
  naming(path, [&] {
    if (std::holds_alternative<Scene>(input.document))
      throw Error(ErrorKind::usage,
                  "--textured draws glTF and FBX; bind the file into one of them first");
    const NodeScene file = read_still(input.document, read_options(limits, path));
    input.textures = preview::texture_set(preview::surface_of(file, input.scene, findings));
    if (std::holds_alternative<std::shared_ptr<FbxDocument>>(input.document)) {
      preview::split_scene(file, input.scene);
      turn_to_bind(world_to_bind(input.document, input.scene), input.scene.units);
    }
  });
  for (const Finding& finding : findings)
    print_finding(finding.severity, path + ": " + finding.message);
  return input;
}

}  // namespace gvbind
