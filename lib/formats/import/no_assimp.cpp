// Tested by tests/package/npm_test.py.

// For systems without Assimp: its formats are known, and refused.

#include <array>

#include "formats/import/import.h"
#include "formats/import/import_gltf.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/format.h"

namespace gvbind {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw Error(ErrorKind::input,
              path_text(path) +
                  ": is read by Assimp, which gvbind for WebAssembly lacks; "
                  "convert it to glTF or FBX, or use gvbind for Linux or Windows");
}

}  // namespace

std::span<const std::string> import_extensions() {
  static const std::array<std::string, 15> extensions = {"3ds", "3mf",  "ac",  "bvh", "dae",
                                                         "lwo", "ms3d", "obj", "off", "ogex",
                                                         "ply", "stl",  "x",   "x3d", "blend"};
  return extensions;
}

Scene import_scene(const std::filesystem::path& path, Findings&, const ReadOptions&) {
  refuse(path);
}

std::shared_ptr<GltfDocument> import_gltf(const std::filesystem::path& path, const ReadOptions&,
                                          DroppedFeatures&, Findings&) {
  refuse(path);
}

void answer_import(const std::vector<std::string>&, int) { std::_Exit(1); }

}  // namespace gvbind
