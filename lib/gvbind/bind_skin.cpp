#include "gvbind/bind_skin.h"

#include <utility>

#include "gvbind/bind_findings.h"
#include "gvbind/bind_stages.h"
#include "gvbind/cached_distances.h"
#include "gvbind/fitted/fitted_weights.h"
#include "gvbind/weights/character_weights.h"
#include "gvbind/weights/joint_regions.h"

namespace gvbind {

namespace {

/// Fills `kept` with the state before the weights, `result` with everything else.
void finish(Character character, std::span<const Joint> joints, const BindOptions& options,
            StageClock& clock, CachedDistances& kept, BindResult& result) {
  kept.distances = character_distances(std::move(character), joints, options, clock, result);
  kept.report.statistics = result.statistics;
  kept.report.findings = result.findings;
  compute_weights(kept, joints, options, clock, result);
}

/// As above, with enough distances for either limit rule; weights use those of this bind only.
void finish_and_keep(Character character, std::span<const Joint> joints, const BindOptions& options,
                     StageClock& clock, CachedDistances& kept, BindResult& result) {
  BindOptions either = options;
  either.limit = LimitRule::smooth;
  kept.distances = character_distances(std::move(character), joints, either, clock, result);
  kept.report.statistics = result.statistics;
  kept.report.findings = result.findings;
  DistanceField whole = kept.distances.field;
  narrow(kept.distances, labels_per_voxel(options));
  compute_weights(kept, joints, options, clock, result);
  kept.distances.field = std::move(whole);
}

}  // namespace

void compute_weights(CachedDistances& kept, std::span<const Joint> joints,
                     const BindOptions& options, StageClock& clock, BindResult& result) {
  const CharacterDistances& distances = kept.distances;
  CharacterWeights made = clock.run("weights", [&] {
    if (!kept.rules_known) kept.rules = weight_rules(distances, options);
    kept.rules_known = true;
    const Falloff falloff = falloff_of(options);
    CharacterWeights weighed;
    if (options.weights == WeightRule::falloff) {
      weighed = character_weights(distances, kept.rules, falloff);
    } else {
      const std::uint64_t key = scores_key(options);
      if (kept.scores.first.size() == 1 || kept.scored != key)
        kept.scores = vertex_scores(distances, kept.rules,
                                    fitted_rules(distances, kept.rules, joints, options));
      kept.scored = key;
      kept.scores.of_heat = options.weights == WeightRule::heat;
      weighed = fitted_weights(distances, kept.rules, kept.scores, falloff);
    }
    if (falloff.prune > 0.0) weighed.rows = pruned(weighed.rows, falloff.prune);
    return weighed;
  });
  if (made.rows.joint.empty())
    throw Error(ErrorKind::cannot_bind, "no vertex is reached by any joint");
  result.weights = std::move(made.rows);
  result.statistics.rules.regions = vertices_in_regions(distances);
  report_rigid(made.rigid, result.findings);
  report_unreached(made.unreached, result);
  report_joints(distances.character.bones, distances.outside, joints, options.outside, result);
}

namespace {

using Finish = void (*)(Character, std::span<const Joint>, const BindOptions&, StageClock&,
                        CachedDistances&, BindResult&);

BindResult bind_mesh(const MeshView& mesh, std::span<const Joint> joints,
                     const BindOptions& options, const Monitor& monitor, CachedDistances& kept,
                     Finish finish_it) {
  validate(options, joints);
  BindResult result;
  run_monitored(options, monitor, [&] {
    StageClock clock(result.statistics.stages, monitor, bind_stages);
    Character character = clock.run(
        "prepare", [&] { return prepare_character(mesh, joints, character_options(options)); });
    finish_it(std::move(character), joints, options, clock, kept, result);
  });
  return result;
}

BindResult bind_prepared(Character&& character, std::span<const Joint> joints,
                         const BindOptions& options, const Monitor& monitor, CachedDistances& kept,
                         Finish finish_it) {
  validate(options, joints);
  BindResult result;
  run_monitored(options, monitor, [&] {
    StageClock clock(result.statistics.stages, monitor, bind_stages);
    finish_it(std::move(character), joints, options, clock, kept, result);
  });
  return result;
}

}  // namespace

BindResult bind_skin(const MeshView& mesh, std::span<const Joint> joints,
                     const BindOptions& options, const Monitor& monitor) {
  CachedDistances unused;
  return bind_mesh(mesh, joints, options, monitor, unused, finish);
}

BindResult bind_character(Character&& character, std::span<const Joint> joints,
                          const BindOptions& options, const Monitor& monitor) {
  CachedDistances unused;
  return bind_prepared(std::move(character), joints, options, monitor, unused, finish);
}

BindResult bind_and_keep(const MeshView& mesh, std::span<const Joint> joints,
                         const BindOptions& options, const Monitor& monitor,
                         CachedDistances& kept) {
  return bind_mesh(mesh, joints, options, monitor, kept, finish_and_keep);
}

BindResult bind_and_keep(Character&& character, std::span<const Joint> joints,
                         const BindOptions& options, const Monitor& monitor,
                         CachedDistances& kept) {
  return bind_prepared(std::move(character), joints, options, monitor, kept, finish_and_keep);
}

}  // namespace gvbind
