#include "rig/rig_file.h"

#include <string>
#include <system_error>
#include <utility>

#include "bind/asset_limits.h"
#include "bind/bound_weights.h"
#include "bind/check_outputs.h"
#include "bind/checked_write.h"
#include "bind/guessed_joints.h"
#include "bind/option_ranges.h"
#include "bind/overwriting.h"
#include "character/selection.h"
#include "formats/document.h"
#include "rig/builtin_templates.h"
#include "rig/file_axes.h"
#include "rig/root_joint.h"
#include "rig/twist_joints.h"

namespace gvbind::rig {

namespace {

namespace fs = std::filesystem;

/// Binds, patches and writes a file that has its joints.
void write_rigged(const BindRequest& request, BindableFile& f, Findings& findings) {
  SceneBinding bound = compute_weights(request, f, request.options);
  finish_weights(request, f, request.options, bound);
  findings.insert(findings.end(), bound.findings.begin(), bound.findings.end());
  if (f.built || f.existing.binds(f.scene))
    naming(request.input, [&] { patch_skin(f.document, f.scene, bound.weights); });
  const ReadOptions reading = read_options({request.asset_root, request.max_memory}, request.input);
  write_checked(f.document, {f.scene, bound.weights, f.found},
                {request.input, request.output, reading},
                overwriting(request.output, request.overwrite));
}

}  // namespace

namespace {

void check_axis(const char* flag, const std::optional<Eigen::Vector3d>& axis) {
  if (axis && !(axis->cwiseAbs().sum() == 1.0 && axis->cwiseAbs().maxCoeff() == 1.0))
    throw Error(ErrorKind::usage, std::string(flag) + ": is no unit vector along an axis");
}

}  // namespace

void check_rig(const RigFileOptions& options) {
  check_axis("--up", options.up);
  check_axis("--front", options.front);
  if (options.meters_per_unit) require_range("units", *options.meters_per_unit, 1e-6, 1e6);
  for (const JointHint& hint : options.hints)
    if (!hint.position.allFinite())
      throw Error(ErrorKind::usage, "--hints: the position of '" + hint.name + "' is not finite");
  if (options.up && options.front && options.up->dot(*options.front) != 0.0)
    throw Error(ErrorKind::usage, "--front: is the same axis as --up");
  if (options.names != JointNames::gvbind && options.skeleton != "biped")
    throw Error(ErrorKind::usage, "--names: the template 'biped' alone has names of others");
  check_twist(options.twist, options.skeleton, "--twist");
  std::error_code ignored;
  if (!builtin_template(options.skeleton) && !fs::exists(options.skeleton, ignored))
    throw Error(ErrorKind::usage,
                "--template: '" + options.skeleton + "' is neither a template's name nor a file" +
                    nearest_name_hint(options.skeleton, builtin_template_names()));
}

BindRequest rig_request(const fs::path& input, const fs::path& output,
                        const RigFileOptions& options) {
  const ReadLimits limits = limits_of(options.reading);
  BindRequest request;
  request.input = input;
  request.output = output;
  request.overwrite = options.overwrite == Asset::Overwrite::yes;
  request.asset_root = limits.asset_root;
  request.max_memory = limits.max_memory;
  request.options = options.bind;
  return request;
}

MadeSkeleton read_rigged(const BindRequest& request, const NamedTemplate& from,
                         const RigFileOptions& options, BindableFile& f, Findings& findings) {
  f = read_input(request, findings);
  leave_out_groups(request, f, findings);
  require_no_joints(request, f, "a rig");
  RigOptions placing;
  placing.mirror = options.mirror;
  placing.hints = options.hints;
  const Standing standing =
      naming(request.input, [&] { return settle_axes(options, from, f, placing.hints, findings); });
  finish_input(request, f, findings);
  MadeSkeleton made = naming(request.input, [&] {
    MadeSkeleton joints = made_skeleton(f.scene, from, options.names, standing, placing, findings);
    add_twist_joints(options.twist, options.names, joints);
    add_root_joints(options.names, f.scene, joints);
    return joints;
  });
  f.twists = made.twists;
  add_made_joints(request, f, made.scene, findings);
  spare_root_joints(made, f.scene);
  select_bindable(request, f, findings);
  return made;
}

RiggedFile rig_file(const fs::path& input, const fs::path& output, const RigFileOptions& options) {
  check_rig(options);
  RigFileOptions named = options;
  const NamedTemplate from = open_template(options.skeleton, limits_of(options.reading));
  name_as_template(from, named.names, named.hints);
  const BindRequest request = rig_request(input, output, named);
  check_outputs(request);
  RiggedFile rigged;
  BindableFile f;
  const MadeSkeleton made = read_rigged(request, from, named, f, rigged.findings);
  write_rigged(request, f, rigged.findings);
  for (std::size_t j = 0; j < made.scene.joints.size(); ++j) {
    const SceneJoint& joint = made.scene.joints[j];
    rigged.joints.push_back(
        {joint.name, joint.parent, joint.bind.translation(), made.confidence[j]});
  }
  rigged.is_mirrored = made.is_mirrored;
  rigged.symmetry = made.symmetry;
  return rigged;
}

}  // namespace gvbind::rig
