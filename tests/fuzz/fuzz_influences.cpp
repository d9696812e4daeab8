#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bind/bind_scene.h"
#include "bind/scene_rules.h"
#include "gvbind/error.h"
#include "round_trip.h"
#include "rule_scene.h"

namespace {

using namespace gvbind;

void check_bind(const RuleSet& rules, bool fitted) {
  Scene scene = fuzz::rule_scene();
  Findings findings;
  BindOptions options;
  options.resolution = 16;
  options.device = Device::cpu;
  options.weights = fitted ? WeightRule::fitted : WeightRule::falloff;
  options.rules = resolve_rules(rules, scene.meshes, scene.joints, findings);
  const SceneBinding made = bind_scene(scene, options);
  const SkinWeights& weights = made.weights.meshes[0];
  for (std::size_t v = 0; v < scene.meshes[0].positions.size(); ++v) {
    float sum = 0.0f;
    for (const Influence& entry : weights.row(v)) sum += entry.weight;
    fuzz::require(std::abs(sum - 1.0f) < 1e-4f, "weights sum to one");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::TimeLimit limit;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz::accepts([&] {
    RuleSet rules;
    try {
      rules.influences = parse_influences(text, "f");
    } catch (const Error& error) {
      fuzz::require(error.kind() == ErrorKind::input && fuzz::names_line(error.what(), "f"),
                    "a refusal names the file and the line");
      throw;
    }
    check_bind(rules, size % 4 == 0);
  });
  return 0;
}
