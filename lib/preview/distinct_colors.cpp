#include "preview/distinct_colors.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "preview/colors.h"

namespace gvbind::preview {
namespace {

/// An available color with its position in OKLab, where distances match perception.
struct Candidate {
  Eigen::Vector3f rgb;
  Eigen::Vector3d lab;
  double nearest_used = HUGE_VAL;  ///< to any color already used
};

std::vector<Candidate> candidates() {
  std::vector<Candidate> all;
  for (const double lightness : {0.48, 0.60, 0.72, 0.85})
    for (double hue = 0.0; hue < 360.0; hue += 12.0) {
      // Magenta is reserved for vertices without weight.
      if (std::abs(hue - 328.0) < 20.0) continue;
      const double chroma = lightness > 0.8 ? 0.13 : 0.16, radians = hue * M_PI / 180.0;
      all.push_back({oklch_color(lightness, chroma, hue),
                     {lightness, chroma * std::cos(radians), chroma * std::sin(radians)}});
    }
  return all;
}

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

void add_pair(Pairs& pairs, std::size_t a, std::size_t b) {
  if (a != b) pairs.emplace(std::min(a, b), std::max(a, b));
}

void add_tree_pairs(const std::vector<SceneJoint>& joints, Pairs& pairs) {
  std::vector<std::vector<std::size_t>> children(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(joints[j].parent);
    add_pair(pairs, j, parent);
    if (joints[parent].parent >= 0)
      add_pair(pairs, j, static_cast<std::size_t>(joints[parent].parent));
    // Hundreds of children cannot all look different.
    constexpr std::size_t max_siblings = 64;
    const std::vector<std::size_t>& before = children[parent];
    for (std::size_t i = before.size() - std::min(before.size(), max_siblings); i < before.size();
         ++i)
      add_pair(pairs, j, before[i]);
    children[parent].push_back(j);
  }
}

void add_skin_pairs(const SceneMesh& mesh, std::size_t joint_count, Pairs& pairs) {
  constexpr float least = 0.05F;  // minimum visible weight of a vertex
  const SkinWeights& weights = mesh.weights;
  std::vector<std::size_t> dominant(mesh.positions.size(), joint_count);
  for (std::size_t v = 0; v < std::min(dominant.size(), weights.vertex_count()); ++v) {
    const WeightRow row = weights.row(v);
    float largest = 0.0F;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].joint >= joint_count || !(row[i].weight >= least)) continue;
      if (row[i].weight > largest) dominant[v] = row[i].joint;
      largest = std::max(largest, row[i].weight);
      for (std::size_t k = 0; k < i; ++k)
        if (row[k].joint < joint_count && row[k].weight >= least)
          add_pair(pairs, row[i].joint, row[k].joint);
    }
  }
  for (const Triangle& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      if (a < dominant.size() && b < dominant.size() && dominant[a] < joint_count &&
          dominant[b] < joint_count)
        add_pair(pairs, dominant[a], dominant[b]);
    }
}

/// Quality of a color for a joint: its distance from the neighbors' colors, then from all others.
double score(const Candidate& candidate, std::span<const Eigen::Vector3d> around) {
  constexpr double clearly_apart = 0.25, barely_apart = 0.05;
  double nearest = HUGE_VAL;
  for (const Eigen::Vector3d& lab : around)
    nearest = std::min(nearest, (lab - candidate.lab).norm());
  return std::min(nearest, clearly_apart) + (nearest > 0.0 ? 1.0 : 0.0) +
         (candidate.nearest_used > 0.0 ? 0.5 : 0.0) +
         std::min(candidate.nearest_used, barely_apart);
}

}  // namespace

std::vector<std::vector<std::size_t>> joint_neighbors(const Scene& scene) {
  Pairs pairs;
  add_tree_pairs(scene.joints, pairs);
  for (const SceneMesh& mesh : scene.meshes) add_skin_pairs(mesh, scene.joints.size(), pairs);
  std::vector<std::vector<std::size_t>> neighbors(scene.joints.size());
  for (const auto& [a, b] : pairs) {
    neighbors[a].push_back(b);
    neighbors[b].push_back(a);
  }
  for (auto& list : neighbors) std::ranges::sort(list);
  return neighbors;
}

std::vector<Eigen::Vector3f> distinct_joint_colors(const Scene& scene) {
  std::vector<Candidate> palette = candidates();
  const auto neighbors = joint_neighbors(scene);
  constexpr int none = -1;
  std::vector<int> chosen(scene.joints.size(), none);
  std::vector<Eigen::Vector3f> colors(scene.joints.size());
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    std::vector<Eigen::Vector3d> around;
    for (const std::size_t other : neighbors[j])
      if (chosen[other] != none) around.push_back(palette[chosen[other]].lab);
    std::size_t best = 0;
    double best_score = -1.0;
    for (std::size_t c = 0; c < palette.size(); ++c)
      if (const double s = score(palette[c], around); s > best_score) {
        best = c;
        best_score = s;
      }
    chosen[j] = static_cast<int>(best);
    colors[j] = palette[best].rgb;
    for (Candidate& candidate : palette)
      candidate.nearest_used =
          std::min(candidate.nearest_used, (candidate.lab - palette[best].lab).norm());
  }
  return colors;
}

}  // namespace gvbind::preview
