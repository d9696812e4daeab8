#include "commands/bind/bound_clips.h"

#include <utility>

#include "check/skin_surface.h"
#include "commands/retarget/clip_entries.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "retarget/retarget_file.h"

namespace gvbind {

AddedMotions add_motions(const BindRequest& request, BindableFile& f, const SceneWeights& weights,
                         Findings& findings) {
  const ReadLimits limits{request.asset_root, request.max_memory};
  const ReadOptions reading = with_root(read_options(limits, request.input), request.input);
  retarget::HeroFile hero = retarget::hero_of(f.document, path_text(request.input), reading);
  std::vector<retarget::NewClip> clips;
  for (const std::string& name : request.clips) {
    Findings ignored;  // about the skin of the clip's own body
    const retarget::MotionFile motion =
        retarget::open_motion(name, hero, limits, ignored, f.made_joints ? request.rig : "");
    std::vector<retarget::NewClip> made = retarget::retarget_motion(motion, hero, "", {}, {});
    if (motion.path == name)
      for (Finding& finding : retarget::unmatched_findings(name, made.front().map))
        findings.push_back(std::move(finding));
    for (retarget::NewClip& clip : made) clips.push_back(std::move(clip));
  }
  AddedMotions added;
  added.expected = retarget::add_clips(hero, clips, reading);
  added.entries = clip_entries(hero.document, check::with_weights(f.scene, weights), clips);
  for (Finding& finding : clip_findings(clips, added.entries))
    findings.push_back(std::move(finding));
  return added;
}

}  // namespace gvbind
