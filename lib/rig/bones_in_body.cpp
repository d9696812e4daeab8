#include "rig/bones_in_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

constexpr std::size_t most_cells = 4000;  // that are looked at

struct Bone {
  Vector3d from, to;
};

std::vector<Bone> bones_of(const std::vector<Joint>& joints, const BodyVolume& body,
                           const std::vector<Vector3d>& places) {
  std::vector<Bone> bones;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const int parent = joints[j].parent;
    if (parent < 0) continue;
    const auto p = static_cast<std::size_t>(parent);
    if (joints[p].parent < 0 && body.find(places[p]) == no_cell) continue;
    bones.push_back({places[p], places[j]});
  }
  return bones;
}

double squared_distance(const Bone& bone, const Vector3d& point) {
  const Vector3d along = bone.to - bone.from;
  const double squared = along.squaredNorm();
  const double t =
      squared > 0.0 ? std::clamp((point - bone.from).dot(along) / squared, 0.0, 1.0) : 0.0;
  return (bone.from + t * along - point).squaredNorm();
}

}  // namespace

BonesInBody bones_in_body(const std::vector<Joint>& joints, const BodyVolume& body,
                          const std::vector<Vector3d>& places) {
  const std::vector<Bone> bones = bones_of(joints, body, places);
  double length = 0.0, inside = 0.0;
  for (const Bone& bone : bones) {
    const double whole = (bone.to - bone.from).norm();
    const int steps = std::clamp(static_cast<int>(whole), 1, 1024);
    int in = 0;
    for (int i = 0; i <= steps; ++i)
      in += body.find(Vector3d(bone.from + (bone.to - bone.from) * i / steps)) != no_cell;
    length += whole;
    inside += whole * in / (steps + 1);
  }
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t c = 0; c < body.cells.size(); c += 1 + body.cells.size() / most_cells) {
    double least = std::numeric_limits<double>::infinity();
    for (const Bone& bone : bones)
      least = std::min(least, squared_distance(bone, body.center(static_cast<std::uint32_t>(c))));
    sum += std::min(std::sqrt(least), body.size());
    ++count;
  }
  return {length > 0.0 ? inside / length : 0.0,
          sum / (static_cast<double>(std::max<std::size_t>(count, 1)) * body.size())};
}

}  // namespace gvbind::rig
