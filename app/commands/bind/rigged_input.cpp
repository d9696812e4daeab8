#include "commands/bind/rigged_input.h"

#include "bind/guessed_joints.h"
#include "gvbind/base/utf8.h"
#include "rig/file_axes.h"
#include "rig/rig_skeleton.h"
#include "rig/twist_joints.h"

namespace gvbind {

void finish_rigged(const BindRequest& request, BindableFile& f, Findings& findings) {
  leave_out_groups(request, f, findings);
  if (const std::size_t own = joints_before_selection(f).size(); own > 0) {
    findings.push_back({Severity::note, "rig-not-used",
                        "has " + counted(own, "joint", "joints") +
                            " of its own, which are bound; --rig is for files without",
                        ""});
    finish_input(request, f, findings);
    return;
  }
  const rig::NamedTemplate from = rig::open_template(request.rig, {request.asset_root, 0});
  rig::RigFileOptions axes;
  axes.keep_axes = request.keep_axes;
  axes.meters_per_unit = request.meters_per_unit;
  rig::RigOptions placing;
  const rig::Standing standing = naming(
      request.input, [&] { return rig::settle_axes(axes, from, f, placing.hints, findings); });
  finish_input(request, f, findings);
  const rig::MadeSkeleton made = naming(request.input, [&] {
    rig::MadeSkeleton joints =
        rig::made_skeleton(f.scene, from, rig::JointNames::gvbind, standing, placing, findings);
    rig::add_twist_joints(request.twist, rig::JointNames::gvbind, joints);
    return joints;
  });
  f.twists = made.twists;
  add_made_joints(request, f, made.scene, findings);
}

}  // namespace gvbind
