// Tested by tests/command/preview_test.py.

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "character/match_skin.h"
#include "check/skin_difference.h"
#include "commands/pose/pose_target.h"
#include "commands/preview/preview_command.h"
#include "common/console.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

void require_skin(const Scene& scene, const std::string& path) {
  for (const SceneMesh& mesh : scene.meshes)
    if (!mesh.weights.empty()) return;
  throw Error(ErrorKind::cannot_bind, path + ": has no skin, and --compare takes two");
}

/// Shared joints and differences, for stdout and for the header of the picture.
std::vector<std::string> comparison_lines(const SkinMatch& match,
                                          const check::SkinDifference& apart) {
  std::string how = counted(match.by_order, "vertex", "vertices") + " by order";
  if (match.by_position + match.unmatched > 0)
    how += ", " + grouped(match.by_position) + " by position";
  if (match.unmatched > 0) how += ", " + grouped(match.unmatched) + " without one there";
  return {"L1 " + fixed(apart.l1, 4) + ", dAvg " + fixed(apart.mean_distance, 2) + ", dMax " +
              fixed(apart.max_distance, 1),
          how + "; " + counted(match.common_joints, "joint", "joints") + " in common" +
              (match.added_joints.empty()
                   ? std::string()
                   : ", " + grouped(match.added_joints.size()) + " in the other alone")};
}

void require_overlap(const SkinMatch& match, const check::SkinDifference& apart,
                     const std::string& input, const std::string& other) {
  if (match.common_joints == 0)
    throw Error(ErrorKind::cannot_bind, other + ": none of its joints has the name of one of " +
                                            input + ", so the weights cannot be compared");
  if (apart.vertices == 0)
    throw Error(ErrorKind::cannot_bind, other + ": no vertex with weight lies where one of " +
                                            input + " does, so there is nothing to compare");
}

}  // namespace

preview::Image draw_comparison(const PreviewCommand& command, const PreviewInput& input) {
  namespace fs = std::filesystem;
  const PreviewInput other = read_preview(command.other, command.limits);
  require_skin(input.scene, input.path);
  require_skin(other.scene, other.path);
  const SkinMatch match = match_skin(input.scene, other.scene);
  const check::SkinDifference apart = check::compare_skins(match.ours, match.theirs);
  require_overlap(match, apart, input.path, other.path);

  preview::Comparison comparison;
  const PosedFile file{input.path, input.document, match.ours};
  const motion::PoseSurface surface = motion::pose_surface(match.ours);
  if (!command.target.empty()) {
    comparison.target = pose_target(command.target, file, surface, command.limits);
    comparison.target_name = path_text(fs::path(command.target).stem());
  }
  comparison.lines = comparison_lines(match, apart);
  print_line(command.output == "-" ? stderr : stdout, input.path + " against " + other.path + ": " +
                                                          comparison.lines[0] + "; " +
                                                          comparison.lines[1]);
  comparison.name = path_text(fs::path(input.path).stem());
  comparison.other_name = path_text(fs::path(other.path).stem());
  if (comparison.name == comparison.other_name) {
    comparison.name = "A";
    comparison.other_name = "B";
  }
  comparison.lines.insert(comparison.lines.begin(),
                          {"A: " + path_text(fs::path(input.path).filename()),
                           "B: " + path_text(fs::path(other.path).filename())});
  comparison.apart = apart.per_vertex;
  return preview::render_comparison(match.ours, match.theirs, comparison, command.options);
}

}  // namespace gvbind
