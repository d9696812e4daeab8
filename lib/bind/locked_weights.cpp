#include "bind/locked_weights.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "character/selection.h"
#include "gvbind/base/utf8.h"
#include "io/glob.h"

namespace gvbind {

namespace {

/// Rounding error of a row that locked joints own.
constexpr double min_lock_rest = 1e-5;

/// By joint, whether it has old weights in a mesh that is bound.
std::vector<bool> joints_with_weights(const Scene& scene) {
  std::vector<bool> weighted(scene.joints.size(), false);
  for (const SceneMesh& mesh : scene.meshes)
    if (mesh.selected)
      for (const std::uint32_t joint : mesh.weights.joint) weighted[joint] = true;
  return weighted;
}

struct LockMatches {
  bool named = false;  ///< a joint or mesh has the name
  bool held = false;   ///< and has weights to keep
};

void lock_meshes(const Scene& scene, const LockRule& rule, ExistingPlan& plan, LockMatches& found) {
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (!mesh.selected || !matches_name(rule.glob, mesh.name)) continue;
    found.named = true;
    if (plan.meshes[m] == MeshWeights::none || mesh.damaged_weights > 0) continue;
    found.held = true;
    plan.meshes[m] = MeshWeights::kept;
  }
}

void lock_joints(const Scene& scene, const LockRule& rule, const std::vector<bool>& weighted,
                 std::vector<bool>& locked, LockMatches& found) {
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    if (!matches_name(rule.glob, scene.joints[j].name)) continue;
    found.named = true;
    if (!weighted[j]) continue;
    found.held = true;
    locked[j] = true;
  }
}

std::string hint_for_lock(const Scene& scene, const LockRule& rule) {
  std::vector<std::string> names;
  if (rule.of != LockRule::Of::mesh)
    for (const SceneJoint& joint : scene.joints) names.push_back(joint.name);
  if (rule.of != LockRule::Of::joint)
    for (const SceneMesh& mesh : scene.meshes)
      if (mesh.selected) names.push_back(mesh.name);
  const std::string near = nearest_name(rule.glob, names);
  return near.empty() ? "" : "; is it '" + near + "'?";
}

void report_lock(const Scene& scene, const LockRule& rule, const LockMatches& found,
                 Findings& findings) {
  if (found.held) return;
  constexpr const char* what[] = {"joint or mesh that is bound", "joint", "mesh that is bound"};
  const std::string why = found.named
                              ? "what matches '" + rule.glob + "' has no sound weights to keep"
                              : std::string("no ") + what[static_cast<int>(rule.of)] +
                                    " matches '" + rule.glob + "'" + hint_for_lock(scene, rule);
  findings.push_back({Severity::warning, "rule-unmatched", one_line(rule.origin + ": " + why), ""});
}

double sum_of(std::span<const Influence> row) {
  double sum = 0.0;
  for (const Influence& entry : row) sum += double{entry.weight};
  return sum;
}

double row_sum(const WeightRow& row) {
  double sum = 0.0;
  for (const Influence& entry : row) sum += double{entry.weight};
  return sum;
}

/// Entries whose lock is as asked, the largest first.
std::vector<Influence> entries_where(const WeightRow& row, const std::vector<bool>& locked,
                                     bool is_locked) {
  std::vector<Influence> entries;
  for (const Influence& entry : row)
    if (entry.weight > 0.0F && locked[entry.joint] == is_locked) entries.push_back(entry);
  std::ranges::stable_sort(entries, std::greater(), &Influence::weight);
  return entries;
}

void scale_to(std::vector<Influence>& row, double target) {
  const double sum = sum_of(row);
  for (Influence& entry : row)
    entry.weight = static_cast<float>(double{entry.weight} / sum * target);
}

/// Without entries below `least`, unless that would leave none; the sum stays.
void prune_others(double least, std::vector<Influence>& others) {
  const double sum = sum_of(others);
  const std::size_t before = others.size();
  while (others.size() > 1 && double{others.back().weight} < least) others.pop_back();
  if (others.size() < before) scale_to(others, sum);
}

/// Joints without the right to weight that own some in rows around locks.
struct ExcludedOwners {
  std::size_t vertices = 0;
  std::string first;  ///< name of the first such joint
};

void count_excluded(const Scene& scene, const std::vector<bool>& locked,
                    std::span<const Influence> row, ExcludedOwners& owners) {
  const auto found = std::ranges::find_if(row, [&](const Influence& entry) {
    return entry.weight > 0.0F && !locked[entry.joint] && !scene.joints[entry.joint].deforms;
  });
  if (found == row.end()) return;
  if (owners.vertices++ == 0) owners.first = scene.joints[found->joint].name;
}

}  // namespace

std::vector<bool> plan_locks(const Scene& scene, const std::vector<LockRule>& rules,
                             ExistingPlan& plan, Findings& findings) {
  if (rules.empty()) return {};
  const std::vector<bool> weighted = joints_with_weights(scene);
  std::vector<bool> locked(scene.joints.size(), false);
  for (const LockRule& rule : rules) {
    LockMatches found;
    if (rule.of != LockRule::Of::mesh) lock_joints(scene, rule, weighted, locked, found);
    if (rule.of != LockRule::Of::joint) lock_meshes(scene, rule, plan, found);
    report_lock(scene, rule, found, findings);
  }
  if (std::ranges::count(locked, true) == 0) locked.clear();
  return locked;
}

std::vector<Influence> row_around_locks(const WeightRow& old, const WeightRow& fresh,
                                        const std::vector<bool>& locked, const LockLimits& limits) {
  std::vector<Influence> row = entries_where(old, locked, true);
  const double old_sum = row_sum(old), held = sum_of(row) / old_sum;
  std::vector<Influence> others = entries_where(fresh, locked, false);
  if (others.empty()) others = entries_where(old, locked, false);
  if (limits.max_influences > 0) {
    const auto most = static_cast<std::size_t>(limits.max_influences);
    row.resize(std::min(row.size(), most));
    others.resize(std::min(others.size(), most - row.size()));
  }
  const double rest = 1.0 - held;
  if (others.empty() || rest < min_lock_rest) {
    scale_to(row, 1.0);
    return row;
  }
  if (!row.empty()) scale_to(row, sum_of(row) / old_sum);
  scale_to(others, 1.0 - sum_of(row));
  prune_others(limits.prune, others);
  row.insert(row.end(), others.begin(), others.end());
  std::ranges::stable_sort(row, [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  return row;
}

void apply_locks(const Scene& scene, const std::vector<bool>& locked, const LockLimits& limits,
                 SceneWeights& weights, Findings& findings) {
  if (locked.empty()) return;
  std::size_t held = 0;
  ExcludedOwners excluded;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (mesh.weights.empty() || weights.meshes[m].empty()) continue;
    const std::vector<bool> usable = usable_vertices(mesh);
    SkinWeights rows;
    for (std::size_t v = 0; v < usable.size(); ++v) {
      if (!usable[v] || !(row_sum(mesh.weights.row(v)) > 0.0)) {
        rows.append_row(weights.meshes[m], v);
        continue;
      }
      const std::vector<Influence> row =
          row_around_locks(mesh.weights.row(v), weights.meshes[m].row(v), locked, limits);
      count_excluded(scene, locked, row, excluded);
      for (const Influence& entry : row) {
        rows.joint.push_back(entry.joint);
        rows.weight.push_back(entry.weight);
      }
      rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
      held += std::ranges::any_of(row, [&](const Influence& entry) { return locked[entry.joint]; });
    }
    weights.meshes[m] = std::move(rows);
  }
  findings.push_back({Severity::note, "weights-locked",
                      counted(static_cast<std::size_t>(std::ranges::count(locked, true)),
                              "joint keeps", "joints keep") +
                          " the weights of before in " + counted(held, "vertex", "vertices"),
                      ""});
  if (excluded.vertices > 0)
    findings.push_back({Severity::warning, "lock-needs-excluded",
                        counted(excluded.vertices, "vertex keeps", "vertices keep") +
                            " weights of joints that should get none, as locks leave no other "
                            "joint; the first is '" +
                            excluded.first + "'",
                        excluded.first});
}

}  // namespace gvbind
