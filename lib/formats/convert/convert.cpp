#include "formats/convert/convert.h"

#include <utility>

#include "formats/convert/compare_scenes.h"
#include "formats/convert/missing_pictures.h"
#include "formats/gltf/files.h"
#include "formats/import/import_gltf.h"
#include "gvbind/error.h"
#include "io/file_io.h"

namespace gvbind {

bool converts_whole(const Document& document, const std::filesystem::path& path) {
  if (std::holds_alternative<std::shared_ptr<GltfDocument>>(document))
    return lower_extension(path) == "fbx";
  return std::holds_alternative<std::shared_ptr<FbxDocument>>(document) && is_gltf_name(path) &&
         lower_extension(path) != "vrm";
}

Conversion convert_document(const Document& document, const std::filesystem::path& path,
                            const ConvertOptions& options, DroppedFeatures& losses,
                            Findings& findings) {
  if (!converts_whole(document, path))
    throw Error(ErrorKind::internal, path.string() + ": no conversion to that format");
  Conversion out;
  if (const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document)) {
    out.scene = whole::read_whole(**gltf, options, losses, findings);
    out.document = whole::write_fbx_whole(out.scene, losses);
    return out;
  }
  const auto& fbx = *std::get<std::shared_ptr<FbxDocument>>(document);
  out.scene = whole::read_whole(fbx, options, losses, findings);
  out.document = naming(path, [&] { return whole::write_gltf_whole(out.scene); });
  return out;
}

Conversion convert_imported(const std::filesystem::path& input, const std::filesystem::path& path,
                            const ConvertOptions& options, DroppedFeatures& losses,
                            Findings& findings) {
  const auto gltf = import_gltf(input, options.reading, losses, findings);
  for (Finding& finding : missing_pictures(gltf, options.reading))
    findings.push_back(std::move(finding));
  Conversion out;
  out.scene = whole::read_whole(*gltf, options, losses, findings);
  if (lower_extension(path) == "fbx")
    out.document = whole::write_fbx_whole(out.scene, losses);
  else
    out.document = naming(path, [&] { return whole::write_gltf_whole(out.scene); });
  return out;
}

whole::Scene whole_scene_of(const Document& document, const ReadOptions& reading) {
  // What is lost on the way was told of the input already.
  DroppedFeatures losses;
  Findings findings;
  const ConvertOptions options{.reading = reading};
  if (const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document))
    return whole::read_whole(**gltf, options, losses, findings);
  return whole::read_whole(*std::get<std::shared_ptr<FbxDocument>>(document), options, losses,
                           findings);
}

void compare_written(const whole::Scene& expected, const Document& written,
                     const ReadOptions& reading) {
  if (const auto* fbx = std::get_if<std::shared_ptr<FbxDocument>>(&written))
    return whole::compare_scenes(expected, whole::play_fbx(*fbx, reading));
  whole::compare_scenes(expected, whole::played_scene(whole_scene_of(written, reading)));
}

}  // namespace gvbind
