#include "commands/score/score_inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

std::string suffix_of(const fs::path& path) { return lower_case(path_text(path.extension())); }

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// A rig's text for this name of an .obj: "ID.txt", as RigNet has it, "ID_rig.txt" or
/// "ID_skin.txt", as programs write it. Empty: none.
std::string rig_text(const fs::path& folder, const std::string& stem) {
  for (const char* ending : {".txt", "_rig.txt", "_skin.txt"})
    if (const fs::path path = folder / (stem + ending); is_file(path)) return path_text(path);
  return "";
}

std::string rig_of(const fs::path& obj, const std::string& rigs) {
  return rig_text(rigs.empty() ? obj.parent_path() : fs::path(rigs), path_text(obj.stem()));
}

/// Files of a folder at any depth, sorted; folders behind links are not entered.
std::vector<fs::path> files_below(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error))
    if (is_file(at->path())) files.push_back(at->path());
  if (error) throw Error(ErrorKind::input, folder + ": cannot be read: " + error.message());
  std::ranges::sort(files);
  return files;
}

/// The file in the folder of references with this name below it, of the same format or another.
std::string reference_of(const ScoreInput& input, const fs::path& folder) {
  const fs::path place = folder / fs::path(input.name).lexically_normal().relative_path();
  const std::string stem = path_text(place.stem());
  if (suffix_of(input.file) == ".obj") return rig_text(place.parent_path(), stem);
  if (is_file(place)) return path_text(place);
  for (const char* suffix : {".glb", ".gltf", ".vrm", ".fbx", ".npz"})
    if (const fs::path path = place.parent_path() / (stem + suffix); is_file(path))
      return path_text(path);
  return "";
}

void add_file(const fs::path& path, const std::string& name, const ScorePlaces& places, bool named,
              std::vector<ScoreInput>& found) {
  ScoreInput input{path_text(path), "", name, ""};
  if (suffix_of(path) == ".obj") {
    input.rig = rig_of(path, places.rigs);
    if (input.rig.empty() && named)
      throw Error(
          ErrorKind::input,
          input.file + ": has no rig: there is no " + path_text(path.stem()) + ".txt " +
              (places.rigs.empty() ? "beside it; --rigs names its folder" : "in " + places.rigs));
    if (input.rig.empty()) return;
  } else if (!is_written(path_text(path)) && suffix_of(path) != ".npz") {
    if (named)
      throw Error(ErrorKind::input,
                  input.file + ": is no .fbx, .glb, .gltf, .vrm, .npz or .obj with its rig");
    return;
  }
  found.push_back(std::move(input));
}

void require_folder(const std::string& path, const char* flag) {
  std::error_code ignored;
  if (!path.empty() && !fs::is_directory(path, ignored))
    throw Error(ErrorKind::usage, std::string(flag) + ": '" + path + "' is no folder");
}

}  // namespace

std::vector<ScoreInput> find_inputs(const ScorePlaces& places, std::vector<std::string>& lonely) {
  require_folder(places.rigs, "--rigs");
  require_folder(places.reference, "--reference");
  std::vector<ScoreInput> found;
  for (const std::string& place : places.inputs) {
    std::error_code ignored;
    if (fs::is_directory(place, ignored)) {
      for (const fs::path& path : files_below(place))
        add_file(path, path_text(path.lexically_relative(place)), places, false, found);
    } else if (is_file(place)) {
      add_file(place, path_text(fs::path(place).filename()), places, true, found);
    } else {
      throw Error(ErrorKind::input, place + ": does not exist");
    }
  }
  if (!places.reference.empty())
    std::erase_if(found, [&](ScoreInput& input) {
      input.reference = reference_of(input, places.reference);
      if (input.reference.empty()) lonely.push_back(input.name);
      return input.reference.empty();
    });
  if (found.empty())
    throw Error(ErrorKind::cannot_bind,
                lonely.empty() ? "there is no skinned file below '" + places.inputs.front() + "'"
                               : "--reference: '" + places.reference +
                                     "' has no file of the name of an input");
  return found;
}

}  // namespace gvbind
