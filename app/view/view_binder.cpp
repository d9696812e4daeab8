#include "view/view_binder.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/file_io.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

std::vector<std::uint8_t> read_named(const fs::path& path) {
  return naming(path, [&] { return read_file(path); });
}

/// A page runs commands of its own version alone: it reads the data of their page.
void check_version(const fs::path& package) {
  const fs::path path = package / "package.json";
  const std::vector<std::uint8_t> bytes = read_named(path);
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  const auto text = [&](const char* member) {
    return json.is_object() && json.contains(member) && json[member].is_string()
               ? json[member].get<std::string>()
               : std::string();
  };
  if (text("name") != "gvbind")
    throw Error(ErrorKind::input, path_text(path) +
                                      ": is not that of gvbind; give the folder of "
                                      "its package for npm, unpacked");
  if (text("version") != GVBIND_VERSION)
    throw Error(ErrorKind::input, path_text(path) + ": is of gvbind " + text("version") +
                                      ", and this is " GVBIND_VERSION "; give one of this version");
}

}  // namespace

ViewBinder read_binder(const std::string& package, const ViewInput& input) {
  const fs::path path(input.path);
  const std::string kind = lower_extension(path);
  if (kind != "glb" && kind != "vrm" && kind != "fbx")
    throw Error(ErrorKind::usage, "--binder: the page binds a .glb, .vrm or .fbx, and '" +
                                      input.path + "' is none; write a .glb with 'gvbind convert'");
  if (!input.scene.has_skin())
    throw Error(ErrorKind::cannot_bind,
                input.path + ": has no skin, and a page binds anew; bind it once before");
  check_version(package);
  const fs::path lib = fs::path(package) / "lib";
  return {.name = path_text(path.filename()),
          .file = read_named(path),
          .wasm = read_named(lib / "gvbind.wasm"),
          .script = read_named(lib / "module.js")};
}

}  // namespace gvbind
