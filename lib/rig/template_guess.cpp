#include "rig/template_guess.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "gvbind/error.h"
#include "rig/builtin_templates.h"

namespace gvbind::rig {

namespace {

constexpr int coarse = 64;  // voxels per side
constexpr double sure = 0.7;

// A logistic regression in which authors of many bodies count less, see docs/measurements/rig.md.
struct Prior {
  std::string_view name;
  double odds;
};
constexpr std::array<Prior, 6> priors{{{"biped", -0.528},
                                       {"quadruped", 1.271},
                                       {"bird", 0.753},
                                       {"fish", 0.706},
                                       {"spider", 1.362},
                                       {"hand", -0.22}}};
constexpr double none_odds = -3.345;
constexpr double cost_weight = -6.445, flesh_weight = -1.86, outside_weight = -3.166,
                 human_weight = 4.914;

struct Tried {
  std::string_view name;
  RiggedCharacter made;
  double odds;
};

std::vector<Tried> tried_templates(const MeshView& mesh, OrientRule orient) {
  std::vector<Tried> tried;
  for (const Prior& prior : priors) {
    try {
      tried.push_back({prior.name,
                       rig_character(mesh, *builtin_template(std::string(prior.name)),
                                     {.resolution = coarse, .orient = orient}),
                       prior.odds});
    } catch (const Error& error) {
      // A body that cannot hold a template does not look like it.
      if (error.kind() != ErrorKind::cannot_bind) throw;
    }
  }
  return tried;
}

}  // namespace

std::optional<TemplateGuess> guessed_template(const MeshView& mesh, OrientRule orient) {
  std::vector<Tried> tried = tried_templates(mesh, orient);
  // Of those that many bodies have: legs of spiders and fingers reach all flesh, or none.
  double least = std::numeric_limits<double>::infinity();
  for (const Tried& one : tried)
    if (one.name != "spider" && one.name != "hand") least = std::min(least, one.made.bones.flesh);
  double sum = std::exp(none_odds);
  const Tried* best = nullptr;
  for (Tried& one : tried) {
    const RiggedCharacter& made = one.made;
    one.odds += cost_weight * made.limb_cost +
                flesh_weight * std::log(std::max(made.bones.flesh, 1e-6) / std::max(least, 1e-6)) +
                outside_weight * (1.0 - made.bones.inside);
    if (made.is_calibrated)
      one.odds += human_weight *
                  std::ranges::min_element(made.joints, {}, &RiggedJoint::confidence)->confidence;
    sum += std::exp(one.odds);
    if (!best || one.odds > best->odds) best = &one;
  }
  if (!best || std::exp(best->odds) < sure * sum) return std::nullopt;
  return TemplateGuess{std::string(best->name), std::exp(best->odds) / sum};
}

}  // namespace gvbind::rig
