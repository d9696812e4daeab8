#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "commands/refine/pose_ranges.h"
#include "gvbind/error.h"
#include "motion/random_poses.h"
#include "round_trip.h"
#include "rule_scene.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gvbind;
  static const fuzz::ScratchFile file("fuzz_ranges");
  static const Scene scene = fuzz::rule_scene();
  const fuzz::TimeLimit limit;
  file.put(data, size);
  fuzz::accepts([&] {
    std::vector<motion::JointRange> ranges;
    try {
      read_ranges(file.path.string(), scene, ranges);
    } catch (const Error& error) {
      fuzz::require(
          error.kind() == ErrorKind::usage && fuzz::names_line(error.what(), file.path.string()),
          "a refusal names the file and the line");
      throw;
    }
    fuzz::require(ranges.size() == scene.joints.size(), "every joint has a range");
    for (const motion::JointRange& range : ranges)
      fuzz::require(
          (range.high - range.low).minCoeff() >= 0.0 && range.high.cwiseAbs().maxCoeff() < 3.15,
          "ranges are in order and of half a turn at most");
    for (int i = 0; i < 3; ++i)
      for (const Eigen::Affine3d& joint : motion::random_pose(scene.joints, ranges, i))
        fuzz::require(
            joint.matrix().allFinite() && std::abs(joint.linear().determinant() - 1.0) < 1e-6,
            "poses turn joints and do no more");
  });
  return 0;
}
