#include "io/format.h"

#include <string>

#include "io/file_io.h"

namespace gvbind {

Format format_of_name(const std::filesystem::path& path) {
  const std::string extension = lower_extension(path);
  if (extension == "gltf") return Format::gltf;
  if (extension == "glb") return Format::glb;
  if (extension == "vrm") return Format::vrm;
  if (extension == "fbx") return Format::fbx;
  return Format::other;
}

}  // namespace gvbind
