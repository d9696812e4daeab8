// Tested by tests/app/preview_test.py.

#include <utility>

#include "assets/convert/convert.h"
#include "common/console.h"
#include "gvbind/error.h"
#include "preview/preview_command.h"

namespace gvbind {

namespace {

/// Nothing of it is written: the name says the format alone.
constexpr const char* as_gltf = "preview.glb";

Document gltf_of(const std::string& path, const ReadOptions& reading, Findings& findings) {
  Document document = read_document(path, findings, reading);
  if (!converts_whole(document, as_gltf)) return document;
  Losses unused;
  const Document made = convert_document(document, as_gltf, {.reading = reading}, unused, findings);
  // Read back: JSON that was read has other types of numbers than JSON that was made.
  std::vector<EncodedFile> files = encode(made, as_gltf, findings);
  return parse_gltf(std::move(files.front().bytes), path, reading);
}

}  // namespace

PreviewInput read_textured(const std::string& path, const ReadLimits& limits) {
  PreviewInput input;
  input.path = path;
  Findings findings, of_textures;
  naming(path, [&] {
    input.document = gltf_of(path, with_root(read_options(limits, path), path), findings);
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
