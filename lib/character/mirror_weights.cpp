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

#include "character/given_vertices.h"
#include "character/shape_box.h"
#include "gvbind/base/utf8.h"

namespace gvbind {

namespace {

/// The vertices with new rows, over all meshes.
struct MirroredVertices {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Eigen::Vector3d> shape;  ///< positions in triangles
  std::vector<bool> given;             ///< a rule gives the vertex to one joint
  SkinWeights rows;
};

MirroredVertices vertices_of(const BindableScene& scene, const SceneWeights& weights) {
  MirroredVertices all;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    if (weights.meshes[m].empty()) continue;
    const std::vector<Eigen::Vector3d>& own = scene.meshes[m].positions;
    all.positions.insert(all.positions.end(), own.begin(), own.end());
    const std::vector<bool> used = shape_vertices(scene.meshes[m]);
    for (std::size_t v = 0; v < own.size(); ++v) {
      all.rows.append_row(weights.meshes[m], v);
      all.given.push_back(is_given(scene.meshes[m], v));
      if (used[v]) all.shape.push_back(own[v]);
    }
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

/// Rules about vertices. Each side keeps to its own, even if those of the other side differ.
struct MirrorRules {
  std::span<const JointRegion> regions;
  std::span<const ForbiddenJoints> forbidden;
};

bool is_forbidden(std::span<const ForbiddenJoints> forbidden, std::uint32_t owner,
                  std::uint32_t joint) {
  const auto has = [](const std::vector<std::uint32_t>& joints, std::uint32_t sought) {
    return std::ranges::find(joints, sought) != joints.end();
  };
  return owner != joint && std::ranges::any_of(forbidden, [&](const ForbiddenJoints& pair) {
           return (has(pair.first, owner) && has(pair.second, joint)) ||
                  (has(pair.second, owner) && has(pair.first, joint));
         });
}

/// Leaves the joints of the last region around the vertex.
void keep_region(std::span<const JointRegion> regions, const Eigen::Vector3d& at,
                 std::vector<Influence>& row) {
  for (std::size_t r = regions.size(); r-- > 0;) {
    if (distance_to(regions[r].where, at) > 0.0) continue;
    std::erase_if(row, [&](const Influence& entry) {
      return std::ranges::find(regions[r].joints, entry.joint) == regions[r].joints.end();
    });
    return;
  }
}

float weight_in(const WeightRow& row, std::uint32_t joint) {
  for (const Influence& entry : row)
    if (entry.joint == joint) return entry.weight;
  return 0.0F;
}

/// The joint with the most weight. The mean often has two; then the one is taken that owned the
/// first vertex of the pair, and its twin on the other side, so that both sides stay equal.
std::uint32_t mirrored_owner(const MirroredVertices& all, std::size_t vertex, std::size_t partner,
                             std::span<const int> pairs, const std::vector<Influence>& row) {
  const WeightRow first = all.rows.row(std::min(vertex, partner));
  const auto before = [&](const Influence& entry) {
    const auto twin = static_cast<std::uint32_t>(pairs[entry.joint]);
    return weight_in(first, vertex <= partner ? entry.joint : twin);
  };
  Influence owner = row[0];
  for (const Influence& entry : row)
    if (entry.weight == owner.weight && before(entry) > before(owner)) owner = entry;
  return owner.joint;
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

/// mirror_joints(), where a joint whose twin may not own weight has none. `barred`: these joints.
std::vector<int> weight_pairs(const std::vector<SceneJoint>& joints, const MirrorPlane& plane,
                              double near, double far, std::vector<int>& barred) {
  std::vector<int> pairs = mirror_joints(joints, plane, near, far);
  barred.assign(joints.size(), -1);
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (pairs[j] >= 0 && !joints[pairs[j]].deforms) std::swap(pairs[j], barred[j]);
  return pairs;
}

struct MirrorCount {
  std::size_t pairs = 0, alone = 0;
  /// By unpaired joint: vertices that cannot be mirrored with it.
  std::vector<std::size_t> of_joint;
  /// By joint, its twin that may not own weight; -1: none.
  std::vector<int> barred;
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

/// The mean of the row and its partner's, within the rules. Empty where these leave nothing.
std::vector<Influence> row_within_rules(const MirroredVertices& all, std::size_t vertex,
                                        std::size_t partner, std::span<const int> pairs,
                                        const MirrorRules& rules) {
  std::vector<Influence> row = mean_row(all.rows.row(vertex), all.rows.row(partner), pairs);
  keep_region(rules.regions, all.positions[vertex], row);
  if (!rules.forbidden.empty() && !row.empty()) {
    const std::uint32_t owner = mirrored_owner(all, vertex, partner, pairs, row);
    std::erase_if(row, [&](const Influence& entry) {
      return is_forbidden(rules.forbidden, owner, entry.joint);
    });
  }
  return row;
}

SkinWeights mirrored_rows(const MirroredVertices& all, std::span<const std::size_t> vertex_pairs,
                          std::span<const int> joint_pairs, const MirrorRules& rules,
                          int max_influences, MirrorCount& count) {
  SkinWeights made;
  count.of_joint.assign(joint_pairs.size(), 0);
  for (std::size_t v = 0; v < vertex_pairs.size(); ++v) {
    const bool has_partner = vertex_pairs[v] != no_mirror;
    ++(has_partner ? count.pairs : count.alone);
    const std::size_t partner = has_partner ? vertex_pairs[v] : v;
    const WeightRow own = all.rows.row(v), other = all.rows.row(partner);
    const bool is_held = all.given[v] || all.given[partner];
    if (has_partner && !is_held) count_held_back(own, joint_pairs, count);
    std::vector<Influence> row;
    if (has_partner && !is_held && can_be_mirrored(own, joint_pairs) &&
        can_be_mirrored(other, joint_pairs))
      row = row_within_rules(all, v, partner, joint_pairs, rules);
    if (row.empty()) {
      made.append_row(all.rows, v);
      continue;
    }
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

std::string without_twin(const BindableScene& scene, const MirrorPlane& plane, int barred) {
  if (barred < 0) return "has no twin beyond " + plane_text(plane);
  return "has a twin that may not own weight, '" + scene.joints[barred].name + "'";
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
                          "joint '" + scene.joints[j].name + "' " +
                              without_twin(scene, plane, count.barred[j]) + ": " +
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

void mirror_weights(const BindableScene& scene, Mirror mirror, const BindOptions& options,
                    SceneWeights& weights, Findings& findings) {
  if (mirror == Mirror::off) return;
  const MirroredVertices all = vertices_of(scene, weights);
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : all.shape) box.extend(p);
  const double size = box.isEmpty() ? 0.0 : box.sizes().maxCoeff();
  const double near = near_mirror * size, far = far_mirror * size;
  MirrorCount count;
  const auto plane = mirror_plane(scene.joints, all.shape, mirror, near, far);
  if (plane) {
    const std::vector<std::size_t> pairs = mirror_vertices(all.positions, *plane, near);
    const MirrorRules rules{options.rules.regions, options.rules.forbidden};
    SkinWeights rows =
        mirrored_rows(all, pairs, weight_pairs(scene.joints, *plane, near, far, count.barred),
                      rules, options.max_influences, count);
    if (options.prune > 0.0) rows = pruned(rows, options.prune);
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
