#include "bind/bound_weights.h"

#include "bind/finished_meshes.h"
#include "bind/locked_weights.h"
#include "bind/weights_from_cache.h"
#include "character/mirror_weights.h"

namespace gvbind {

SceneBinding compute_weights(const BindRequest& request, const BindableFile& f,
                             const BindOptions& options, const Monitor& monitor,
                             std::span<Character> characters, const FieldUse& field) {
  if (!f.existing.binds(f.scene)) {
    SceneBinding none;
    none.weights.meshes.resize(f.scene.meshes.size());
    none.statistics.device = "none";
    return none;
  }
  return naming(request.input, [&] {
    SceneBinding bound =
        request.from_field
            ? bind_from_field(f.bindable(), options, *request.from_field)
            : bind_scene(f.bindable(), options, request.volume, monitor, characters, field);
    if (request.finished) take_finished(*request.finished, f.bindable(), options, bound.weights);
    return bound;
  });
}

void finish_weights(const BindRequest& request, const BindableFile& f, const BindOptions& options,
                    SceneBinding& bound) {
  if (f.existing.binds(f.scene))
    naming(request.input, [&] {
      mirror_weights(f.bindable(), request.rules.mirror, options, bound.weights, bound.findings);
    });
  spread_twist_weights(f.twists, f.scene, options.max_influences, bound.weights);
  // Refined weights and shares of twist joints may be small again.
  if (options.prune > 0.0)
    for (SkinWeights& rows : bound.weights.meshes) rows = pruned(rows, options.prune);
  apply_locks(f.scene, f.locked, {options.max_influences, options.prune}, bound.weights,
              bound.findings);
  apply_existing(f.scene, f.existing, f.built, bound.weights);
  fit_to_target(request.target, f.scene, bound.weights, bound.findings);
  const int most = target_limits(request.target).joints;
  if (request.max_joints > 0 && request.max_joints <= most)  // the output's meshes will be split
    std::erase_if(bound.findings,
                  [](const Finding& found) { return found.code == "target-joints"; });
}

}  // namespace gvbind
