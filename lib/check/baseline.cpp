#include "check/baseline.h"
#include "gvbind/base/utf8.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

namespace gvbind::check {

namespace {

using Result = const CheckResult&;

double count(std::size_t n) { return static_cast<double>(n); }

/// Sharing a vertex among many joints is not a fault.
constexpr double any = std::numeric_limits<double>::infinity();

/// Counts of faults must not grow at all. Ratios may: they vary slightly with the math library and
/// with intended edits of the mesh.
constexpr Measure measures[] = {
    // clang-format off
    // name                   value                                                   up     abs    rel
    {"damaged_weights",       [](Result r) { return count(r.rows.damaged); },               true,  0.0,   0.0},
    {"off_sum_vertices",      [](Result r) { return count(r.rows.off_sum); },               true,  0.0,   0.0},
    {"largest_sum_error",     [](Result r) { return r.rows.largest_error; },                true,  1e-3,  0.0},
    {"vertices_without_weight", [](Result r) { return count(r.rows.without_weight); },      true,  0.0,   0.0},
    {"most_influences",       [](Result r) { return count(r.rows.max_influences); },       true,  any,   0.0},
    {"mean_influences",       [](Result r) { return r.rows.mean_influences; },              true,  any,   0.0},
    {"joints_without_weight", [](Result r) { return count(r.joints.without_weight.size()); }, true, 0.0,  0.0},
    {"joints_without_effect", [](Result r) { return count(r.joints.idle.size()); },         true,  0.0,   0.0},
    {"dead_joints",           [](Result r) { return count(r.dead_joints.size()); },         true,  0.0,   0.0},
    {"bleed",                 [](Result r) { return r.bleed.share; },                       true,  0.001, 0.1},
    {"bleeding_surface",      [](Result r) { return r.bleed.bleeding; },                    true,  0.002, 0.1},
    {"worst_bleed",           [](Result r) { return r.bleed.worst; },                       true,  0.1,   0.0},
    {"far_surface",           [](Result r) { return r.far_joints.surface; },                true,  0.002, 0.1},
    {"far_joint",             [](Result r) { return r.far_joints.worst; },                  true,  0.01,  0.1},
    {"stretch_median",        [](Result r) { return r.stretch.median; },                    true,  0.02,  0.02},
    {"stretch_p95",           [](Result r) { return r.stretch.p95; },                       true,  0.05,  0.05},
    {"stretch_p99",           [](Result r) { return r.stretch.p99; },                       true,  0.1,   0.1},
    {"stretch_largest",       [](Result r) { return r.stretch.largest; },                   true,  0.5,   0.5},
    {"torn_edges",            [](Result r) { return r.stretch.torn; },                      true,  5e-4,  0.1},
    {"squash_p1",             [](Result r) { return r.stretch.p1; },                        false, 0.02,  0.1},
    // clang-format on
};

std::size_t common_tail(const std::filesystem::path& a, const std::filesystem::path& b) {
  const std::vector<std::filesystem::path> left(a.begin(), a.end()), right(b.begin(), b.end());
  const auto ends = std::mismatch(left.rbegin(), left.rend(), right.rbegin(), right.rend());
  return static_cast<std::size_t>(ends.first - left.rbegin());
}

}  // namespace

std::span<const Measure> check_measures() { return measures; }

MeasureValues measure_values(const CheckResult& result) {
  MeasureValues values;
  for (const Measure& measure : measures) values[measure.name] = measure.of(result);
  return values;
}

Findings compare_measures(const MeasureValues& before, const MeasureValues& now) {
  Findings findings;
  for (const Measure& measure : measures) {
    const auto old = before.find(measure.name), fresh = now.find(measure.name);
    if (old == before.end() || fresh == now.end()) continue;
    const double worse =
        measure.grows_worse ? fresh->second - old->second : old->second - fresh->second;
    const double allowed = std::max(measure.absolute, measure.relative * std::abs(old->second));
    if (worse <= allowed) continue;
    findings.push_back({Severity::error, "worse",
                        std::string(measure.name) + " was " + significant(old->second, 4) +
                            " and is " + significant(fresh->second, 4) + ", more than " +
                            significant(allowed, 4) + " worse",
                        measure.name});
  }
  return findings;
}

BaselineMatch match_baseline(const std::string& file, const std::vector<std::string>& baseline) {
  BaselineMatch match;
  std::size_t best = 0;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    const std::size_t alike = common_tail(file, baseline[i]);
    if (alike == 0 || alike < best) continue;
    match.ambiguous = alike == best;
    match.index = static_cast<int>(i);
    best = alike;
  }
  if (match.ambiguous) match.index = -1;
  return match;
}

}  // namespace gvbind::check
