#include "assets/convert/convert.h"

#include <utility>

#include "assets/convert/missing_pictures.h"
#include "assets/file_io.h"
#include "assets/gltf/files.h"
#include "assets/import/import_gltf.h"
#include "gvbind/error.h"

namespace gvbind {

bool converts_whole(const Document& document, const std::filesystem::path& path) {
  if (std::holds_alternative<std::shared_ptr<GltfDocument>>(document))
    return lower_extension(path) == "fbx";
  return std::holds_alternative<std::shared_ptr<FbxDocument>>(document) && is_gltf_name(path) &&
         lower_extension(path) != "vrm";
}

Document convert_document(const Document& document, const std::filesystem::path& path,
                          const ConvertOptions& options, Losses& losses, Findings& findings) {
  if (!converts_whole(document, path))
    throw Error(ErrorKind::internal, path.string() + ": no conversion to that format");
  if (const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document))
    return whole::write_fbx_whole(whole::read_whole(**gltf, options, losses, findings), losses);
  const auto& fbx = *std::get<std::shared_ptr<FbxDocument>>(document);
  const whole::Scene scene = whole::read_whole(fbx, options, losses, findings);
  return naming(path, [&] { return whole::write_gltf_whole(scene); });
}

Document convert_imported(const std::filesystem::path& input, const std::filesystem::path& path,
                          const ConvertOptions& options, Losses& losses, Findings& findings) {
  const auto gltf = import_gltf(input, options.reading, losses, findings);
  for (Finding& finding : missing_pictures(gltf, options.reading))
    findings.push_back(std::move(finding));
  const whole::Scene scene = whole::read_whole(*gltf, options, losses, findings);
  if (lower_extension(path) == "fbx") return whole::write_fbx_whole(scene, losses);
  return naming(path, [&] { return whole::write_gltf_whole(scene); });
}

}  // namespace gvbind
