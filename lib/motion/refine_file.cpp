#include "motion/refine_file.h"

#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "bind/asset_limits.h"
#include "bind/checked_write.h"
#include "bind/option_ranges.h"
#include "bind/overwriting.h"
#include "bind/write_document.h"
#include "character/selection.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "io/atomic_write.h"
#include "io/encoded_file.h"
#include "io/glob.h"
#include "motion/cells_file.h"
#include "motion/clip_poses.h"
#include "motion/refine_scene.h"

namespace gvbind::motion {

namespace {

namespace fs = std::filesystem;

void check_cells(const RefineRequest& request) {
  std::error_code ignored;
  const fs::path& file = request.cells;
  if (file.empty()) return;
  if (!request.by_cells)
    throw Error(ErrorKind::usage, "--keep-cells: there are none without '--by cells'");
  check_path_length(file);
  for (const fs::path& other : {request.input, request.output})
    if (file.lexically_normal() == other.lexically_normal() || fs::equivalent(file, other, ignored))
      throw Error(ErrorKind::usage,
                  "--keep-cells: " + path_text(file) + " is the input or the output itself");
  refuse_existing(file, request.overwrite);
}

/// Scales rows to sum to one, since quantized weights and those of some programs do not; a zero sum
/// gives an empty row.
SkinWeights normalized(const SkinWeights& weights) {
  SkinWeights rows;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    double sum = 0.0;
    for (const Influence& entry : weights.row(v)) sum += entry.weight;
    for (const Influence& entry : weights.row(v)) {
      if (!(sum > 0.0)) break;
      rows.joint.push_back(entry.joint);
      rows.weight.push_back(static_cast<float>(entry.weight / sum));
    }
    rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
  }
  return rows;
}

/// The weights in the file. Vertices without weights stay that way.
SceneWeights weights_of(const Scene& scene) {
  SceneWeights weights;
  for (const SceneMesh& mesh : scene.meshes) {
    const SkinWeights& rows = weights.meshes.emplace_back(
        mesh.skin_joints.empty() ? SkinWeights{} : normalized(mesh.weights));
    bool fills = false;
    for (std::size_t v = 0; v < rows.vertex_count(); ++v) fills = fills || rows.row(v).empty();
    weights.fills.push_back(fills);
  }
  return weights;
}

/// The refined weights; if requested, also the cells, in a temporary file ready to be renamed.
RefinedWeights fit_weights(const RefineRequest& request, const RefineInput& input,
                           SceneWeights& weights, std::unique_ptr<StagedFiles>& cells) {
  const Scene& scene = input.file.scene;
  if (!request.by_cells)
    return refine_scene(scene, scene.joints, input.poses, request.fit, weights);
  RefinedCells made = refine_scene_by_cells(scene, scene.joints, input.poses, request.fit, weights);
  if (request.cells.empty()) return std::move(made.refined);
  if (made.cells.count() == 0)
    throw Error(ErrorKind::cannot_bind, "no joint has weight, so there are no cells to keep");
  cells =
      std::make_unique<StagedFiles>(std::vector<EncodedFile>{{"", encode_cells(made.cells)}},
                                    request.cells, WriteOptions{.overwrite = request.overwrite});
  return std::move(made.refined);
}

void check_options(const RefineFileOptions& options) {
  require_range("poses", options.poses, 1, 1000);
  require_range("rounds", options.rounds, 1, 100);
  require_range("max-influences", options.max_influences, 1, 8);
  require_range("stiffness", options.stiffness, 0, 1000);
  require_range("reach", options.reach, 0.0001, 0.5);
  require_range("degrees", options.degrees, 0, 180);
  for (const RangeOfJoints& range : options.ranges)
    for (int axis = 0; axis < 3; ++axis) {
      require_range("ranges", range.low[axis], -180, 180);
      require_range("ranges", range.high[axis], range.low[axis], 180);
    }
}

RefineRequest request_of(const fs::path& input, const fs::path& output,
                         const RefineFileOptions& options) {
  RefineRequest request{.input = input, .output = output};
  request.fit.poses = options.poses;
  request.fit.rounds = options.rounds;
  request.fit.max_influences = options.max_influences;
  request.fit.regularization = options.stiffness;
  request.fit.reach = options.reach;
  request.fit.drawn = {options.degrees, options.seed};
  request.by_cells = options.by_cells;
  request.cells = options.cells;
  request.reading = options.reading;
  request.overwrite = options.overwrite == Asset::Overwrite::yes;
  return request;
}

void apply_ranges(const std::vector<RangeOfJoints>& given, RefineInput& input) {
  constexpr double radians = M_PI / 180.0;
  std::vector<std::string> names;
  for (const SceneJoint& joint : input.file.scene.joints) names.push_back(joint.name);
  if (given.empty()) return;
  input.poses.clips.clear();
  input.poses.ranges.resize(names.size());
  for (const RangeOfJoints& range : given) {
    bool found = false;
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (names[j] != range.joints && !matches_glob(range.joints, names[j])) continue;
      input.poses.ranges[j] = {radians * range.low, radians * range.high, true};
      found = true;
    }
    if (!found)
      throw Error(ErrorKind::usage, "ranges: no joint matches '" + range.joints + "'" +
                                        nearest_name_hint(range.joints, names));
  }
}

}  // namespace

RefineInput read_refine(const RefineRequest& request) {
  const std::string output = path_text(request.output);
  check_new_output(output, request.overwrite);
  check_cells(request);
  RefineInput input;
  input.file = read_to_patch(path_text(request.input), limits_of(request.reading));
  const InputFile& file = input.file;
  if (!same_format(file.document, request.output))
    throw Error(ErrorKind::usage, "--output: '" + output + "' is of another format than " +
                                      file.path + "; refined weights go into a file of the same");
  if (!file.scene.has_skin())
    throw Error(ErrorKind::cannot_bind,
                file.path + ": no mesh has a skin to refine; bind it first");
  input.poses =
      naming(file.path, [&] { return clip_source(file.document, file.scene, input.findings); });
  return input;
}

RefinedWeights write_refined(const RefineRequest& request, RefineInput& input) {
  InputFile& file = input.file;
  SceneWeights weights = weights_of(file.scene);
  std::unique_ptr<StagedFiles> cells;
  RefinedWeights refined =
      naming(file.path, [&] { return fit_weights(request, input, weights, cells); });
  if (refined.taken > 0.0)
    naming(file.path, [&] { patch_skin(file.document, file.scene, weights); });
  else
    weights = {std::vector<SkinWeights>(file.scene.meshes.size())};  // all rows stay, bit for bit
  const ReadOptions reading = read_options(limits_of(request.reading), request.input);
  write_checked(file.document, {file.scene, weights, {}}, {request.input, request.output, reading},
                overwriting(request.output, request.overwrite), cells.get());
  return refined;
}

RefinedFile refine_file(const fs::path& input, const fs::path& output,
                        const RefineFileOptions& options) {
  check_options(options);
  const RefineRequest request = request_of(input, output, options);
  RefineInput file = read_refine(request);
  apply_ranges(options.ranges, file);
  const RefinedWeights refined = write_refined(request, file);
  return {refined.taken, refined.moved, refined.before, refined.after, refined.fitted};
}

}  // namespace gvbind::motion
