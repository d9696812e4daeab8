#include "commands/bind/scene_skinning.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "gvbind/base/path_text.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

/// The weighted mean of the joints' factors over one row; none if the row is empty.
std::optional<double> mean_factor(const SkinWeights& rows, std::size_t vertex,
                                  const std::vector<double>& of_joint) {
  double sum = 0.0, total = 0.0;
  for (std::uint32_t k = rows.first[vertex]; k < rows.first[vertex + 1]; ++k) {
    const auto weight = static_cast<double>(rows.weight[k]);
    sum += weight * of_joint[rows.joint[k]];
    total += weight;
  }
  if (!(total > 0.0)) return std::nullopt;
  return std::clamp(sum / total, 0.0, 1.0);
}

/// One factor per vertex. Vertices without new weights use those that they keep.
std::vector<double> blend_of(const SceneMesh& mesh, const SkinWeights& rows,
                             const std::vector<double>& of_joint, double of_mesh) {
  std::vector<double> blend(mesh.positions.size());
  for (std::size_t v = 0; v < blend.size(); ++v) {
    std::optional<double> factor = mean_factor(rows, v, of_joint);
    if (!factor && !mesh.weights.empty()) factor = mean_factor(mesh.weights, v, of_joint);
    blend[v] = of_mesh * factor.value_or(0.0);
  }
  return blend;
}

}  // namespace

std::optional<SkinningPlan> plan_skinning(const BindRequest& request, const BindableFile& f) {
  if (!request.skinning) return std::nullopt;
  if (!std::holds_alternative<std::shared_ptr<FbxDocument>>(f.document)) {
    if (*request.skinning == SkinningType::linear) return std::nullopt;
    throw Error(ErrorKind::usage, path_text(request.output) +
                                      ": --skinning: a glTF moves by linear skinning alone; write "
                                      "an .fbx, or leave the option out");
  }
  SkinningPlan plan{*request.skinning, {}};
  if (plan.type == SkinningType::blend)
    plan.dual = read_factors(request.skinning_file, f.scene, path_text(request.input), {});
  return plan;
}

void apply_skinning(const SkinningPlan& plan, const SceneWeights& weights, BindableFile& f) {
  const Scene& scene = f.scene;
  SceneSkinning skinning{plan.type, {}};
  for (std::size_t m = 0; plan.type == SkinningType::blend && m < scene.meshes.size(); ++m)
    skinning.dual.push_back(
        weights.meshes[m].empty()
            ? std::vector<double>()
            : blend_of(scene.meshes[m], weights.meshes[m], plan.dual.joints, plan.dual.meshes[m]));
  set_skinning(*std::get<std::shared_ptr<FbxDocument>>(f.document), scene, weights, skinning);
}

}  // namespace gvbind
