#include "character/mirror_weights.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "gvbind/base/utf8.h"

namespace gvbind {

namespace {

/// The vertices with new rows, over all meshes.
struct MirroredVertices {
  std::vector<Eigen::Vector3d> positions;
  SkinWeights rows;
};

MirroredVertices vertices_of(const BindableScene& scene, const SceneWeights& weights) {
  MirroredVertices all;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    if (weights.meshes[m].empty()) continue;
    const std::vector<Eigen::Vector3d>& own = scene.meshes[m].positions;
    all.positions.insert(all.positions.end(), own.begin(), own.end());
    for (std::size_t v = 0; v < own.size(); ++v) all.rows.append_row(weights.meshes[m], v);
  }
  return all;
}

/// The mean of a row and its partner's mirrored row. Each is a sum of two terms, so the partner's
/// mean is the exact mirror image.
std::vector<Influence> mean_row(const WeightRow& own, const WeightRow& other,
                                std::span<const int> pairs) {
  std::map<std::uint32_t, float> halves;
  for (const Influence& entry : own) halves[entry.joint] += 0.5F * entry.weight;
  for (const Influence& entry : other)
    halves[static_cast<std::uint32_t>(pairs[entry.joint])] += 0.5F * entry.weight;
  std::vector<Influence> row;
  for (const auto& [joint, weight] : halves) row.push_back({joint, weight});
  std::ranges::stable_sort(row, std::greater(), &Influence::weight);
  return row;
}

/// Limits the number of influences. Entries of equal weight are kept or dropped together, because a
/// mirrored row would keep the other ones.
void cut_row(int max_influences, std::vector<Influence>& row) {
  const auto most = static_cast<std::size_t>(max_influences);
  if (most == 0 || row.size() <= most) return;
  std::size_t kept = most;
  while (kept > 0 && row[kept - 1].weight == row[most].weight) --kept;
  row.resize(kept > 0 ? kept : most);
}

void append_scaled(const std::vector<Influence>& row, SkinWeights& rows) {
  double sum = 0.0;
  for (const Influence& entry : row) sum += double{entry.weight};
  for (const Influence& entry : row) {
    rows.joint.push_back(entry.joint);
    rows.weight.push_back(static_cast<float>(double{entry.weight} / sum));
  }
  rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
}

struct MirrorCount {
  std::size_t pairs = 0, alone = 0;
  /// By unpaired joint: vertices that cannot be mirrored with it.
  std::vector<std::size_t> of_joint;
};

/// Whether all joints of the row are paired.
bool can_be_mirrored(const WeightRow& row, std::span<const int> pairs) {
  for (const Influence& entry : row)
    if (pairs[entry.joint] < 0) return false;
  return !row.empty();
}

void count_held_back(const WeightRow& row, std::span<const int> pairs, MirrorCount& count) {
  for (const Influence& entry : row) count.of_joint[entry.joint] += pairs[entry.joint] < 0;
}

SkinWeights mirrored_rows(const MirroredVertices& all, std::span<const std::size_t> vertex_pairs,
                          std::span<const int> joint_pairs, int max_influences,
                          MirrorCount& count) {
  SkinWeights made;
  count.of_joint.assign(joint_pairs.size(), 0);
  for (std::size_t v = 0; v < vertex_pairs.size(); ++v) {
    const bool has_partner = vertex_pairs[v] != no_mirror;
    ++(has_partner ? count.pairs : count.alone);
    const WeightRow own = all.rows.row(v), other = all.rows.row(has_partner ? vertex_pairs[v] : v);
    if (has_partner) count_held_back(own, joint_pairs, count);
    if (!has_partner || !can_be_mirrored(own, joint_pairs) ||
        !can_be_mirrored(other, joint_pairs)) {
      made.append_row(all.rows, v);
      continue;
    }
    std::vector<Influence> row = mean_row(own, other, joint_pairs);
    cut_row(max_influences, row);
    append_scaled(row, made);
  }
  return made;
}

double largest_change(const SkinWeights& before, const SkinWeights& after) {
  double most = 0.0;
  std::map<std::uint32_t, double> change;
  for (std::size_t v = 0; v < before.vertex_count(); ++v) {
    change.clear();
    for (const Influence& entry : before.row(v)) change[entry.joint] += double{entry.weight};
    for (const Influence& entry : after.row(v)) change[entry.joint] -= double{entry.weight};
    for (const auto& [joint, difference] : change) most = std::max(most, std::abs(difference));
  }
  return most;
}

std::string plane_text(const MirrorPlane& plane) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%c = %.4g", "xyz"[plane.axis], plane.offset);
  return text.data();
}

void report_mirrored(const BindableScene& scene, const MirrorPlane& plane, const MirrorCount& count,
                     double change, Findings& findings) {
  std::array<char, 32> most{};
  std::snprintf(most.data(), most.size(), "%.2g", change);
  findings.push_back({Severity::note, "mirrored",
                      "weights are mirrored at " + plane_text(plane) + ": " +
                          counted(count.pairs, "vertex has a twin", "vertices have twins") +
                          ", and no weight changed by more than " + most.data(),
                      ""});
  if (count.alone > 0)
    findings.push_back({Severity::note, "mirror-without-twin",
                        counted(count.alone, "vertex", "vertices") + " without a twin beyond " +
                            plane_text(plane) + ": left as bound",
                        ""});
  for (std::size_t j = 0; j < count.of_joint.size(); ++j)
    if (count.of_joint[j] > 0)
      findings.push_back({Severity::note, "mirror-without-twin",
                          "joint '" + scene.joints[j].name + "' has no twin beyond " +
                              plane_text(plane) + ": " +
                              counted(count.of_joint[j], "vertex", "vertices") +
                              " with weight of it left as bound",
                          scene.joints[j].name});
}

void put_rows(const BindableScene& scene, const SkinWeights& rows, SceneWeights& weights) {
  std::size_t v = 0;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    if (weights.meshes[m].empty()) continue;
    SkinWeights own;
    for (std::size_t k = 0; k < scene.meshes[m].positions.size(); ++k) own.append_row(rows, v++);
    weights.meshes[m] = std::move(own);
  }
}

}  // namespace

void mirror_weights(const BindableScene& scene, Mirror mirror, const Falloff& falloff,
                    SceneWeights& weights, Findings& findings) {
  if (mirror == Mirror::off) return;
  const MirroredVertices all = vertices_of(scene, weights);
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : all.positions) box.extend(p);
  const double size = box.isEmpty() ? 0.0 : box.sizes().maxCoeff();
  const double near = near_mirror * size, far = far_mirror * size;
  MirrorCount count;
  const auto plane = mirror_plane(scene.joints, all.positions, mirror, near, far);
  if (plane) {
    const std::vector<std::size_t> pairs = mirror_vertices(all.positions, *plane, near);
    SkinWeights rows = mirrored_rows(all, pairs, mirror_joints(scene.joints, *plane, near, far),
                                     falloff.max_influences, count);
    if (falloff.prune > 0.0) rows = pruned(rows, falloff.prune);
    if (count.pairs > 0) {
      report_mirrored(scene, *plane, count, largest_change(all.rows, rows), findings);
      put_rows(scene, rows, weights);
      return;
    }
  }
  findings.push_back(
      {Severity::warning, "mirror-refused",
       plane ? "no vertex has a twin beyond " + plane_text(*plane) + ": nothing is mirrored"
             : "less than half of the joints and of the vertices have twins beyond "
               "a plane across x, y or z: nothing is mirrored",
       ""});
}

}  // namespace gvbind
