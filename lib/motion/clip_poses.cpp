#include "motion/clip_poses.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "formats/clip.h"
#include "gvbind/error.h"

namespace gvbind::motion {

namespace {

constexpr std::size_t max_clips = 16;
constexpr double step = 0.25, end = 10.0;  ///< s

using Pose = std::vector<Eigen::Affine3d>;

bool same_pose(const Pose& a, const Pose& b) {
  return std::ranges::equal(a, b, [](const Eigen::Affine3d& x, const Eigen::Affine3d& y) {
    return x.matrix() == y.matrix();
  });
}

std::vector<Pose> poses_of(const Document& document, const Scene& scene, std::size_t clip) {
  std::vector<Pose> poses;
  for (double time = 0.0; time < end; time += step) {
    poses.push_back(clip_pose(document, scene, clip, time));
    // Still for a second: the clip has ended, or has not begun and is left out.
    const std::size_t count = poses.size();
    if (time >= 1.0 && same_pose(poses[count - 1], poses[count - 5])) break;
  }
  while (poses.size() > 1 && same_pose(poses.back(), poses[poses.size() - 2])) poses.pop_back();
  return poses;
}

}  // namespace

PoseSource clip_source(const Document& document, const Scene& scene, Findings& findings) {
  const std::vector<std::string> clips = clip_names(document);
  std::vector<Pose> poses;
  const std::size_t taken = std::min(clips.size(), max_clips);
  for (std::size_t i = 0; i < taken; ++i) {
    const std::size_t clip = i * clips.size() / taken;
    try {
      std::ranges::move(poses_of(document, scene, clip), std::back_inserter(poses));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      findings.push_back({Severity::warning, "motion-damaged",
                          "clip '" + clips[clip] + "' is left out: " + error.what(), ""});
    }
  }
  PoseSource source{ranges_of_poses(scene.joints, poses), {}};
  if (std::ranges::any_of(source.ranges, &JointRange::is_known)) source.clips = std::move(poses);
  return source;
}

}  // namespace gvbind::motion
