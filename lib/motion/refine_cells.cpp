#include "motion/refine_cells.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gvbind/base/parallel.h"
#include "motion/cell_fit.h"
#include "motion/cells_file.h"
#include "motion/largest_influences.h"
#include "motion/refine_target.h"

namespace gvbind::motion {

namespace {

constexpr std::size_t targets_at_once = 4;
constexpr double start_margin = 1.0;

using Pose = std::vector<Eigen::Affine3d>;

/// Inputs that stay constant during the fit.
struct CellRun {
  const RestSurface& rest;
  const RefineOptions& options;
  const CellOptions& cell_options;
  std::vector<bool> fixed;
  CellStart start;
  RefineTarget target;
};

/// Weights from cells by joint of the scene, for vertices that are not fixed.
SkinWeights rows_of_cells(const CellRun& run, const SkinCells& cells) {
  const check::SkinSurface& surface = run.rest.surface;
  const SkinWeights made = cell_weights(cells, surface.positions, cells.max_influences);
  SkinWeights rows;
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    if (run.fixed[v]) {
      rows.append_row(surface.weights, v);
      continue;
    }
    for (const Influence& entry : made.row(v)) {
      rows.joint.push_back(run.start.joint_of[entry.joint]);
      rows.weight.push_back(entry.weight);
    }
    rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
  }
  return rows;
}

/// Interpolates between the initial weights and those from cells.
SkinWeights blended_rows(const CellRun& run, const SkinWeights& rows, double taken) {
  if (taken == 1.0) return rows;
  SkinWeights blended;
  std::vector<Influence> entries;
  for (std::size_t v = 0; v < rows.vertex_count(); ++v) {
    if (run.fixed[v]) {
      blended.append_row(rows, v);
      continue;
    }
    entries.clear();
    const auto add = [&](const WeightRow& row, double share) {
      for (const Influence& entry : row) {
        const auto known = std::ranges::find(entries, entry.joint, &Influence::joint);
        const auto weight = static_cast<float>(share * double{entry.weight});
        if (known == entries.end())
          entries.push_back({entry.joint, weight});
        else
          known->weight += weight;
      }
    };
    add(run.rest.surface.weights.row(v), 1.0 - taken);
    add(rows.row(v), taken);
    append_largest(entries, static_cast<std::size_t>(run.start.cells.max_influences), blended);
  }
  return blended;
}

std::vector<Pose> poses_by_cell(const CellRun& run, std::span<const Pose> poses) {
  std::vector<Pose> by_cell(poses.size());
  for (std::size_t p = 0; p < poses.size(); ++p)
    for (const std::uint32_t joint : run.start.joint_of) by_cell[p].push_back(poses[p][joint]);
  return by_cell;
}

/// RMS displacement between the poses of the sample's joints, including its spring's.
double lever_of(const CellSample& sample, const std::vector<Pose>& poses,
                std::span<const Eigen::Vector3d> targets, double size) {
  double sum = 0.0;
  for (std::size_t p = 0; p < poses.size(); ++p)
    for (const Influence& entry : sample.start)
      sum += (poses[p][entry.joint] * sample.at - targets[p]).squaredNorm();
  return sum / (static_cast<double>(poses.size() * sample.start.size()) * size * size);
}

/// Lower bound for levers: their mean, so that samples with a single joint are regularized too.
void set_levers(CellProblem& problem, double size) {
  const std::size_t poses = problem.poses.size();
  double mean = 0.0;
  for (std::size_t s = 0; s < problem.samples.size(); ++s) {
    CellSample& sample = problem.samples[s];
    sample.lever =
        lever_of(sample, problem.poses, std::span(problem.target).subspan(s * poses, poses), size);
    mean += sample.mass * sample.lever;
  }
  for (CellSample& sample : problem.samples) sample.lever = std::max(sample.lever, mean);
}

/// By sample and pose, the target position for the skin as the cells currently move it.
void set_targets(const CellRun& run, const SkinCells& cells, double gain,
                 std::span<const Pose> poses, CellProblem& problem) {
  const SkinWeights rows = rows_of_cells(run, cells);
  problem.target.resize(problem.samples.size() * poses.size());
  for (std::size_t first = 0; first < poses.size(); first += targets_at_once) {
    check_stop();
    const std::size_t count = std::min(targets_at_once, poses.size() - first);
    parallel_each(count, [&](std::size_t i) {
      const std::vector<Eigen::Vector3d> target =
          target_of(run.target, gain, posed_surface(run.rest.surface, rows, poses[first + i]));
      for (std::size_t s = 0; s < problem.samples.size(); ++s)
        problem.target[s * poses.size() + first + i] = target[problem.samples[s].vertex];
    });
  }
}

SkinCells fit_start(const CellRun& run) {
  CellProblem problem;
  problem.samples = run.start.samples;
  problem.reach = run.start.reach;
  problem.weights.regularization = 1.0;
  SkinCells cells = run.start.cells;
  descend(cells, problem, {.count = run.cell_options.start_steps, .margin = start_margin});
  return cells;
}

SkinCells fit_targets(const CellRun& run, SkinCells cells, double gain,
                      std::span<const Pose> poses) {
  CellProblem problem;
  problem.samples = run.start.samples;
  problem.reach = run.start.reach;
  problem.poses = poses_by_cell(run, poses);
  problem.weights = run.cell_options.loss;
  problem.weights.regularization = run.options.regularization;
  for (int round = 0; round < run.options.rounds; ++round) {
    set_targets(run, cells, gain, poses, problem);
    set_levers(problem, cells.size);
    descend(cells, problem, {.count = run.cell_options.steps, .rate = 0.02, .last_rate = 0.002});
  }
  round_cells(cells);  // evaluate the cells exactly as a file would store them
  return cells;
}

/// Takes the largest step toward the cells that improves the current result. Returns the fraction
/// that is sound.
double accept_cells(const CellRun& run, const SkinCells& cells, std::span<const Pose> unseen,
                    RefinedCells& made) {
  const SkinWeights rows = rows_of_cells(run, cells);
  RefinedWeights& refined = made.refined;
  PoseFigures whole;
  for (const double taken : {1.0, 0.5, 0.25}) {
    const SkinWeights part = blended_rows(run, rows, taken);
    const PoseFigures after = measure_poses(run.rest, part, unseen);
    if (taken == 1.0) whole = after;
    const bool is_sound = is_better(refined.before, after);
    const bool is_taken = is_sound && after.mush < refined.after.mush;
    if (is_taken || made.cells.count() == 0) {
      refined.fitted = whole;
      made.cells = cells;
    }
    if (is_taken) {
      refined.weights = part;
      refined.after = after;
      refined.taken = taken;
      refined.moved = static_cast<std::size_t>(std::ranges::count(run.fixed, false));
    }
    if (is_sound) return taken;
  }
  return 0.0;
}

std::vector<bool> fixed_vertices(const check::SkinSurface& surface, const RefineOptions& options) {
  std::vector<bool> fixed = rigid_vertices(surface);
  for (std::size_t v = 0; v < surface.vertex_count(); ++v)
    if (surface.weights.row(v).empty() || !surface.positions[v].allFinite() ||
        (v < options.held.size() && options.held[v]))
      fixed[v] = true;
  return fixed;
}

}  // namespace

RefinedCells refine_cells(const check::SkinSurface& surface, std::span<const SceneJoint> joints,
                          const PoseSource& poses, const RefineOptions& options,
                          const CellOptions& cell_options) {
  RefinedCells made;
  made.refined.weights = surface.weights;
  const RestSurface rest = rest_surface(surface, options.reach);
  const std::vector<Pose> unseen = unseen_poses(joints, poses, options.drawn);
  made.refined.before = made.refined.after = made.refined.fitted =
      measure_poses(rest, surface.weights, unseen);
  const int most = options.max_influences > 0 ? std::min(options.max_influences, 8) : 8;
  const CellRun run{rest,
                    options,
                    cell_options,
                    fixed_vertices(surface, options),
                    cells_of_skin(surface, joints, options.held, cell_options.samples, most),
                    refine_target(rest)};
  if (run.start.cells.count() == 0) return made;
  const std::vector<Pose> drawn = draw_poses(joints, poses, options.poses, options.drawn);
  const SkinCells start = fit_start(run);
  for (const double gain : options.volume_gains)
    if (accept_cells(run, fit_targets(run, start, gain, drawn), unseen, made) == 1.0) break;
  return made;
}

}  // namespace gvbind::motion
