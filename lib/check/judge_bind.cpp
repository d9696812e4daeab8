#include "check/judge_bind.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/base/utf8.h"

namespace gvbind::check {

namespace {

/// Tolerance for equal figures: the larger of the two.
struct Tolerance {
  std::string_view name;
  double (*of)(const SkinFigures& figures);
  double absolute, relative;
};

using Figures = const SkinFigures&;

/// Enough for the ratio that one edge in a hundred exceeds; docs/measurements/check.md compares.
constexpr std::size_t sampled_edges = std::size_t{1} << 14;

constexpr Tolerance tolerances[] = {
    {"without_weight", [](Figures f) { return static_cast<double>(f.without_weight); }, 0.0, 0.0},
    {"bleed", [](Figures f) { return f.bleed; }, 0.01, 0.25},
    {"stretch", [](Figures f) { return f.stretch; }, 0.5, 0.25},
    {"far_surface", [](Figures f) { return f.far_surface; }, 0.005, 0.25},
    {"far_joint", [](Figures f) { return f.far_joint; }, 0.02, 0.25},
    {"dead_joints", [](Figures f) { return static_cast<double>(f.dead_joints); }, 0.0, 0.0},
};

void compare_rows(const SkinWeights& before, const SkinWeights& now, SkinComparison& sum) {
  for (std::size_t v = 0; v < before.vertex_count(); ++v) {
    const std::size_t a = before.first[v], b = before.first[v + 1];
    const std::size_t c = now.first[v], d = now.first[v + 1];
    if (a == b || c == d) continue;
    ++sum.vertices;
    sum.changed += before.joint[a] != now.joint[c];
    double shared = 0.0;  // rows sum to one, so the rest is the difference
    for (std::size_t k = a; k < b; ++k)
      for (std::size_t l = c; l < d; ++l)
        if (before.joint[k] == now.joint[l]) shared += std::min(before.weight[k], now.weight[l]);
    sum.mean_l1 += std::max(0.0, 2.0 - 2.0 * shared);
  }
  if (sum.vertices == 0) return;
  sum.changed /= static_cast<double>(sum.vertices);
  sum.mean_l1 /= static_cast<double>(sum.vertices);
}

constexpr std::size_t most_named = 5;

bool holds(const std::vector<DeadJoint>& list, const DeadJoint& dead) {
  return std::ranges::find(list, dead.joint, &DeadJoint::joint) != list.end();
}

/// Findings of joints that moved vertices before mention it.
void report_dead_joints(const std::vector<SceneJoint>& joints, const std::vector<DeadJoint>& dead,
                        const std::vector<DeadJoint>& lost, Findings& findings) {
  for (const DeadJoint& one : lost) findings.push_back(dead_joint_finding(joints, one, true));
  for (const DeadJoint& one : dead)
    if (!holds(lost, one)) findings.push_back(dead_joint_finding(joints, one));
}

/// "'Foot.L', 'Foot.R'": joints that are dead now but were not before.
std::string new_dead_names(const std::vector<SceneJoint>& joints, const CheckResult& before,
                           const CheckResult& now, const std::vector<DeadJoint>& lost) {
  std::vector<DeadJoint> fresh = lost;
  for (const DeadJoint& one : now.dead_joints)
    if (!holds(lost, one) && !holds(before.dead_joints, one)) fresh.push_back(one);
  std::string names;
  for (std::size_t i = 0; i < std::min(fresh.size(), most_named); ++i)
    names += (i > 0 ? ", '" : "'") + joints[fresh[i].joint].name + "'";
  return fresh.size() > most_named ? names + ", ..." : names;
}

bool replaces_weights(const Scene& scene, const SceneWeights& weights) {
  for (std::size_t m = 0; m < scene.meshes.size() && m < weights.meshes.size(); ++m)
    if (!scene.meshes[m].weights.joint.empty() && !weights.meshes[m].empty()) return true;
  return false;
}

Finding worse_finding(const SkinComparison& comparison, const std::string& dead_names) {
  std::string message = "judged worse than the weights of the input: ";
  const char* separator = "";
  for (const Tolerance& t : tolerances) {
    if (std::ranges::find(comparison.worse_in, t.name) == comparison.worse_in.end()) continue;
    std::string name(t.name);
    std::ranges::replace(name, '_', ' ');
    message += separator + name + " " + significant(t.of(comparison.now), 3) + " (was " +
               significant(t.of(comparison.before), 3) + ")";
    if (t.name == "dead_joints" && !dead_names.empty()) message += ": " + dead_names;
    separator = ", ";
  }
  return {Severity::note, "worse-than-before", message, ""};
}

bool exceeds(double figure, double other, const Tolerance& t) {
  return figure > other + std::max(t.absolute, t.relative * other);
}

/// Measures both on all edges where they differ on a sample by more than two thirds of a tolerance,
/// or where only one was measured on a sample.
void settle_stretch(const std::vector<SceneJoint>& joints, const StretchOptions& options,
                    CheckResult& before, CheckResult& after) {
  Tolerance t = *std::ranges::find(tolerances, "stretch", &Tolerance::name);
  t.absolute *= sample_margin, t.relative *= sample_margin;
  const double old = before.stretch.p99, fresh = after.stretch.p99;
  if (before.stretch.sampled == after.stretch.sampled && !exceeds(fresh, old, t) &&
      !exceeds(old, fresh, t))
    return;
  StretchOptions all = options;
  all.sample = 0;
  for (CheckResult* const result : {&before, &after})
    if (result->stretch.sampled) result->stretch = measure_stretch(result->surface, joints, all);
}

}  // namespace

const char* name_of(SkinVerdict verdict) {
  return verdict == SkinVerdict::worse    ? "worse"
         : verdict == SkinVerdict::better ? "better"
                                          : "equal";
}

SkinFigures figures_of(const CheckResult& result) {
  return {result.rows.without_weight, result.bleed.share,      result.stretch.p99,
          result.far_joints.surface,  result.far_joints.worst, result.dead_joints.size()};
}

SkinComparison compare_figures(const SkinFigures& before, const SkinFigures& now) {
  SkinComparison comparison;
  comparison.before = before, comparison.now = now;
  bool better = false;
  for (const Tolerance& t : tolerances) {
    const double old = t.of(before), fresh = t.of(now);
    if (exceeds(fresh, old, t)) comparison.worse_in.emplace_back(t.name);
    better = better || exceeds(old, fresh, t);
  }
  if (!comparison.worse_in.empty())
    comparison.verdict = SkinVerdict::worse;
  else if (better)
    comparison.verdict = SkinVerdict::better;
  return comparison;
}

CheckOptions judge_options() {
  CheckOptions options;
  options.stretch.sample = sampled_edges;
  return options;
}

BindJudgement judge_bind(const Scene& scene, const SceneWeights& weights,
                         const CheckOptions& options) {
  const Scene bound = with_weights(scene, weights);
  const bool compares = replaces_weights(scene, weights);
  SkinSurface surface = skin_surface(bound), common;
  bool all_had_weights = true;
  if (compares) {
    all_had_weights = std::ranges::all_of(surface.source, [&](const VertexSource& source) {
      return !scene.meshes[source.mesh].skin_joints.empty();
    });
    common = all_had_weights ? surface : skin_surface(scene);
  }
  // In parallel, since most of a check is sequential.
  CheckResult now, before, now_common;
  parallel_for(2, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t side = begin; side < end; ++side) {
      if (side == 0) {
        now = check_surface(bound, std::move(surface), options);
      } else if (compares) {
        if (!all_had_weights) {
          take_weights(common, bound);
          now_common = check_surface(bound, common, options);
        }
        take_weights(common, scene);
        before = check_surface(scene, std::move(common), options);
      }
    }
  });

  CheckResult& after = all_had_weights ? now : now_common;
  if (compares) settle_stretch(scene.joints, options.stretch, before, after);

  BindJudgement judgement;
  judgement.figures = figures_of(now);
  for (Finding& finding : now.findings)
    if (finding.code == "bleed" || finding.code == "far-joint" || finding.code == "stretch")
      judgement.findings.push_back(std::move(finding));
  if (!compares) {
    report_dead_joints(scene.joints, now.dead_joints, {}, judgement.findings);
    return judgement;
  }
  const std::vector<DeadJoint> lost = find_lost_joints(
      before.surface.weights, after.surface, scene.joints.size(), after.joints.without_weight);
  report_dead_joints(scene.joints, now.dead_joints, lost, judgement.findings);
  SkinFigures figures = figures_of(after);
  figures.dead_joints += static_cast<std::size_t>(std::ranges::count_if(
      lost, [&](const DeadJoint& one) { return !holds(after.dead_joints, one); }));
  SkinComparison comparison = compare_figures(figures_of(before), figures);
  compare_rows(before.surface.weights, after.surface.weights, comparison);
  if (comparison.verdict == SkinVerdict::worse)
    judgement.findings.push_back(
        worse_finding(comparison, new_dead_names(scene.joints, before, after, lost)));
  judgement.comparison = std::move(comparison);
  return judgement;
}

}  // namespace gvbind::check
