#include "commands/retarget/clip_entries.h"

#include <algorithm>

#include "check/skin_surface.h"
#include "formats/clip.h"
#include "gvbind/base/utf8.h"
#include "motion/pose_figures.h"

namespace gvbind {

namespace {

constexpr int stretch_poses = 24;      ///< over a clip, as in check's `in_clips`
constexpr double most_stretch = 15.0;  ///< as check's limit of a warning

ClipEntry entry_of(const retarget::NewClip& made) {
  const retarget::MotionFigures& f = made.clip.figures;
  ClipEntry entry;
  entry.name = made.clip.clip.name;
  entry.source = made.source;
  entry.frames = made.clip.frames;
  entry.joints_to_move = f.joints_to_move;
  entry.joints_moved = f.joints_moved;
  entry.foot_slide = f.foot_slide;
  entry.penetration = f.penetration;
  entry.largest_jump = f.largest_jump;
  entry.jump_in_clip = f.jump_in_clip;
  entry.hands_off = f.hands_off;
  entry.feet_off = f.feet_off;
  if (f.excesses.empty()) return entry;
  entry.beyond_limits = f.excesses.front().degrees;
  entry.worst_joint = f.excesses.front().joint;
  return entry;
}

double end_of(const Clip& clip) {
  double end = 0.0;
  for (const Channel& channel : clip.channels)
    if (!channel.times.empty()) end = std::max(end, channel.times.back());
  return end;
}

}  // namespace

std::vector<ClipEntry> clip_entries(const Document& document, const Scene& scene,
                                    const std::vector<retarget::NewClip>& clips) {
  std::vector<ClipEntry> entries;
  for (const retarget::NewClip& clip : clips) entries.push_back(entry_of(clip));
  const check::SkinSurface surface = check::skin_surface(scene);
  const std::size_t all = clip_names(document).size();
  if (surface.edges.empty() || all < clips.size()) return entries;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    std::vector<std::vector<Eigen::Affine3d>> poses;
    const double end = end_of(clips[c].clip.clip);
    for (int k = 0; k < stretch_poses; ++k)
      poses.push_back(
          clip_pose(document, scene, all - clips.size() + c, end * k / (stretch_poses - 1)));
    entries[c].stretch = motion::measure_stretch(surface, surface.weights, poses).p99;
  }
  return entries;
}

Findings clip_findings(const std::vector<retarget::NewClip>& clips,
                       const std::vector<ClipEntry>& entries) {
  Findings out;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    out.insert(out.end(), clips[c].findings.begin(), clips[c].findings.end());
    for (Finding& finding : retarget::motion_findings(clips[c].clip.figures, entries[c].name))
      out.push_back(std::move(finding));
    if (entries[c].stretch.value_or(1.0) > most_stretch)
      out.push_back({Severity::warning, "motion-stretch",
                     entries[c].name + ": edges stretch up to " + fixed(*entries[c].stretch, 1) +
                         " times their length (99th percentile)",
                     ""});
  }
  return out;
}

}  // namespace gvbind
