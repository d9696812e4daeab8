#include "gvbind/asset.h"

#include <utility>
#include <variant>

#include "bind/asset_limits.h"
#include "bind/bindable_file.h"
#include "bind/bound_weights.h"
#include "bind/checked_write.h"
#include "bind/false_vrm.h"
#include "bind/overwriting.h"
#include "formats/document.h"
#include "io/atomic_write.h"
#include "io/read_limits.h"

namespace gvbind {

struct Asset::State {
  BindRequest request;   ///< input and limits of reading
  BindableFile file;     ///< as read, without weights of ours but in its document
  Scene shown;           ///< the same with the weights that it has by now
  SceneWeights weights;  ///< that the document got; no meshes: none
  Findings findings;

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
  set_weights(bound.weights.meshes);
  return {std::move(bound.weights.meshes), std::move(bound.statistics), std::move(bound.findings)};
}

void Asset::set_weights(const std::vector<SkinWeights>& weights) {
  naming(state_->request.input, [&] { check_counts(scene().meshes, weights); });
  std::vector<SceneMesh>& meshes = state_->shown.meshes;
  state_->weights.meshes = weights;
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    if (weights[m].empty()) continue;
    meshes[m].weights = weights[m];
    if (meshes[m].skin_joints.empty()) meshes[m].skin_joints = {0};  // has a skin from now on
  }
  const bool is_built_later = std::holds_alternative<Scene>(state_->file.document);
  if (is_built_later) return;
  naming(state_->request.input,
         [&] { patch_skin(state_->file.document, state_->file.scene, state_->weights); });
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
