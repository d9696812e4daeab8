#include "gvbind/asset.h"

#include <utility>
#include <variant>

#include "bind/bind_scene.h"
#include "bind/checked_write.h"
#include "bind/skeleton_fit.h"
#include "bind/verify.h"
#include "character/selection.h"
#include "formats/document.h"
#include "io/atomic_write.h"

namespace gvbind {

struct Asset::State {
  std::filesystem::path file;
  ReadOptions reading;
  Document document;
  Scene scene;           ///< as read
  Scene shown;           ///< the same with the weights that it has by now
  SceneWeights weights;  ///< that the document got; no meshes: none
  Findings findings;
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
  state->file = file;
  state->reading.root = asset_root_of(file, options.root);
  state->reading.max_memory = options.max_memory > 0 ? options.max_memory : UINT64_MAX;
  state->document = read_document(file, state->findings, state->reading);
  naming(file, [&] { state->scene = scene_of(state->document, {}, state->findings, {}); });
  state->shown = state->scene;
  return Asset(std::move(state));
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
  return naming(state_->file, [&] {
    Scene bound = state_->scene;
    Selection selection;
    selection.names = names_in_selection(options);
    Findings findings = apply_selection(bound, selection);
    require_fit(bound);
    SceneBinding made = bind_scene(bound, options, Volume::automatic, monitor);
    made.findings.insert(made.findings.begin(), findings.begin(), findings.end());
    set_weights(made.weights.meshes);
    return AssetBinding{std::move(made.weights.meshes), std::move(made.statistics),
                        std::move(made.findings)};
  });
}

void Asset::set_weights(const std::vector<SkinWeights>& weights) {
  naming(state_->file, [&] { check_counts(scene().meshes, weights); });
  std::vector<SceneMesh>& meshes = state_->shown.meshes;
  state_->weights.meshes = weights;
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    if (weights[m].empty()) continue;
    meshes[m].weights = weights[m];
    if (meshes[m].skin_joints.empty()) meshes[m].skin_joints = {0};  // has a skin from now on
  }
  if (std::holds_alternative<Scene>(state_->document)) return;  // built when its format is known
  naming(state_->file, [&] { patch_skin(state_->document, state_->scene, state_->weights); });
}

void Asset::write(const std::filesystem::path& file, Overwrite overwrite) const {
  const State& s = *state_;
  Findings findings;
  const bool is_built = std::holds_alternative<Scene>(s.document);
  Document document = is_built ? build_document(s.scene, file) : s.document;
  const Scene built = is_built ? scene_of(document, {}, findings, without_attributes) : Scene();
  const Scene& expected = is_built ? built : s.scene;
  if (is_built && !s.weights.meshes.empty()) patch_skin(document, expected, s.weights);
  StagedFiles staged(encode(document, file, findings), file,
                     WriteOptions{.overwrite = overwrite == Overwrite::yes});
  if (!s.weights.meshes.empty())
    read_back(staged, {s.file, file, s.reading}, [&](const Document& written) {
      verify_written(expected, s.weights, scene_of(written, {}, findings, without_attributes));
    });
  staged.commit();
}

}  // namespace gvbind
