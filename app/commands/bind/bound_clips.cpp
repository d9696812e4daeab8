#include "commands/bind/bound_clips.h"

#include <utility>

#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "retarget/retarget_file.h"

namespace gvbind {

NodeScene add_motions(const BindRequest& request, BindableFile& f, Findings& findings) {
  const ReadLimits limits{request.asset_root, request.max_memory};
  const ReadOptions reading = with_root(read_options(limits, request.input), request.input);
  retarget::HeroFile hero = retarget::hero_of(f.document, path_text(request.input), reading);
  std::vector<retarget::NewClip> clips;
  for (const std::string& name : request.clips) {
    Findings ignored;  // about the skin of the clip's own body
    const retarget::MotionFile motion = retarget::open_motion(name, hero, limits, ignored);
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
