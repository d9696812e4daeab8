#include "gvbind/fitted/surface_heat.h"

#include <algorithm>
#include <cmath>

#include "gvbind/base/parallel.h"
#include "gvbind/base/segment.h"

namespace gvbind {

namespace {

constexpr double min_distance = 0.002;  // to a bone, cube sides
constexpr double no_bone = 9.0;         // cube sides: larger than any distance
/// A path through voxels is a detour if it is longer than this multiple of the straight distance
/// plus one voxel.
constexpr double path_slack = 1.15;
/// Joints whose bones are further than the nearest by less than this fraction heat the patch too,
/// so that rounding does not choose between coincident bones.
constexpr double shared_nearness = 1e-3;

/// A joint that can heat a patch.
struct Source {
  std::uint32_t joint;
  std::uint32_t patch;
  double value;  ///< successively its distance, p_j and w_j
};

/// Includes the bones of joints without weight, for places where no other joint is near.
LatticeBones heating_bones(const CharacterDistances& distances, const CandidateField& field) {
  LatticeBones bones = distances.bones;
  for (std::size_t j = 0; j < bones.size(); ++j)
    if (bones[j].empty()) bones[j] = field.bones[j];
  return bones;
}

double straight_distance(const std::vector<LatticeSegment>& bones, const Eigen::Vector3d& point) {
  double least = no_bone;
  for (const LatticeSegment& s : bones) {
    const Eigen::Vector3d a = s.a.cast<double>(), along = (s.b - s.a).cast<double>();
    const double t = closest_parameter(a, along, point);
    least = std::min(least, (point - a - along * t).norm() / lattice_size);
  }
  return least;
}

/// The joints near a patch with their distances: those that can get weight, or any joints if there
/// are none.
void add_sources(const CharacterDistances& distances, const CandidateField& field,
                 const LatticeBones& bones, const Eigen::Vector3d& center, std::uint32_t patch,
                 std::vector<Source>& sources) {
  const SparseVoxels& voxels = field.voxels;
  const int side = lattice_size / voxels.resolution;
  const Eigen::Vector3i cell =
      (center.cast<int>() / side).cwiseMax(0).cwiseMin(voxels.resolution - 1);
  const std::uint32_t voxel = voxels.find(cell.x(), cell.y(), cell.z());
  if (voxel == no_voxel) return;
  const Eigen::Vector3d middle = voxels.center(voxel).cast<double>();
  const std::size_t before = sources.size();
  for (const bool owning : {true, false}) {
    for (const Label label : field.field.of(voxel)) {
      if (label == no_label) break;
      const std::uint32_t joint = label_joint(label);
      if (distances.bones[joint].empty() == owning) continue;
      const double path = static_cast<double>(label_distance(label)) * label_unit;
      const double detour =
          path - path_slack * straight_distance(bones[joint], middle) - 1.0 / voxels.resolution;
      const double distance = straight_distance(bones[joint], center) + std::max(0.0, detour);
      sources.push_back({joint, patch, std::max(distance, min_distance)});
    }
    if (sources.size() > before) return;
  }
}

/// Replaces distances by p_j; returns the smallest distance, 0 without sources.
double mark_nearest(std::span<Source> sources) {
  if (sources.empty()) return 0.0;
  const double nearest = std::ranges::min(sources, {}, &Source::value).value;
  double sum = 0.0;
  for (Source& s : sources) {
    s.value = std::max(0.0, 1.0 - (s.value / nearest - 1.0) / shared_nearness);
    sum += s.value;
  }
  for (Source& s : sources) s.value /= sum;
  return nearest;
}

/// A row of one joint's equations, with the vectors of conjugate gradients.
struct Equation {
  double diagonal, right, heat, residual, direction, image;
};

/// The equations of one joint over the patches that it can heat.
struct Equations {
  const SurfacePatches& patches;
  std::span<const double> anchor;    ///< by patch: area * anchor / d^2
  std::vector<std::uint32_t> local;  ///< by patch: its row, or no_patch
  std::vector<Equation> rows;
};

void multiply(std::span<const Source> sources, Equations& of) {
  const SurfacePatches& patches = of.patches;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::uint32_t p = sources[i].patch;
    double image = of.rows[i].diagonal * of.rows[i].direction;
    for (std::uint32_t n = patches.first[p]; n < patches.first[p + 1]; ++n) {
      const std::uint32_t other = of.local[patches.neighbor[n]];
      if (other != no_patch) image -= patches.conductance[n] * of.rows[other].direction;
    }
    of.rows[i].image = image;
  }
}

void begin(std::span<const Source> sources, Equations& of) {
  of.rows.assign(sources.size(), {});
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const std::uint32_t p = sources[i].patch;
    of.local[p] = i;
    Equation& row = of.rows[i];
    row.diagonal = of.anchor[p];
    for (std::uint32_t n = of.patches.first[p]; n < of.patches.first[p + 1]; ++n)
      row.diagonal += of.patches.conductance[n];
    row.right = of.anchor[p] * sources[i].value;
    row.heat = row.direction = sources[i].value;
  }
  multiply(sources, of);
  for (Equation& row : of.rows) {
    row.residual = row.right - row.image;
    row.direction = row.residual / row.diagonal;
  }
}

/// Solves p_j for w_j by conjugate gradients with a diagonal preconditioner.
void solve(std::span<Source> sources, const HeatOptions& options, Equations& of) {
  begin(sources, of);
  double squared = 0.0, right = 0.0;
  for (const Equation& row : of.rows) {
    squared += row.residual * row.residual / row.diagonal;
    right += row.right * row.right / row.diagonal;
  }
  const double enough = options.tolerance * options.tolerance * right;
  for (int step = 0; step < options.max_steps && squared > enough; ++step) {
    multiply(sources, of);
    double along = 0.0;
    for (const Equation& row : of.rows) along += row.direction * row.image;
    const double length = squared / along;
    double next = 0.0;
    for (Equation& row : of.rows) {
      row.heat += length * row.direction;
      row.residual -= length * row.image;
      next += row.residual * row.residual / row.diagonal;
    }
    for (Equation& row : of.rows)
      row.direction = row.residual / row.diagonal + next / squared * row.direction;
    squared = next;
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    of.local[sources[i].patch] = no_patch;
    sources[i].value = std::max(0.0, of.rows[i].heat);
  }
}

/// `sources`: grouped by joint.
void solve_all(const SurfacePatches& patches, std::span<const double> anchor,
               const HeatOptions& options, std::span<Source> sources) {
  std::vector<std::size_t> start;
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (i == 0 || sources[i].joint != sources[i - 1].joint) start.push_back(i);
  start.push_back(sources.size());
  parallel_for(start.size() - 1, 1, [&](std::size_t begin, std::size_t end) {
    Equations equations{patches, anchor, std::vector<std::uint32_t>(patches.count(), no_patch), {}};
    for (std::size_t j = begin; j < end; ++j)
      solve(sources.subspan(start[j], start[j + 1] - start[j]), options, equations);
  });
}

/// Normalizes the heat of each patch to sum to one. `sources`: by patch, then by joint.
void normalize_heat(std::span<const Source> sources, SurfaceHeat& made) {
  made.first = {0};
  std::size_t i = 0;
  for (std::uint32_t p = 0; p < made.patches.count(); ++p) {
    const std::size_t begin = i;
    double sum = 0.0;
    for (; i < sources.size() && sources[i].patch == p; ++i) sum += sources[i].value;
    for (std::size_t k = begin; k < i && sum > 0.0; ++k)
      made.heat.push_back({sources[k].joint, static_cast<float>(sources[k].value / sum)});
    made.first.push_back(static_cast<std::uint32_t>(made.heat.size()));
  }
}

}  // namespace

SurfaceHeat surface_heat(const CharacterDistances& distances, const CandidateField& field,
                         const HeatOptions& options) {
  SurfaceHeat made;
  const Character& c = distances.character;
  made.patches = surface_patches(c.mesh, c.welded, options.resolution);
  const LatticeBones bones = heating_bones(distances, field);
  std::vector<Source> sources;
  std::vector<double> anchor;
  for (std::uint32_t p = 0; p < made.patches.count(); ++p) {
    const std::size_t before = sources.size();
    add_sources(distances, field, bones, made.patches.center[p], p, sources);
    const double nearest = mark_nearest(std::span(sources).subspan(before));
    made.nearest.push_back(nearest);
    const double held = nearest > 0.0 ? nearest : no_bone;
    anchor.push_back(options.anchor * made.patches.area[p] / (held * held));
  }
  std::ranges::stable_sort(sources, {}, &Source::joint);
  solve_all(made.patches, anchor, options, sources);
  std::ranges::stable_sort(sources, {}, &Source::patch);
  normalize_heat(sources, made);
  return made;
}

void heat_at(const SurfaceHeat& heat, const Eigen::Vector3i& point, std::uint32_t patch,
             std::vector<JointHeat>& found) {
  found.clear();
  if (patch == no_patch) return;
  const SurfacePatches& patches = heat.patches;
  const double reach = 1.5 * lattice_size / patches.resolution;
  float sum = 0.0f;
  const auto add = [&](std::uint32_t p, double least) {
    const double apart = (point.cast<double>() - patches.center[p]).norm() / reach;
    const double near = std::max(0.0, 1.0 - apart * apart);
    const auto share = static_cast<float>(std::max(least, near * near));
    if (share == 0.0f || heat.first[p] == heat.first[p + 1]) return;
    sum += share;
    for (std::uint32_t i = heat.first[p]; i < heat.first[p + 1]; ++i) {
      const auto at = std::ranges::find(found, heat.heat[i].joint, &JointHeat::joint);
      if (at == found.end())
        found.push_back({heat.heat[i].joint, share * heat.heat[i].heat});
      else
        at->heat += share * heat.heat[i].heat;
    }
  };
  // Always include the patch itself: patches of large triangles are flat, so its center can be out
  // of reach.
  add(patch, 1e-3);
  for (std::uint32_t n = patches.first[patch]; n < patches.first[patch + 1]; ++n)
    add(patches.neighbor[n], 0.0);
  for (JointHeat& h : found) h.heat /= sum;
  std::ranges::sort(found, [](const JointHeat& a, const JointHeat& b) {
    return a.heat != b.heat ? a.heat > b.heat : a.joint < b.joint;
  });
}

}  // namespace gvbind
