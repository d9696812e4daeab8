#include "formats/convert/convert.h"

#include <string>
#include <utility>
#include <vector>

#include "formats/convert/compare_scenes.h"
#include "formats/convert/missing_pictures.h"
#include "formats/convert/place_imported.h"
#include "formats/fbx/write_scene.h"
#include "formats/gltf/files.h"
#include "formats/gltf/read_scene.h"
#include "formats/gltf/write_scene.h"
#include "formats/import/import_gltf.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

NodeScene read_scene(const Document& document, const ConvertOptions& options,
                     DroppedFeatures& dropped, Findings& findings) {
  if (const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document))
    return read_scene(**gltf, options.selection, dropped, findings);
  const auto& fbx = *std::get<std::shared_ptr<FbxDocument>>(document);
  return read_scene(fbx, options.reading, options.unweighted, dropped, findings);
}

template <typename Named>
void name_unnamed(std::vector<Named>& list, const std::string& kind) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name.empty()) list[i].name = kind + " " + std::to_string(i);
}

Document write_scene(NodeScene& scene, const std::filesystem::path& path,
                     DroppedFeatures& dropped) {
  if (format_of_name(path) == Format::fbx) return write_fbx(scene, dropped);
  // The names by which a glTF is read that has none.
  name_unnamed(scene.nodes, "node");
  name_unnamed(scene.materials, "material");
  name_unnamed(scene.clips, "animation");
  return naming(path, [&] { return write_gltf(scene); });
}

}  // namespace

bool converts_whole(const Document& document, Format format) {
  if (std::holds_alternative<std::shared_ptr<GltfDocument>>(document)) return format == Format::fbx;
  return std::holds_alternative<std::shared_ptr<FbxDocument>>(document) && is_gltf(format) &&
         format != Format::vrm;
}

Conversion convert_document(const Document& document, const std::filesystem::path& path,
                            const ConvertOptions& options, DroppedFeatures& dropped,
                            Findings& findings) {
  if (!converts_whole(document, format_of_name(path)))
    throw Error(ErrorKind::internal, path_text(path) + ": no conversion to that format");
  Conversion out;
  out.scene = read_scene(document, options, dropped, findings);
  out.document = write_scene(out.scene, path, dropped);
  return out;
}

Conversion convert_imported(const std::filesystem::path& input, const std::filesystem::path& path,
                            const ConvertOptions& options, DroppedFeatures& dropped,
                            Findings& findings) {
  const Document gltf = import_gltf(input, options.reading, dropped, findings);
  for (Finding& finding : missing_pictures(gltf, options.reading))
    findings.push_back(std::move(finding));
  Conversion out;
  out.scene = read_scene(gltf, options, dropped, findings);
  out.document = write_scene(out.scene, path, dropped);
  return out;
}

void place_imported(const Eigen::Affine3d& moved, const std::filesystem::path& path,
                    DroppedFeatures& dropped, Conversion& made) {
  for (Node& node : made.scene.nodes)
    if (node.parent < 0) split_matrix(moved * matrix_of(node.local), node.local);
  made.document = write_scene(made.scene, path, dropped);
}

NodeScene read_node_scene(const Document& document, const ReadOptions& reading) {
  // Dropped features were already counted for the input.
  DroppedFeatures dropped;
  Findings findings;
  return read_scene(document, {.reading = reading}, dropped, findings);
}

NodeScene read_still(const Document& document, const ReadOptions& reading) {
  if (const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document))
    return read_still(**gltf);
  return read_still(*std::get<std::shared_ptr<FbxDocument>>(document), reading);
}

void compare_written(const NodeScene& expected, const Document& written,
                     const ReadOptions& reading) {
  if (const auto* fbx = std::get_if<std::shared_ptr<FbxDocument>>(&written))
    return compare_scenes(expected, play_clips(*fbx, reading));
  compare_scenes(expected, played_scene(read_node_scene(written, reading)));
}

}  // namespace gvbind
