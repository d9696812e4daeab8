#include "commands/bind/refine_bound.h"

#include <string>
#include <utility>
#include <vector>

#include "motion/clip_ranges.h"
#include "motion/refine_scene.h"

namespace gvbind {

void refine_bound(const BindRequest& request, const BindableFile& f, SceneBinding& made) {
  RefineOptions options;
  options.max_influences = request.options.max_influences;
  const bool has_rules = !(request.rules.forbid.empty() && request.rules.influences.empty() &&
                           request.rules.give.empty());
  if (has_rules && request.refine == Refinement::cells)
    throw Error(ErrorKind::usage,
                "--refine cells: a field knows no rules; use --refine poses with --forbid, "
                "--influences and --give");
  options.own_joints = has_rules;
  const std::vector<JointRange> ranges = clip_ranges(f.document, f.scene);
  const RefinedWeights refined =
      request.refine == Refinement::cells
          ? refine_scene_by_cells(f.scene, f.bindable_joints, ranges, options, made.weights).refined
          : refine_scene(f.scene, f.bindable_joints, ranges, options, made.weights);
  const std::string text = refined.taken > 0.0
                               ? refined_text(refined.before, refined.after)
                               : "the weights stay; the fit moves no better in other poses";
  made.findings.push_back({Severity::note, "refined", text, ""});
}

}  // namespace gvbind
