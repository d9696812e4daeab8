#include "gvbind/weight_field.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gvbind/bind_findings.h"
#include "gvbind/bind_stages.h"
#include "gvbind/error.h"
#include "gvbind/fitted/fitted_weights.h"
#include "gvbind/weights/character_weights.h"

namespace gvbind {

namespace {

void require_finite(const PositionView& points) {
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!Eigen::Vector3d(points[i]).allFinite())
      throw Error(ErrorKind::cannot_bind, "point " + std::to_string(i) + ": is not finite");
}

}  // namespace

struct WeightField::State {
  std::size_t joints = 0;
  BindOptions options;
  CharacterDistances distances;
  WeightRules rules;
  std::optional<FittedRules> fitted;
  BindResult report;  ///< without weights
};

WeightField::WeightField(std::unique_ptr<State> state) : state_(std::move(state)) {}
WeightField::WeightField(WeightField&&) noexcept = default;
WeightField& WeightField::operator=(WeightField&&) noexcept = default;
WeightField::~WeightField() = default;

WeightField WeightField::build(const MeshView& mesh, std::span<const Joint> joints,
                               const BindOptions& options, const Monitor& monitor) {
  validate(options, joints);
  auto state = std::make_unique<State>();
  state->joints = joints.size();
  state->options = options;
  run_monitored(options, monitor, [&] {
    StageClock clock(state->report.statistics.stages, monitor, bind_stages);
    Character character = clock.run(
        "prepare", [&] { return prepare_character(mesh, joints, character_options(options)); });
    state->distances =
        character_distances(std::move(character), joints, options, clock, state->report);
    state->rules = clock.run("weights", [&] {
      WeightRules rules = weight_rules(state->distances, options);
      if (options.weights != WeightRule::falloff)
        state->fitted = fitted_rules(state->distances, rules, joints, options);
      return rules;
    });
  });
  return WeightField(std::move(state));
}

SkinWeights WeightField::at_vertices(const Falloff& falloff) const {
  validate(falloff, state_->joints);
  SkinWeights rows;
  run_monitored(state_->options, {}, [&] {
    const State& s = *state_;
    rows = s.fitted ? fitted_weights(s.distances, s.rules,
                                     vertex_scores(s.distances, s.rules, *s.fitted), falloff)
                          .rows
                    : character_weights(s.distances, s.rules, falloff).rows;
    if (falloff.prune > 0.0) rows = pruned(rows, falloff.prune);
  });
  return rows;
}

SkinWeights WeightField::at(const PositionView& points, const Falloff& falloff) const {
  validate(falloff, state_->joints);
  require_finite(points);
  SkinWeights rows;
  run_monitored(state_->options, {}, [&] {
    std::vector<Eigen::Vector3i> lattice;
    lattice.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      lattice.push_back(state_->distances.character.cube.to_lattice(points[i]));
    const State& s = *state_;
    rows = s.fitted ? fitted_weights_of_points(s.distances, s.rules, *s.fitted, falloff, lattice)
                    : weights_of_points(s.distances, s.rules, falloff, lattice);
    if (falloff.prune > 0.0) rows = pruned(rows, falloff.prune);
  });
  return rows;
}

const BindStatistics& WeightField::statistics() const { return state_->report.statistics; }
const Findings& WeightField::findings() const { return state_->report.findings; }

}  // namespace gvbind
