#include "motion/clip_poses.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "formats/clip.h"

namespace gvbind::motion {

namespace {

constexpr std::size_t max_clips = 16;
constexpr double step = 0.25, end = 10.0;  ///< s

bool same_pose(const std::vector<Eigen::Affine3d>& a, const std::vector<Eigen::Affine3d>& b) {
  return std::ranges::equal(a, b, [](const Eigen::Affine3d& x, const Eigen::Affine3d& y) {
    return x.matrix() == y.matrix();
  });
}

}  // namespace

PoseSource clip_source(const Document& document, const Scene& scene) {
  const std::size_t clips = clip_names(document).size();
  std::vector<std::vector<Eigen::Affine3d>> poses;
  const std::size_t taken = std::min(clips, max_clips);
  for (std::size_t i = 0; i < taken; ++i) {
    const std::size_t first = poses.size();
    for (double time = 0.0; time < end; time += step) {
      poses.push_back(clip_pose(document, scene, i * clips / taken, time));
      // Still for a second: the clip has ended, or has not begun and is left out.
      const std::size_t count = poses.size();
      if (time >= 1.0 && same_pose(poses[count - 1], poses[count - 5])) break;
    }
    while (poses.size() > first + 1 && same_pose(poses.back(), poses[poses.size() - 2]))
      poses.pop_back();
  }
  PoseSource source{ranges_of_poses(scene.joints, poses), {}};
  if (std::ranges::any_of(source.ranges, &JointRange::is_known)) source.clips = std::move(poses);
  return source;
}

}  // namespace gvbind::motion
