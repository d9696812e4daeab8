#include "gvbind/asset.h"

#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "bind/asset_limits.h"
#include "bind/bindable_file.h"
#include "bind/bound_weights.h"
#include "bind/checked_write.h"
#include "bind/false_vrm.h"
#include "bind/overwriting.h"
#include "formats/document.h"
#include "gvbind/base/utf8.h"
#include "io/atomic_write.h"
#include "io/read_limits.h"

namespace gvbind {

struct Asset::State {
  BindRequest request;   ///< input and limits of reading
  BindableFile file;     ///< as read, without weights of ours but in its document
  Scene shown;           ///< the same with the weights that it has by now
  SceneWeights weights;  ///< that the document got; no meshes: none
  Findings findings;

  void take_weights(const std::vector<SkinWeights>& given);

  ReadOptions reading() const {
    return read_options({request.asset_root, request.max_memory}, request.input);
  }
};

namespace {

constexpr SceneParts without_attributes = {.attributes = false};

/// Throws Error(usage) where the weights are not those of the meshes.
void check_counts(const std::vector<SceneMesh>& meshes, const std::vector<SkinWeights>& weights) {
  if (weights.size() != meshes.size())
    throw Error(ErrorKind::usage, std::to_string(weights.size()) + " sets of weights for " +
                                      std::to_string(meshes.size()) + " meshes");
  for (std::size_t m = 0; m < meshes.size(); ++m)
    if (!weights[m].empty() && weights[m].vertex_count() != meshes[m].positions.size())
      throw Error(ErrorKind::usage, "mesh '" + meshes[m].name +
                                        "': " + std::to_string(weights[m].vertex_count()) +
                                        " rows of weights for " +
                                        std::to_string(meshes[m].positions.size()) + " vertices");
}

/// The place of a row in error messages.
std::string row_label(const SceneMesh& mesh, std::size_t vertex) {
  return "mesh '" + mesh.name + "': the weights of vertex " + std::to_string(vertex) + " ";
}

/// Throws Error(usage) where rows do not lie one behind the other.
void check_order(const SceneMesh& mesh, const SkinWeights& weights) {
  std::size_t begin = 0;
  for (std::size_t v = 0; v < weights.first.size(); ++v) {
    const std::size_t at = weights.first[v];
    if (at < begin || at > weights.joint.size() || (v == 0 && at != 0))
      throw Error(ErrorKind::usage, row_label(mesh, v) + "begin at entry " + std::to_string(at) +
                                        ", after " + std::to_string(begin) + " of " +
                                        std::to_string(weights.joint.size()));
    begin = at;
  }
  if (begin != weights.joint.size() || weights.joint.size() != weights.weight.size())
    throw Error(ErrorKind::usage, "mesh '" + mesh.name + "': rows of " + std::to_string(begin) +
                                      " entries, " + std::to_string(weights.joint.size()) +
                                      " joints and " + std::to_string(weights.weight.size()) +
                                      " weights");
}

/// Throws Error(usage) for weights that no file can hold. Empty rows are without weight.
void check_rows(const SceneMesh& mesh, const SkinWeights& weights, std::size_t joints) {
  constexpr double tolerance = 0.01;
  check_order(mesh, weights);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    double sum = 0.0;
    for (const Influence& entry : weights.row(v)) {
      if (entry.joint >= joints)
        throw Error(ErrorKind::usage, row_label(mesh, v) + "name joint " +
                                          std::to_string(entry.joint) + " of " +
                                          std::to_string(joints));
      if (!(entry.weight >= 0.0f && entry.weight <= 1.0f + tolerance))
        throw Error(ErrorKind::usage,
                    row_label(mesh, v) + "hold " + exact(entry.weight) + ", not within 0 to 1");
      sum += entry.weight;
    }
    if (!weights.row(v).empty() && std::abs(sum - 1.0) > tolerance)
      throw Error(ErrorKind::usage, row_label(mesh, v) + "sum to " + exact(sum) + ", not to one");
  }
}

}  // namespace

Asset::Asset(std::unique_ptr<State> state) : state_(std::move(state)) {}
Asset::Asset(Asset&&) noexcept = default;
Asset& Asset::operator=(Asset&&) noexcept = default;
Asset::~Asset() = default;

Asset Asset::read(const std::filesystem::path& file, const AssetOptions& options) {
  auto state = std::make_unique<State>();
  state->request.input = file;
  const ReadLimits limits = limits_of(options);
  state->request.asset_root = limits.asset_root;
  state->request.max_memory = limits.max_memory;
  state->file = read_input(state->request, state->findings);
  state->shown = state->file.scene;
  return Asset(std::move(state));
}

void Asset::add_skeleton(const std::filesystem::path& file) {
  State& s = *state_;
  BindRequest request = s.request;
  request.skeleton = file;
  gvbind::add_skeleton(request, s.file, s.findings);
  s.shown = s.file.scene;
}

std::vector<AssetMesh> Asset::meshes() const {
  std::vector<AssetMesh> meshes;
  for (const SceneMesh& mesh : scene().meshes)
    meshes.push_back({mesh.name, mesh.positions, mesh.triangles});
  return meshes;
}

std::vector<Joint> Asset::joints() const { return joint_points(scene()); }
const Findings& Asset::findings() const { return state_->findings; }
const Scene& Asset::scene() const { return state_->shown; }

AssetBinding Asset::bind(const BindOptions& options, const Monitor& monitor) {
  const State& s = *state_;
  BindRequest request = s.request;
  request.options = options;
  BindableFile file;
  file.scene = s.file.scene;
  file.own_joints = s.file.own_joints;
  Findings findings;
  select_bindable(request, file, findings);
  SceneBinding bound = compute_weights(request, file, options, monitor);
  finish_weights(request, file, options, bound);
  bound.findings.insert(bound.findings.begin(), findings.begin(), findings.end());
  state_->take_weights(bound.weights.meshes);
  return {std::move(bound.weights.meshes), std::move(bound.statistics), std::move(bound.findings)};
}

void Asset::set_weights(const std::vector<SkinWeights>& weights) {
  naming(state_->request.input, [&] {
    check_counts(scene().meshes, weights);
    for (std::size_t m = 0; m < weights.size(); ++m)
      if (!weights[m].empty()) check_rows(scene().meshes[m], weights[m], scene().joints.size());
  });
  state_->take_weights(weights);
}

void Asset::State::take_weights(const std::vector<SkinWeights>& given) {
  std::vector<SceneMesh>& meshes = shown.meshes;
  weights.meshes = given;
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    if (given[m].empty()) continue;
    meshes[m].weights = given[m];
    if (meshes[m].skin_joints.empty()) meshes[m].skin_joints = {0};  // has a skin from now on
  }
  const bool is_built_later = std::holds_alternative<Scene>(file.document);
  if (is_built_later) return;
  naming(request.input, [&] { patch_skin(file.document, file.scene, weights); });
}

void Asset::write(const std::filesystem::path& file, Overwrite overwrite) const {
  const State& s = *state_;
  Findings findings;
  const bool is_built = std::holds_alternative<Scene>(s.file.document);
  refuse_false_vrm(s.file.document, s.request.input, file);
  Document document = is_built ? build_document(s.file.scene, file) : s.file.document;
  const Scene built = is_built ? scene_of(document, {}, findings, without_attributes) : Scene();
  const Scene& expected = is_built ? built : s.file.scene;
  if (is_built && !s.weights.meshes.empty()) patch_skin(document, expected, s.weights);
  StagedFiles staged(encode(document, file, findings), file,
                     overwriting(file, overwrite == Overwrite::yes));
  if (!s.weights.meshes.empty())
    verify_staged(staged, {s.request.input, file, s.reading()},
                  {expected, s.weights, is_built ? Selection() : s.file.found});
  staged.commit();
}

}  // namespace gvbind
