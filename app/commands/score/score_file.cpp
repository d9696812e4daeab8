// Tested by tests/command/score_test.py.

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "bind/bindable_file.h"
#include "character/match_skin.h"
#include "commands/bind/bind_file.h"
#include "commands/score/rig_data.h"
#include "commands/score/score_command.h"
#include "common/exit_codes.h"
#include "formats/document.h"
#include "gvbind/base/utf8.h"
#include "io/file_io.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// The file has nothing to compare with: no failure in a folder.
class NoWeights : public Error {
 public:
  explicit NoWeights(const std::string& why) : Error(ErrorKind::cannot_bind, why) {}
};

std::string text_of(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

bool is_document(const std::string& file) { return is_written(file); }

/// An .obj with the text of its rig, or a .npz.
Scene read_rig(const std::string& file, const std::string& rig) {
  if (rig.empty()) return naming(file, [&] { return scene_of(read_rig_npz(read_file(file))); });
  RigData data;
  naming(file, [&] { read_obj(text_of(file), data); });
  return naming(rig, [&] {
    read_rig_text(text_of(rig), data);
    return scene_of(data);
  });
}

Scene read_weights(const std::string& file, const std::string& rig, const ReadLimits& limits) {
  if (!is_document(file)) return read_rig(file, rig);
  Findings ignored;
  const Document document = read_document(file, ignored, read_options(limits, file));
  Scene scene =
      naming(file, [&] { return scene_of(document, {}, ignored, {.attributes = false}); });
  const auto weighed = [](const SceneMesh& mesh) { return !mesh.weights.joint.empty(); };
  if (std::ranges::none_of(scene.meshes, weighed)) throw NoWeights("has no skin");
  return scene;
}

bool same_shapes(const Scene& a, const Scene& b) {
  return std::ranges::equal(a.meshes, b.meshes,
                            [](const SceneMesh& x, const SceneMesh& y) {
                              return x.positions.size() == y.positions.size();
                            }) &&
         std::ranges::equal(a.joints, b.joints, {}, &SceneJoint::name, &SceneJoint::name);
}

Scene bound_anew(const ScoreInput& input, const Scene& own, const ScoreCommand& command) {
  BindRequest request = request_of(command.settings, input.file, input.file);
  request.asset_root = command.limits.asset_root;
  request.max_memory = command.limits.max_memory;
  return is_document(input.file) ? bound_scene(request) : bound_scene(request, own);
}

check::SkinScore score_of(Scene skin, const Scene& reference,
                          const check::SkinScoreOptions& options) {
  if (same_shapes(skin, reference)) return check::score_skin(skin, reference, options);
  const SkinMatch match = match_skin(skin, reference);
  if (match.common_joints == 0)
    throw Error(ErrorKind::cannot_bind, "has no joint of the reference's");
  return check::score_skin(match.ours, match.theirs, options);
}

check::SkinScore scored(const ScoreInput& input, const ScoreCommand& command) {
  const Scene own = read_weights(input.file, input.rig, command.limits);
  if (input.reference.empty())
    return score_of(bound_anew(input, own, command), own, command.options);
  const bool is_rig = !input.rig.empty();
  const Scene reference = read_weights(is_rig ? input.file : input.reference,
                                       is_rig ? input.reference : "", command.limits);
  return score_of(own, reference, command.options);
}

}  // namespace

ScoredFile score_file(const ScoreInput& input, const ScoreCommand& command) {
  ScoredFile file{input.name, "", {}, "", {}};
  try {
    file.score = scored(input, command);
    if (file.score.vertices == 0) file.reason = "has no vertex that counts";
  } catch (const NoWeights& none) {
    file.reason = none.what();
  } catch (...) {
    const Error error = caught_error();
    const std::string what = error.what(), name = input.file + ": ";
    file.error = error.kind();
    file.reason = what.starts_with(name) ? what.substr(name.size()) : what;
  }
  return file;
}

std::map<std::string, std::string> read_authors(const std::string& path) {
  const std::string text = naming(path, [&] { return text_of(path); });
  std::map<std::string, std::string> authors;
  std::optional<std::size_t> file_column, author_column;
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::vector<std::string> cells;
    for (std::size_t tab = 0; tab != line.npos; line.remove_prefix(tab == line.npos ? 0 : tab + 1))
      cells.emplace_back(line.substr(0, tab = line.find('\t')));
    if (++number == 1) {
      for (std::size_t c = 0; c < cells.size(); ++c) {
        if (cells[c] == "file") file_column = c;
        if (cells[c] == "author" || cells[c] == "author_or_pack") author_column = c;
      }
      if (!file_column || !author_column)
        throw Error(ErrorKind::input,
                    path + ": line 1: names no columns 'file' and 'author' between tabs");
    } else if (cells.size() > std::max(*file_column, *author_column)) {
      authors[cells[*file_column]] = cells[*author_column];
    } else if (cells.size() > 1 || !cells[0].empty()) {
      throw Error(ErrorKind::input, path + ": line " + std::to_string(number) +
                                        ": has fewer columns than the first line");
    }
  }
  return authors;
}

}  // namespace gvbind
