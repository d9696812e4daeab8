#include "motion/refine_scene.h"

#include <string>
#include <utility>

#include "gvbind/base/utf8.h"

namespace gvbind::motion {

namespace {

bool is_new(const SceneWeights& weights, const check::VertexSource& source) {
  const SkinWeights& rows = weights.meshes[source.mesh];
  return source.vertex < rows.vertex_count() && !rows.row(source.vertex).empty();
}

/// Vertices that get no new weights are fixed.
check::SkinSurface surface_to_refine(const Scene& scene, const SceneWeights& weights,
                                     RefineOptions& options) {
  check::SkinSurface surface = check::skin_surface(check::with_weights(scene, weights));
  options.held.assign(surface.vertex_count(), false);
  for (std::size_t v = 0; v < surface.vertex_count(); ++v)
    options.held[v] = !is_new(weights, surface.source[v]);
  return surface;
}

void store_refined(const check::SkinSurface& surface, const std::vector<bool>& held,
                   const RefinedWeights& refined, SceneWeights& weights) {
  if (refined.taken == 0.0) return;
  SceneWeights made;
  made.meshes.resize(weights.meshes.size());
  const SkinWeights none{{0, 0}, {}, {}};
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    const check::VertexSource& source = surface.source[v];
    if (weights.meshes[source.mesh].empty()) continue;
    if (held[v])
      made.meshes[source.mesh].append_row(none, 0);
    else
      made.meshes[source.mesh].append_row(refined.weights, v);
  }
  weights.meshes = std::move(made.meshes);
}

}  // namespace

RefinedWeights refine_scene(const Scene& scene, std::span<const SceneJoint> joints,
                            const PoseSource& poses, RefineOptions options, SceneWeights& weights) {
  const check::SkinSurface surface = surface_to_refine(scene, weights, options);
  RefinedWeights refined = refine_weights(surface, joints, poses, options);
  store_refined(surface, options.held, refined, weights);
  return refined;
}

RefinedCells refine_scene_by_cells(const Scene& scene, std::span<const SceneJoint> joints,
                                   const PoseSource& poses, RefineOptions options,
                                   SceneWeights& weights) {
  const check::SkinSurface surface = surface_to_refine(scene, weights, options);
  RefinedCells made = refine_cells(surface, joints, poses, options);
  store_refined(surface, options.held, made.refined, weights);
  return made;
}

std::string refined_text(const PoseFigures& before, const PoseFigures& after) {
  const auto change = [](double from, double to) {
    return significant(from, 3) + " -> " + significant(to, 3);
  };
  return "distance to Delta Mush " + change(100.0 * before.mush, 100.0 * after.mush) +
         " % of the size, change of volume " + change(100.0 * before.volume, 100.0 * after.volume) +
         " %, stretch " + change(before.stretch, after.stretch) +
         (before.pierced + after.pierced > 0.0
              ? ", clothes pierced at " + change(100.0 * before.pierced, 100.0 * after.pierced) +
                    " %"
              : "");
}

}  // namespace gvbind::motion
