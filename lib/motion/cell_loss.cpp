#include "motion/cell_loss.h"

#include <algorithm>

#include "gvbind/base/parallel.h"

namespace gvbind::motion {

namespace {

constexpr std::size_t samples_per_block = 64;

/// Buffers of one thread, reused for every sample.
struct Workspace {
  CellPoint point;
  std::vector<double> by_weight;       ///< by cell
  std::vector<double> off;             ///< by cell, difference from the initial weight
  std::vector<std::uint32_t> dropped;  ///< cells with weight beyond the largest few
  std::uint32_t largest = 0;
  std::vector<Eigen::Vector3d> moved;  ///< by entry of `owns`
};

double regularization_loss(const CellSample& sample, double weight, Workspace& work) {
  for (const std::uint32_t c : work.point.owns) work.off[c] += work.point.weight[c];
  for (const Influence& entry : sample.start) work.off[entry.joint] -= double{entry.weight};
  const double scale = weight * sample.mass * sample.lever;
  double loss = 0.0;
  const auto take = [&](std::uint32_t c) {
    loss += scale * work.off[c] * work.off[c];
    work.by_weight[c] += 2.0 * scale * work.off[c];
    work.off[c] = 0.0;
  };
  for (const std::uint32_t c : work.point.owns) take(c);
  for (const Influence& entry : sample.start) take(entry.joint);
  return loss;
}

void sort_owners(std::size_t max_influences, Workspace& work) {
  std::vector<std::uint32_t>& order = work.dropped;
  order.resize(work.point.owns.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto weight = [&](std::uint32_t i) { return work.point.weight[work.point.owns[i]]; };
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
  });
  work.largest = order[0];
  order.erase(order.begin(),
              order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), max_influences)));
}

/// Chain rule: from the gradient with respect to the skinned position to that with respect to the
/// weights.
void add_by_position(const Eigen::Vector3d& by_position, Workspace& work) {
  for (std::size_t i = 0; i < work.point.owns.size(); ++i)
    work.by_weight[work.point.owns[i]] += by_position.dot(work.moved[i]);
}

/// Distance to the targets, relative to the surface's size.
double pose_loss(const CellSample& sample, const CellLossWeights& weights,
                 const Eigen::Vector3d& anchor, double rest_length, double share, Workspace& work) {
  const CellPoint& point = work.point;
  Eigen::Vector3d skin = Eigen::Vector3d::Zero(), left = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < point.owns.size(); ++i)
    skin += point.weight[point.owns[i]] * work.moved[i];
  double loss = share * weights.target * skin.squaredNorm();
  add_by_position(2.0 * share * weights.target * skin, work);
  if (sample.has_spring) {
    const Eigen::Vector3d spring = skin - anchor;
    const double length = std::max(spring.norm(), 1e-12);
    const double change = (length - rest_length) / (rest_length + 1.0);
    loss += share * weights.location * change * change;
    add_by_position(2.0 * share * weights.location * change / (rest_length + 1.0) / length * spring,
                    work);
  }
  for (const std::uint32_t i : work.dropped)
    left += point.weight[point.owns[i]] * (work.moved[i] - work.moved[work.largest]);
  loss += share * weights.sparsity * left.squaredNorm();
  for (const std::uint32_t i : work.dropped)
    work.by_weight[point.owns[i]] +=
        2.0 * share * weights.sparsity * left.dot(work.moved[i] - work.moved[work.largest]);
  return loss;
}

double sample_loss(const SkinCells& cells, const CellProblem& problem, const CellField& field,
                   std::size_t s, Workspace& work, std::vector<double>& gradient) {
  const CellSample& sample = problem.samples[s];
  evaluate_point(field, sample.at, work.point);
  work.by_weight.assign(cells.count(), 0.0);
  double loss = regularization_loss(sample, problem.weights.regularization, work);
  sort_owners(static_cast<std::size_t>(std::max(1, cells.max_influences)), work);
  const std::size_t poses = problem.poses.size();
  const double share = poses > 0 ? sample.mass / static_cast<double>(poses) : 0.0;
  const double rest_length = (sample.at - sample.anchor).norm() / cells.size;
  work.moved.resize(work.point.owns.size());
  for (std::size_t p = 0; p < poses; ++p) {
    const Eigen::Vector3d& target = problem.target[s * poses + p];
    for (std::size_t i = 0; i < work.moved.size(); ++i)
      work.moved[i] = (problem.poses[p][work.point.owns[i]] * sample.at - target) / cells.size;
    const Eigen::Vector3d anchor =
        (problem.poses[p][sample.spring_cell] * sample.anchor - target) / cells.size;
    loss += pose_loss(sample, problem.weights, anchor, rest_length, share, work);
  }
  add_cell_gradient(cells, field, sample.at, work.point, work.by_weight, gradient);
  return loss;
}

}  // namespace

double cell_loss(const SkinCells& cells, const CellProblem& problem, double margin,
                 std::vector<double>& gradient) {
  const CellField field = cell_field(cells, margin);
  const std::size_t count = problem.samples.size();
  const std::size_t blocks = (count + samples_per_block - 1) / samples_per_block;
  std::vector<std::vector<double>> slopes(blocks);
  std::vector<double> losses(blocks, 0.0);
  parallel_for(blocks, 1, [&](std::size_t begin, std::size_t end) {
    Workspace work;
    work.off.assign(cells.count(), 0.0);
    for (std::size_t b = begin; b < end; ++b) {
      slopes[b].assign(cells.numbers.size(), 0.0);
      for (std::size_t s = b * samples_per_block; s < std::min(count, (b + 1) * samples_per_block);
           ++s)
        losses[b] += sample_loss(cells, problem, field, s, work, slopes[b]);
    }
  });
  gradient.assign(cells.numbers.size(), 0.0);
  double loss = 0.0;
  for (std::size_t b = 0; b < blocks; ++b) {
    loss += losses[b];
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += slopes[b][i];
  }
  return loss;
}

}  // namespace gvbind::motion
