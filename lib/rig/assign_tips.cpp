#include "rig/assign_tips.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

constexpr double full_protrusion = 0.1;  // relative to the size; larger protrusions are not better
// Fraction of the body; less symmetric bodies may have different sides.
constexpr double symmetric_share = 0.8;
constexpr double loose_mirror = 0.1;      // multiplies the weight for such a body
constexpr std::size_t most_steps = 2000;  // of the search; then each limb takes its cheapest tip
constexpr double axial = 20.0;  // per squared distance from the plane, relative to the size

struct Frame {
  Vector3d middle, half;
};

/// Penalties of one embedding. The last tip of every row means no tip.
struct Costs {
  std::vector<std::vector<double>> own;   ///< by limb and tip
  std::vector<int> earlier_mirror;        ///< by limb: its mirror limb if that comes before, or -1
  std::vector<std::vector<double>> pair;  ///< by tip and tip: of mirror limbs
};

double own_cost(const TemplateLimb& limb, const Frame& from, const BodyTip& tip, const Frame& to,
                const Vector3d& weight, const Vector3d& middle, const AssignOptions& options) {
  const Vector3d a = (limb.tip - from.middle).cwiseQuotient(from.half);
  const Vector3d b = (tip.place - to.middle).cwiseQuotient(to.half);
  const Vector3d one = (limb.tip - from.middle).normalized(),
                 other = (tip.place - middle).normalized();
  return options.place * (a - b).cwiseProduct(weight).squaredNorm() +
         options.direction * (1.0 - one.dot(other));
}

Costs cost_tables(const RigTemplate& rig, const BodyTips& tips, const SymmetryPlane& plane,
                  const AssignOptions& options) {
  const double size = tips.size();
  const Frame to{0.5 * (tips.low + tips.high), (0.5 * (tips.high - tips.low)).cwiseMax(0.5)};
  const Frame from{0.5 * (rig.low + rig.high),
                   (0.5 * (rig.high - rig.low)).cwiseMax(0.01 * rig.size())};
  const Vector3d weight = 0.5 * (from.half / from.half.maxCoeff() + to.half / to.half.maxCoeff());
  Costs costs;
  for (const TemplateLimb& limb : rig.limbs) {
    std::vector<double>& row = costs.own.emplace_back();
    for (const BodyTip& tip : tips.tips) {
      const double off = (tip.place.x() - plane.at) / size;
      row.push_back(own_cost(limb, from, tip, to, weight, tips.middle, options) +
                    options.protrusion *
                        std::max(0.0, 1.0 - tip.protrusion / (full_protrusion * size)) +
                    (limb.is_axial ? axial * off * off : 0.0));
    }
    row.push_back(options.missing);
    const int self = static_cast<int>(costs.own.size()) - 1;
    costs.earlier_mirror.push_back(
        limb.mirror_limb >= 0 && limb.mirror_limb < self ? limb.mirror_limb : -1);
  }
  const double mirror = options.mirror * (plane.share >= symmetric_share ? 1.0 : loose_mirror);
  for (const BodyTip& one : tips.tips) {
    std::vector<double>& row = costs.pair.emplace_back();
    for (const BodyTip& other : tips.tips)
      row.push_back(mirror * (plane.mirrored(one.place) - other.place).squaredNorm() /
                    (size * size));
  }
  return costs;
}

struct Partial {
  double bound = 0.0, cost = 0.0;
  std::vector<std::size_t> tips;

  bool operator>(const Partial& other) const {
    return bound != other.bound ? bound > other.bound : tips > other.tips;
  }
};

/// The cost of assigning the next limb, or infinity.
double step_cost(const Costs& costs, const Partial& partial, std::size_t tip) {
  const std::size_t limb = partial.tips.size(), none = costs.pair.size();
  double cost = costs.own[limb][tip];
  if (tip == none) return cost;
  if (std::ranges::find(partial.tips, tip) != partial.tips.end())
    return std::numeric_limits<double>::infinity();
  const int partner = costs.earlier_mirror[limb];
  if (partner >= 0 && partial.tips[partner] != none) cost += costs.pair[tip][partial.tips[partner]];
  return cost;
}

/// Completes an assignment with the cheapest tip for each remaining limb.
Partial completed(const Costs& costs, Partial at) {
  while (at.tips.size() < costs.own.size()) {
    std::size_t best = costs.pair.size();
    for (std::size_t tip = 0; tip < costs.pair.size(); ++tip)
      if (step_cost(costs, at, tip) < step_cost(costs, at, best)) best = tip;
    at.cost += step_cost(costs, at, best);
    at.tips.push_back(best);
  }
  return at;
}

using PartialQueue = std::priority_queue<Partial, std::vector<Partial>, std::greater<>>;

/// Partial assignments, and the least cost of the limbs from each one on.
struct Queue : PartialQueue {
  std::vector<double> rest;
};

Queue started(const Costs& costs) {
  Queue queue;
  const std::size_t limbs = costs.own.size();
  queue.rest.assign(limbs + 1, 0.0);
  for (std::size_t l = limbs; l-- > 0;)
    queue.rest[l] = queue.rest[l + 1] + *std::ranges::min_element(costs.own[l]);
  queue.push({queue.rest[0], 0.0, {}});
  return queue;
}

/// Pushes the ways to assign the next limb.
void push_next(const Costs& costs, const Partial& at, Queue& queue) {
  const std::size_t limb = at.tips.size();
  for (std::size_t tip = 0; tip < costs.own[limb].size(); ++tip) {
    Partial next = at;
    next.cost += step_cost(costs, at, tip);
    if (!(next.cost < std::numeric_limits<double>::infinity())) continue;
    next.tips.push_back(tip);
    next.bound = next.cost + queue.rest[limb + 1];
    queue.push(std::move(next));
  }
}

Partial best_of(const Costs& costs) {
  Queue queue = started(costs);
  for (std::size_t step = 0; queue.top().tips.size() < costs.own.size(); ++step) {
    const Partial at = queue.top();
    if (step == most_steps) return completed(costs, at);
    queue.pop();
    push_next(costs, at, queue);
  }
  return queue.top();
}

}  // namespace

TipAssignment assign_tips(const RigTemplate& rig, const BodyTips& tips, const SymmetryPlane& plane,
                          const AssignOptions& options) {
  Costs costs = cost_tables(rig, tips, plane, options);
  const Partial best = best_of(costs);
  TipAssignment made;
  made.cost = best.cost;
  for (std::size_t l = 0; l < best.tips.size(); ++l) {
    const std::size_t tip = best.tips[l];
    made.tips.push_back(tip == costs.pair.size() ? -1 : static_cast<int>(tip));
    // "No tip" is always available.
    double& cost = costs.own[l][tip];
    const double before = std::exchange(cost, cost + 4.0 * options.missing);
    made.margins.push_back(best_of(costs).cost - best.cost);
    cost = before;
  }
  return made;
}

std::vector<TipAssignment> cheapest_assignments(const RigTemplate& rig, const BodyTips& tips,
                                                const SymmetryPlane& plane, std::size_t most,
                                                const AssignOptions& options) {
  const Costs costs = cost_tables(rig, tips, plane, options);
  Queue queue = started(costs);
  std::vector<TipAssignment> made;
  for (std::size_t step = 0; step < most_steps && made.size() < most && !queue.empty(); ++step) {
    const Partial at = queue.top();
    queue.pop();
    if (at.tips.size() < costs.own.size()) {
      push_next(costs, at, queue);
      continue;
    }
    TipAssignment& one = made.emplace_back();
    one.cost = at.cost;
    for (const std::size_t tip : at.tips)
      one.tips.push_back(tip == costs.pair.size() ? -1 : static_cast<int>(tip));
  }
  return made;
}

double assigned_cost(const RigTemplate& rig, const BodyTips& tips, const SymmetryPlane& plane,
                     const AssignOptions& options) {
  return best_of(cost_tables(rig, tips, plane, options)).cost;
}

}  // namespace gvbind::rig
