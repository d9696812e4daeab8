#include "rig/feet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

// Fractions of the height.
constexpr double sole = 0.05, ankle_low = 0.08, ankle_high = 0.16;
// Relative to the template's height: maximum height of tips on the ground.
constexpr double ground = 0.1;
constexpr double in_plane = 0.03;  // relative to the size

/// Height of a cell above the ground, voxels.
struct Heights {
  int axis = 0, sign = 1, low = 0;

  int operator()(const Eigen::Vector3i& cell) const { return sign * cell[axis] - low; }
};

struct Layer {
  Heights height;
  int sole = 0, ankle_low = 0, ankle_high = 0;
};

/// Offsets to the neighbors of a slot; the air around the cells keeps them inside the box.
std::array<std::ptrdiff_t, 26> neighbor_steps(const BodyVolume& body) {
  const std::ptrdiff_t y = body.extent.x(), z = y * body.extent.y();
  std::array<std::ptrdiff_t, 26> steps{};
  std::size_t count = 0;
  for (int d = 0; d < 27; ++d)
    if (d != 13) steps[count++] = (d % 3 - 1) + (d / 3 % 3 - 1) * y + (d / 9 - 1) * z;
  return steps;
}

Foot foot_from(const BodyVolume& body, const Layer& layer, std::uint32_t start,
               std::vector<bool>& seen) {
  const std::array<std::ptrdiff_t, 26> steps = neighbor_steps(body);
  Foot foot{Vector3d::Zero(), Vector3d::Zero(), 0.0};
  Vector3d ankle = Vector3d::Zero();
  double ankle_cells = 0.0;
  std::vector<std::uint32_t> waiting{start};
  seen[start] = true;
  while (!waiting.empty()) {
    const std::uint32_t cell = waiting.back();
    waiting.pop_back();
    const int height = layer.height(body.cells[cell]);
    if (height < layer.sole) {
      foot.sole += body.center(cell);
      ++foot.weight;
    } else if (height >= layer.ankle_low) {
      ankle += body.center(cell);
      ++ankle_cells;
    }
    const auto slot = static_cast<std::ptrdiff_t>(body.slot_of(body.cells[cell]));
    for (const std::ptrdiff_t step : steps) {
      const std::uint32_t next = body.slots[slot + step];
      if (next == no_cell || seen[next] || layer.height(body.cells[next]) >= layer.ankle_high)
        continue;
      seen[next] = true;
      waiting.push_back(next);
    }
  }
  if (ankle_cells == 0.0) foot.weight = 0.0;
  if (foot.weight == 0.0) return foot;
  foot.sole /= foot.weight;
  foot.forward = foot.sole - ankle / ankle_cells;
  foot.forward[layer.height.axis] = 0.0;
  return foot;
}

FeetSummary summed(const std::vector<Foot>& feet, double size) {
  FeetSummary summary{static_cast<int>(feet.size()), Vector3d::Zero()};
  double weight = 0.0;
  for (const Foot& foot : feet) {
    summary.forward += foot.weight * foot.forward;
    weight += foot.weight;
  }
  if (weight > 0.0) summary.forward /= weight * size;
  return summary;
}

}  // namespace

std::vector<Foot> find_feet(const BodyVolume& body, const Eigen::Vector3i& up) {
  Layer layer;
  Heights& height = layer.height;
  while (up[height.axis] == 0) ++height.axis;
  height.sign = up[height.axis];
  const int low = body.low[height.axis] + 1, extent = body.extent[height.axis] - 2;
  height.low = height.sign > 0 ? low : -(low + extent - 1);
  // Even a body of one layer has soles.
  layer.sole = std::max(1, static_cast<int>(std::lround(sole * extent)));
  layer.ankle_low = static_cast<int>(std::lround(ankle_low * extent));
  layer.ankle_high = static_cast<int>(std::lround(ankle_high * extent));
  std::vector<Foot> feet;
  std::vector<bool> seen(body.cells.size(), false);
  for (std::uint32_t c = 0; c < body.cells.size(); ++c) {
    if (seen[c] || height(body.cells[c]) >= layer.ankle_high) continue;
    const Foot foot = foot_from(body, layer, c, seen);
    if (foot.weight > 0.0) feet.push_back(foot);
  }
  return feet;
}

FeetSummary combined_feet(const std::vector<Foot>& feet, const SymmetryPlane& plane, double size) {
  std::vector<Foot> beside = feet;
  std::erase_if(beside, [&](const Foot& foot) {
    return std::abs(foot.sole[plane.axis] - plane.at) < in_plane * size;
  });
  return summed(beside.size() >= 2 ? beside : feet, size);
}

FeetSummary template_feet(const RigTemplate& rig) {
  std::vector<Foot> feet;
  for (const TemplateLimb& limb : rig.limbs) {
    if (limb.mirror_limb < 0 || limb.tip.y() > rig.low.y() + ground * (rig.high.y() - rig.low.y()))
      continue;
    const auto place = [&](int joint) { return rig.joints[joint].position; };
    Vector3d along = limb.tip - place(limb.joints[limb.root]);
    const double drop = -along.y();
    along.y() = 0.0;
    if (drop < along.norm()) continue;
    Vector3d forward = limb.tip - place(limb.joints.back());
    forward.y() = 0.0;
    feet.push_back({limb.tip, forward, 1.0});
  }
  return summed(feet, rig.size());
}

}  // namespace gvbind::rig
