#include "commands/pose/pose_target.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "character/match_skin.h"
#include "cli/option_values.h"
#include "gvbind/error.h"
#include "motion/delta_mush.h"

namespace gvbind {
namespace {

PoseTarget volume_target(const Scene& scene) {
  const auto record = std::make_shared<VolumeRecord>();
  record->model = motion::volume_model(scene);
  const auto positions = [record](motion::PoseSpan pose) {
    motion::CorrectedPose corrected = motion::volume_positions(record->model, pose);
    const motion::VolumeError error = motion::volume_error(record->model, corrected);
    const std::lock_guard lock(record->mutex);
    record->moved = std::max(record->moved, error.moved);
    record->held = std::max(record->held, error.held);
    return std::move(corrected.positions);
  };
  return {positions, record};
}

PoseTarget delta_mush_target(const motion::PoseSurface& surface) {
  return {[&surface, rest = std::make_shared<motion::DeltaMush>(motion::prepare_delta_mush(
                         surface.rest, surface.triangles))](motion::PoseSpan pose) {
            return motion::delta_mush(*rest, motion::linear_positions(surface, pose));
          },
          nullptr};
}

/// Joints that exist only in the other skin move with their nearest ancestor that ours has.
std::vector<Eigen::Affine3d> pose_with_others(const std::vector<SceneJoint>& joints,
                                              motion::PoseSpan pose) {
  std::vector<Eigen::Affine3d> all(pose.begin(), pose.end());
  for (std::size_t j = all.size(); j < joints.size(); ++j) {
    const int parent = joints[j].parent;
    const bool known = parent >= 0 && static_cast<std::size_t>(parent) < all.size();
    all.push_back(known ? all[parent] : Eigen::Affine3d::Identity());
  }
  return all;
}

PoseTarget skin_target(const std::string& path, const PosedFile& file,
                       const motion::PoseSurface& surface, const ReadLimits& limits) {
  Findings findings;
  const Document document = read_document(path, findings, read_options(limits, path));
  const Scene other =
      naming(path, [&] { return scene_of(document, {}, findings, {.attributes = false}); });
  if (!other.has_skin())
    throw Error(ErrorKind::cannot_bind, path + ": has no skin, and --reference takes one that has");
  SkinMatch match = match_skin(file.scene, other);
  if (match.common_joints == 0 || match.by_order + match.by_position == 0)
    throw Error(ErrorKind::cannot_bind,
                path + ": has no joint or no vertex in common with " + file.path);
  const auto theirs = std::make_shared<motion::PoseSurface>(motion::pose_surface(match.theirs));
  const auto positions = [&surface, theirs,
                          joints = std::move(match.theirs.joints)](motion::PoseSpan pose) {
    std::vector<Eigen::Vector3d> posed = motion::linear_positions(surface, pose);
    const std::vector<Eigen::Vector3d> other_posed =
        motion::linear_positions(*theirs, pose_with_others(joints, pose));
    for (std::size_t v = 0; v < posed.size(); ++v)
      if (theirs->first_influence[v] < theirs->first_influence[v + 1]) posed[v] = other_posed[v];
    return posed;
  };
  return {positions, nullptr};
}

}  // namespace

PoseTarget pose_target(const std::string& name, const PosedFile& file,
                       const motion::PoseSurface& surface, const ReadLimits& limits) {
  if (name == "volume") return volume_target(file.scene);
  if (name == "delta-mush") return delta_mush_target(surface);
  std::error_code ignored;
  const bool is_word = name.find_first_of("./") == std::string::npos;
  if (is_word && !std::filesystem::exists(name, ignored))
    refuse_choice_or_file("--reference", name, {"volume", "delta-mush"});
  return skin_target(name, file, surface, limits);
}

}  // namespace gvbind
