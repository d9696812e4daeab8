#include "gvbind/bind_skin.h"

#include <utility>

#include "gvbind/bind_findings.h"
#include "gvbind/character_distances.h"
#include "gvbind/fitted/fitted_weights.h"
#include "gvbind/weights/character_weights.h"
#include "gvbind/weights/joint_regions.h"

namespace gvbind {

namespace {

void finish(Character character, std::span<const Joint> joints, const BindOptions& options,
            StageClock& clock, BindResult& result) {
  const CharacterDistances distances =
      character_distances(std::move(character), joints, options, clock, result);
  CharacterWeights made = clock.run("weights", [&] {
    const WeightRules rules = weight_rules(distances, options);
    const Falloff falloff = falloff_of(options);
    CharacterWeights weighed =
        options.weights == WeightRule::falloff
            ? character_weights(distances, rules, falloff)
            : fitted_weights(distances, rules, fitted_rules(distances, rules, joints, options),
                             falloff);
    if (falloff.prune > 0.0) weighed.rows = pruned(weighed.rows, falloff.prune);
    return weighed;
  });
  if (made.rows.influence.empty())
    throw Error(ErrorKind::cannot_bind, "no vertex is reached by any joint");
  result.weights = std::move(made.rows);
  result.statistics.rules.regions = vertices_in_regions(distances);
  report_rigid(made.rigid, result.findings);
  report_unreached(made.unreached, result);
  report_joints(distances.character.bones, distances.outside, joints, options.outside, result);
}

}  // namespace

BindResult bind_skin(const MeshView& mesh, std::span<const Joint> joints,
                     const BindOptions& options, const Monitor& monitor) {
  validate(options, joints);
  BindResult result;
  run_monitored(options, monitor, [&] {
    StageClock clock(result.statistics.stages, monitor, bind_stages);
    Character character = clock.run(
        "prepare", [&] { return prepare_character(mesh, joints, character_options(options)); });
    finish(std::move(character), joints, options, clock, result);
  });
  return result;
}

BindResult bind_character(Character&& character, std::span<const Joint> joints,
                          const BindOptions& options, const Monitor& monitor) {
  validate(options, joints);
  BindResult result;
  run_monitored(options, monitor, [&] {
    StageClock clock(result.statistics.stages, monitor, bind_stages);
    finish(std::move(character), joints, options, clock, result);
  });
  return result;
}

}  // namespace gvbind
