#include "formats/import/open_assimp.h"

#include <assimp/config.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>
#include <fstream>
#include <iterator>
#include <new>

#include "formats/import/assimp_scene.h"
#include "formats/import/io_system.h"
#include "gvbind/base/mend_utf8.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/file_io.h"

namespace gvbind {

ImportHints import_hints(const std::filesystem::path& path) {
  const std::string extension = lower_extension(path);
  ImportHints hints;
  hints.stem = path_text(path.stem());
  hints.root_is_joint = extension == "bvh";
  hints.meters_y_up = extension == "dae" || extension == "zae";
  if (extension != "dae") return hints;
  std::ifstream file(path, std::ios::binary);
  const std::string text = mend_utf8(
      std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  if (text.find("</COLLADA>") == std::string::npos && text.find("<COLLADA") != std::string::npos)
    throw Error(ErrorKind::input, "ends before </COLLADA>");
  hints.collada = collada_nodes(text);
  return hints;
}

Finding missing_material_file(const std::string& name) {
  return {Severity::warning, "missing-material-file",
          "material file '" + name + "' is missing; its materials are left out", name};
}

void refuse_import(const Assimp::Importer& importer) {
  const std::string reason = importer.GetErrorString();
  // Assimp catches std::bad_alloc and keeps only its name.
  if (reason.find("bad_alloc") != std::string::npos) throw std::bad_alloc();
  throw Error(ErrorKind::input, reason);
}

NamedFiles open_assimp(Assimp::Importer& importer, const std::filesystem::path& path,
                       const AssetRoot& root) {
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                              aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  auto* files = new ImportIoSystem(path, root);
  importer.SetIOHandler(files);  // the importer takes ownership
  const aiScene* scene = importer.ReadFile(path_text(path), 0);
  // Most importers continue without a file that they cannot open.
  if (!files->outside().empty())
    throw Error(ErrorKind::input, files->outside() + " " + outside_text(root));
  if (!scene || !scene->mRootNode) refuse_import(importer);
  check_indices(*scene);
  return {files->names(), files->missing_materials()};
}

}  // namespace gvbind
