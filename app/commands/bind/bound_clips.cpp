#include "commands/bind/bound_clips.h"

#include <algorithm>
#include <utility>

#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "retarget/own_motions.h"
#include "retarget/retarget_file.h"

namespace gvbind {

namespace {

retarget::MotionFile motion_of(const std::string& clip, const ReadLimits& limits) {
  const std::vector<std::string> own = retarget::own_motion_names();
  if (std::ranges::find(own, clip) != own.end())
    return {"the motion '" + clip + "'", retarget::own_motion(clip), {}};
  Findings ignored;  // about the skin of the clip's own body
  return retarget::read_motion(clip, limits, ignored);
}

}  // namespace

NodeScene add_motions(const BindRequest& request, BindableFile& f, Findings& findings) {
  const ReadLimits limits{request.asset_root, request.max_memory};
  const ReadOptions reading = with_root(read_options(limits, request.input), request.input);
  retarget::HeroFile hero = retarget::hero_of(f.document, path_text(request.input), reading);
  std::vector<retarget::NewClip> clips;
  for (const std::string& name : request.clips) {
    const retarget::MotionFile motion = motion_of(name, limits);
    std::vector<retarget::NewClip> made = retarget::retarget_motion(motion, hero, "", {}, {});
    if (motion.path == name)
      for (Finding& finding : retarget::unmatched_findings(name, made.front().map))
        findings.push_back(std::move(finding));
    for (retarget::NewClip& clip : made) {
      for (Finding& finding : retarget::motion_findings(clip.clip.figures, clip.clip.clip.name))
        findings.push_back(std::move(finding));
      clips.push_back(std::move(clip));
    }
  }
  return retarget::add_clips(hero, clips, reading);
}

}  // namespace gvbind
