#include "character/target.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>

#include "gvbind/base/utf8.h"

namespace gvbind {
namespace {

/// Number of joints with weight, and the most at one vertex.
struct WeightCounts {
  std::size_t joints = 0, influences = 0;
};

WeightCounts counts_of(const SkinWeights& weights) {
  std::set<std::uint32_t> joints;
  WeightCounts counts;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    std::size_t own = 0;
    for (const Influence entry : weights.row(v))
      if (entry.weight > 0.0F) {
        joints.insert(entry.joint);
        ++own;
      }
    counts.influences = std::max(counts.influences, own);
  }
  counts.joints = joints.size();
  return counts;
}

struct RoundedWeight {
  std::uint32_t joint = 0;
  int steps = 0;
  double rest = 0.0;  ///< lost by rounding down
};

std::vector<RoundedWeight> rounded_row(const WeightRow& row, int steps) {
  double sum = 0.0;
  for (const Influence entry : row) sum += entry.weight;
  if (!(sum > 0.0)) return {};
  std::vector<RoundedWeight> rounded;
  int left = steps;
  for (const Influence entry : row) {
    const double exact = entry.weight / sum * steps;
    const int whole = static_cast<int>(exact);
    rounded.push_back({entry.joint, whole, exact - whole});
    left -= whole;
  }
  std::ranges::stable_sort(rounded, std::greater(), &RoundedWeight::rest);
  for (std::size_t i = 0; left > 0; i = (i + 1) % rounded.size(), --left) ++rounded[i].steps;
  std::erase_if(rounded, [](const RoundedWeight& entry) { return entry.steps <= 0; });
  std::ranges::sort(rounded, [](const RoundedWeight& a, const RoundedWeight& b) {
    return a.steps != b.steps ? a.steps > b.steps : a.joint < b.joint;
  });
  return rounded;
}

void report_mesh(const TargetLimits& limits, const SceneMesh& mesh, const SkinWeights& weights,
                 bool kept, Findings& findings) {
  const WeightCounts counts = counts_of(weights);
  if (limits.joints > 0 && counts.joints > static_cast<std::size_t>(limits.joints))
    findings.push_back({Severity::warning, "target-joints",
                        "mesh '" + mesh.name + "': " + grouped(counts.joints) +
                            " joints have weight, and " + limits.name + " takes " +
                            std::to_string(limits.joints) +
                            " per mesh; --max-joints splits it, and --exclude leaves joints out",
                        mesh.name});
  if (kept && limits.influences > 0 &&
      counts.influences > static_cast<std::size_t>(limits.influences))
    findings.push_back({Severity::warning, "target-influences",
                        "mesh '" + mesh.name + "' keeps weights of up to " +
                            std::to_string(counts.influences) + " joints per vertex, and " +
                            limits.name + " reads " + std::to_string(limits.influences),
                        mesh.name});
}

}  // namespace

TargetLimits target_limits(Target target) {
  switch (target) {
    case Target::none:
      break;
    case Target::three:
      return {"three", 4, 0, 0};
    case Target::babylon:
      return {"babylon", 8, 0, 0};
    case Target::godot:
      return {"godot", 8, 0, 0};
    case Target::unity:
      return {"unity", 4, 0, 0};
    case Target::unreal:
      return {"unreal", 8, 256, 255};
    case Target::mobile:
      return {"mobile", 4, 75, 255};
    case Target::vrm:
      return {"vrm", 4, 0, 0};
    case Target::roblox:
      return {"roblox", 4, 0, 0};
  }
  return {};
}

SkinWeights rounded_weights(const SkinWeights& weights, int steps) {
  SkinWeights result;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    for (const RoundedWeight& entry : rounded_row(weights.row(v), steps)) {
      result.joint.push_back(entry.joint);
      result.weight.push_back(static_cast<float>(entry.steps) / static_cast<float>(steps));
    }
    result.first.push_back(static_cast<std::uint32_t>(result.joint.size()));
  }
  return result;
}

void fit_to_target(Target target, const Scene& scene, SceneWeights& weights, Findings& findings) {
  if (target == Target::none) return;
  const TargetLimits limits = target_limits(target);
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    SkinWeights& own = weights.meshes[m];
    if (!own.empty() && limits.weight_steps > 0) own = rounded_weights(own, limits.weight_steps);
    const SkinWeights& written = own.empty() ? scene.meshes[m].weights : own;
    if (!written.empty()) report_mesh(limits, scene.meshes[m], written, own.empty(), findings);
    if (!own.empty() && weights.fills_mesh(m))
      report_mesh({limits.name, limits.influences, 0, 0}, scene.meshes[m], scene.meshes[m].weights,
                  true, findings);
  }
}

}  // namespace gvbind
