// Tested by tests/command/preview_test.py.

#include <utility>

#include "commands/preview/preview_command.h"
#include "common/console.h"
#include "gvbind/error.h"

namespace gvbind {

PreviewInput read_textured(const std::string& path, const ReadLimits& limits) {
  PreviewInput input;
  input.path = path;
  Findings findings, of_textures;
  DroppedFeatures losses;
  naming(path, [&] {
    input.document = read_as_gltf(path, read_options(limits, path), losses, findings);
    const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&input.document);
    if (!gltf)
      throw Error(ErrorKind::usage, "--textured draws glTF and FBX; 'gvbind bind' makes one of it");
    input.scene = scene_of(input.document, {}, findings, {.attributes = false});
    if (input.scene.meshes.empty()) throw Error(ErrorKind::cannot_bind, "holds no mesh");
    input.textures = texture_set(read_surface(**gltf, input.scene, of_textures));
  });
  for (const Finding& finding : of_textures)
    print_finding(finding.severity, path + ": " + finding.message);
  return input;
}

}  // namespace gvbind
