#include "bind/false_vrm.h"

#include <memory>
#include <variant>

#include "formats/gltf/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"

namespace gvbind {

void refuse_false_vrm(const Document& document, const std::filesystem::path& input,
                      const std::filesystem::path& output) {
  if (format_of_name(output) != Format::vrm || format_of_name(input) == Format::vrm) return;
  if (const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document))
    for (const char* name : {"VRMC_vrm", "VRM"})
      if (gltf::extension((*gltf)->json, name)) return;
  throw Error(ErrorKind::usage, path_text(output) + ": '" + path_text(input) +
                                    "' is no VRM, so the output would be none either; write "
                                    ".glb, or make a VRM of it with 'gvbind bind'");
}

}  // namespace gvbind
