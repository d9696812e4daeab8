#include "bind/input_file.h"

#include <memory>
#include <utility>

#include "gvbind/error.h"
#include "io/encoded_file.h"

namespace gvbind {

namespace {

/// Never written; convert_document() takes the format from the name.
constexpr const char* as_gltf = "converted.glb";

void require_mesh(const InputFile& file) {
  if (file.scene.meshes.empty()) throw Error(ErrorKind::cannot_bind, file.path + ": holds no mesh");
}

/// A document; an FBX is converted to glTF, other formats stay as they are.
Document read_as_gltf(const std::string& path, const ReadOptions& options, DroppedFeatures& losses,
                      Findings& findings) {
  const ReadOptions reading = with_root(options, path);
  Document document = read_document(path, findings, reading);
  if (!converts_whole(document, Format::glb)) return document;
  const Document made =
      convert_document(document, as_gltf, {.reading = reading}, losses, findings).document;
  // Encode and parse again: JSON built in memory has other number types than parsed JSON.
  std::vector<EncodedFile> files = encode(made, as_gltf, findings);
  return parse_gltf(std::move(files.front().bytes), path, reading);
}

}  // namespace

InputFile read_to_patch(const std::string& path, const ReadLimits& limits, bool attributes) {
  Findings ignored;
  InputFile file{path, read_document(path, ignored, read_options(limits, path)), {}};
  check_sidecars(file.document);
  file.scene = naming(
      path, [&] { return scene_of(file.document, {}, ignored, {.attributes = attributes}); });
  require_mesh(file);
  return file;
}

InputFile read_to_move(const std::string& path, const ReadLimits& limits, const char* used,
                       DroppedFeatures& losses, Findings& findings) {
  const ReadOptions options = read_options(limits, path);
  InputFile file{path, {}, {}};
  file.document = naming(path, [&] { return read_as_gltf(path, options, losses, findings); });
  if (!std::holds_alternative<std::shared_ptr<GltfDocument>>(file.document))
    throw Error(ErrorKind::usage, path + ": only glTF and FBX are " + used +
                                      "; 'gvbind convert' converts other formats");
  file.scene =
      naming(path, [&] { return scene_of(file.document, {}, findings, {.attributes = false}); });
  require_mesh(file);
  if (!file.scene.has_skin())
    throw Error(ErrorKind::cannot_bind, path + ": has no skin; 'gvbind bind' gives it one");
  return file;
}

}  // namespace gvbind
