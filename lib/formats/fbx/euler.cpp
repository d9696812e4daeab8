#include "formats/fbx/euler.h"

#include <cmath>

namespace gvbind {
namespace {

constexpr int max_halvings = 10;  // of the time between two keys

Eigen::Vector3d nearest_turns(Eigen::Vector3d angles, const Eigen::Vector3d& near) {
  for (Eigen::Index k = 0; k < 3; ++k)
    angles[k] = on_grid(angles[k] + 360.0 * std::round((near[k] - angles[k]) / 360.0));
  return angles;
}

Eigen::Quaterniond rotation_at(const Channel& channel, std::size_t key) {
  const double* q = channel.values.data() + 4 * key;
  return Eigen::Quaterniond(q[3], q[0], q[1], q[2]);
}

void add_key(Channel& out, double time, const Eigen::Vector3d& angles) {
  out.times.push_back(time);
  out.values.insert(out.values.end(), angles.begin(), angles.end());
}

double error_between(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to,
                     const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  double error = 0.0;
  for (const double share : {0.25, 0.5, 0.75})
    error =
        std::max(error, rotation_of(a + share * (b - a)).angularDistance(from.slerp(share, to)));
  return error;
}

/// Adds keys that follow the shortest rotation from key k to the next, without the first.
void add_span(const Channel& rotations, std::size_t k, double tolerance, Channel& out) {
  struct Span {
    double from, to;
    int halvings;
  };
  const Eigen::Quaterniond first = rotation_at(rotations, k), last = rotation_at(rotations, k + 1);
  const double begin = rotations.times[k], width = rotations.times[k + 1] - begin;
  std::vector<Span> spans = {{0.0, 1.0, 0}};
  while (!spans.empty()) {
    const Span span = spans.back();
    spans.pop_back();
    const Eigen::Quaterniond from = first.slerp(span.from, last), to = first.slerp(span.to, last);
    const Eigen::Vector3d a(out.values.data() + out.values.size() - 3), b = euler_angles(to, a);
    if (span.halvings < max_halvings && error_between(from, to, a, b) > tolerance) {
      const double middle = 0.5 * (span.from + span.to);
      spans.push_back({middle, span.to, span.halvings + 1});
      spans.push_back({span.from, middle, span.halvings + 1});
      continue;
    }
    add_key(out, span.to == 1.0 ? rotations.times[k + 1] : begin + span.to * width, b);
  }
}

}  // namespace

double on_grid(double value) {
  constexpr double steps = 1e9;
  return std::round(value * steps) / steps;
}

Eigen::Vector3d euler_angles(const Eigen::Quaterniond& rotation, const Eigen::Vector3d& near) {
  constexpr double locked = 1e-6;
  const Eigen::Matrix3d r = rotation.normalized().toRotationMatrix();
  const double across = std::sqrt(r(0, 0) * r(0, 0) + r(1, 0) * r(1, 0));
  Eigen::Vector3d angles;
  angles.y() = std::atan2(-r(2, 0), across) / degree;
  if (across < locked) {
    // Gimbal lock: x and z turn about one axis, and x is kept.
    const double turn = std::atan2(r(0, 1), r(1, 1)) / degree;
    angles.x() = near.x();
    angles.z() = r(2, 0) < 0.0 ? near.x() - turn : -turn - near.x();
    return nearest_turns(angles, near);
  }
  angles.x() = std::atan2(r(2, 1), r(2, 2)) / degree;
  angles.z() = std::atan2(r(1, 0), r(0, 0)) / degree;
  const Eigen::Vector3d other(angles.x() + 180.0, 180.0 - angles.y(), angles.z() + 180.0);
  const Eigen::Vector3d one = nearest_turns(angles, near), two = nearest_turns(other, near);
  return (one - near).lpNorm<1>() <= (two - near).lpNorm<1>() ? one : two;
}

Eigen::Quaterniond rotation_of(const Eigen::Vector3d& degrees) {
  const Eigen::Vector3d a = degrees * degree;
  return Eigen::AngleAxisd(a.z(), Eigen::Vector3d::UnitZ()) *
         Eigen::AngleAxisd(a.y(), Eigen::Vector3d::UnitY()) *
         Eigen::AngleAxisd(a.x(), Eigen::Vector3d::UnitX());
}

Channel euler_channel(const Channel& rotations, const Eigen::Vector3d& rest, double tolerance) {
  Channel out;
  out.node = rotations.node;
  out.path = Channel::Path::translation;  // plain values, without shortest rotation
  out.step = rotations.step;
  Eigen::Vector3d near = rest;
  for (std::size_t k = 0; k < rotations.times.size(); ++k) {
    if (k > 0 && !rotations.step) {
      add_span(rotations, k - 1, tolerance, out);
      continue;
    }
    near = euler_angles(rotation_at(rotations, k), near);
    add_key(out, rotations.times[k], near);
  }
  return out;
}

}  // namespace gvbind
