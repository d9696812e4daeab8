#pragma once

// Tested by tests/command/bake_test.py.

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "commands/pose/pose_option.h"
#include "common/resources.h"
#include "motion/volume_correction.h"

namespace gvbind {

/// A volume correction and its effect in the poses so far.
struct VolumeRecord {
  motion::VolumeModel model;
  std::mutex mutex;      ///< of `moved` and `held`
  double moved = 0.0;    ///< most of VolumeError::moved
  std::size_t held = 0;  ///< most of VolumeError::held
};

/// Target positions in posed space, per vertex of the surface, for a pose.
struct PoseTarget {
  std::function<std::vector<Eigen::Vector3d>(motion::PoseSpan)> positions;
  std::shared_ptr<VolumeRecord> volume;  ///< null unless the target is "volume"

  std::vector<Eigen::Vector3d> operator()(motion::PoseSpan pose) const { return positions(pose); }
};

/// "volume", "delta-mush", or a file with another skin of the same shape. The result may be called
/// from any thread; `surface` and `file` must outlive it. Throws Error: as read_document;
/// cannot_bind for a file without a skin or without common joints or shape.
PoseTarget pose_target(const std::string& name, const PosedFile& file,
                       const motion::PoseSurface& surface, const ReadLimits& limits);

}  // namespace gvbind
