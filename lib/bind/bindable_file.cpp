#include "bind/bindable_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>
#include <variant>

#include "bind/guessed_joints.h"
#include "bind/locked_weights.h"
#include "bind/skeleton_fit.h"
#include "character/selection.h"
#include "character/skeleton_units.h"
#include "formats/convert/convert.h"
#include "formats/convert/missing_pictures.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "io/read_limits.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// Meshes and joints, without skins: weights come from elsewhere.
constexpr SceneParts bare_parts = {.weights = false, .attributes = false};

void require_meshes(const BindRequest& request, const BindableFile& f) {
  if (f.scene.meshes.empty()) throw NothingToBind(path_text(request.input) + ": holds no mesh");
}

/// Of a selection that finds none of the input's joints.
void refuse_selection(const BindRequest& request, const BindableFile& f) {
  const Selection& selection = request.selection;
  const bool by_root = !selection.roots.empty();
  std::vector<std::string> names;
  for (const SceneJoint& joint : f.hidden_joints) names.push_back(joint.name);
  naming(request.input, [&] {
    refuse_pattern(by_root ? "root" : "joint", (by_root ? selection.roots : selection.joints)[0],
                   names);
  });
}

double scale_of(const BindRequest& request, const std::vector<SceneJoint>& joints,
                const Scene& scene) {
  return request.skeleton_scale.automatic ? fitting_scale(joints, scene)
                                          : request.skeleton_scale.factor;
}

std::string factor_text(double factor) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", factor);
  return text.data();
}

/// A document is built as a .glb where it becomes a VRM.
fs::path built_path(const BindRequest& request) {
  return request.vrm ? fs::path(request.output).replace_extension(".glb") : request.output;
}

/// The input in the format of the output; a finding lists dropped features.
Conversion converted_whole(const BindRequest& request, const BindableFile& f, Findings& findings) {
  ConvertOptions options;
  options.unweighted = Unweighted::stay;
  options.reading = read_options({request.asset_root, request.max_memory}, request.input);
  options.selection = f.found;
  DroppedFeatures losses;
  Findings repeated;  // reported when the scene was read
  Conversion out = convert_document(f.document, built_path(request), options, losses, repeated);
  if (!losses.empty())
    findings.push_back({Severity::warning, "format-changed",
                        "another format than the input's; lost: " + losses.text(), ""});
  return out;
}

/// The scene in the format of the output. Errors of kind `input` name the input.
Document converted(const BindRequest& request, const Scene& scene) {
  try {
    return build_document(scene, built_path(request));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    throw Error(error.kind(), path_text(request.input) + ": " + error.what());
  }
}

/// Gives the meshes of a converted scene the names of materials that they had in its source.
void carry_materials(const Scene& source, Scene& converted) {
  auto mesh = source.meshes.begin();
  for (SceneMesh& to : converted.meshes) {
    mesh = std::find_if(mesh, source.meshes.end(), [&](const SceneMesh& from) {
      return from.name == to.name && from.triangles.size() == to.triangles.size();
    });
    if (mesh == source.meshes.end()) return;
    to.materials = mesh->materials;
    to.triangle_materials = mesh->triangle_materials;
    ++mesh;
  }
}

/// Adds the joints to the document, and reads the scene again with them.
void add_to_document(const BindRequest& request, BindableFile& f, const Scene& skeleton,
                     Findings& findings) {
  naming(request.input, [&] { add_joints(f.document, skeleton); });
  f.found = request.selection;
  f.found.roots.clear();
  for (const SceneJoint& joint : skeleton.joints)
    if (joint.parent < 0) f.found.roots.push_back(joint.name);
  const Scene before = std::exchange(f.scene, scene_of(f.document, f.found, findings, bare_parts));
  carry_materials(before, f.scene);
  f.own_joints = false;
}

/// Gives the meshes of a converted scene the weights that they had in its source.
void carry_weights(const Scene& source, Scene& converted) {
  std::vector<int> joint_of(source.joints.size(), -1);
  for (std::size_t j = 0; j < source.joints.size() && j < converted.joints.size(); ++j)
    if (source.joints[j].name == converted.joints[j].name) joint_of[j] = static_cast<int>(j);
  if (std::ranges::count(joint_of, -1) > 0) return;
  auto mesh = source.meshes.begin();
  for (SceneMesh& to : converted.meshes) {
    mesh = std::find_if(mesh, source.meshes.end(), [&](const SceneMesh& from) {
      return from.name == to.name && from.positions.size() == to.positions.size();
    });
    if (mesh == source.meshes.end()) return;
    to.skin_joints = mesh->skin_joints;
    to.weights = mesh->weights;
    to.damaged_weights = mesh->damaged_weights;
    ++mesh;
  }
}

/// Joints that the source's skins do not bind own nothing in the converted scene either, and
/// neither do nodes that the conversion added.
void carry_deforming(const Scene& source, const NodeScene& nodes, Scene& converted) {
  std::map<std::int64_t, bool> by_node;
  std::map<std::string, bool> by_name;
  for (const SceneJoint& joint : source.joints) {
    by_node[joint.node] = joint.deforms;
    by_name[joint.name] |= joint.deforms;
  }
  for (SceneJoint& joint : converted.joints) {
    // The key of a joint in a glTF is the index of its node, but an FBX has ids of its own.
    const auto i = static_cast<std::size_t>(joint.node);
    joint.deforms = i < nodes.nodes.size() && by_node.contains(nodes.nodes[i].source)
                        ? by_node[nodes.nodes[i].source]
                        : by_name.contains(joint.name) && by_name[joint.name];
  }
}

/// Converts the document to the format of the output, and reads the scene from it again.
void change_format(const BindRequest& request, BindableFile& f, Findings& findings) {
  const bool imported = std::holds_alternative<Scene>(f.document);
  if (converts_whole(f.document, f.format)) {
    Conversion whole = converted_whole(request, f, findings);
    f.document = std::move(whole.document);
    f.found = {};
    const Scene source = std::exchange(f.scene, naming(request.input, [&] {
                                         return scene_of(f.document, f.found, findings, {});
                                       }));
    carry_deforming(source, whole.scene, f.scene);
    return;
  }
  f.document = converted(request, f.scene);
  f.built = true;
  if (!imported)
    findings.push_back({Severity::warning, "format-changed",
                        "another format than the input's: only meshes, joints, base colors and the "
                        "skin are carried over",
                        ""});
  f.found = {};
  for (const SceneJoint& joint : f.scene.joints)
    if (joint.parent < 0) f.found.roots.push_back(joint.name);
  const Scene source = std::exchange(f.scene, scene_of(f.document, f.found, findings, bare_parts));
  carry_weights(source, f.scene);
  carry_materials(source, f.scene);
}

/// Scales the input's own joints for computing weights. Throws Error if the skeleton is far too
/// small or too large for the meshes.
void fit_own_skeleton(const BindRequest& request, BindableFile& f, Findings& findings) {
  f.bindable_joints = f.scene.joints;
  const double scale = f.own_joints ? scale_of(request, f.scene.joints, f.scene) : 1.0;
  scale_joints(f.bindable_joints, scale);
  detach_twists(f.twists, f.bindable_joints);
  if (scale != 1.0)
    findings.push_back(
        {Severity::warning, "skeleton-scaled",
         "weighed as if the skeleton were " + factor_text(scale) +
             " times as large, about the origin; its joints stay where they are in the file, so "
             "the mesh bends there: scale them in the tool that made the file",
         ""});
  if (!f.made_joints) naming(request.input, [&] { require_fit(f.bindable()); });
}

}  // namespace

const std::vector<SceneJoint>& joints_before_selection(const BindableFile& f) {
  return f.scene.joints.empty() ? f.hidden_joints : f.scene.joints;
}

void require_no_joints(const BindRequest& request, const BindableFile& f, const char* source) {
  const std::vector<SceneJoint>& joints = joints_before_selection(f);
  if (joints.empty()) return;
  std::string names;
  for (std::size_t j = 0; j < std::min<std::size_t>(joints.size(), 3); ++j)
    names += (j ? ", " : "") + joints[j].name;
  throw Error(ErrorKind::input, path_text(request.input) + ": has " +
                                    std::to_string(joints.size()) + " joints of its own (" + names +
                                    (joints.size() > 3 ? ", ..." : "") + "); " + source +
                                    " is for a file without");
}

BindableFile read_input(const BindRequest& request, Findings& findings) {
  BindableFile f;
  const ReadOptions reading = read_options({request.asset_root, request.max_memory}, request.input);
  f.document = read_document(request.input, findings, reading);
  check_sidecars(f.document);
  for (Finding& finding : missing_pictures(f.document, reading))
    findings.push_back(std::move(finding));
  f.found = request.selection;
  f.input_sidecars = sidecars_of(f.document);
  f.format = format_of_name(built_path(request));
  for (std::string& file : picture_sidecars(
           f.document, reading,
           same_format(f.document, f.format) ? PictureUse::presence : PictureUse::content))
    f.input_sidecars.push_back(std::move(file));
  // A document that is patched keeps its attributes itself.
  const SceneParts parts = {.attributes = !same_format(f.document, f.format)};
  f.scene = naming(request.input, [&] { return scene_of(f.document, f.found, findings, parts); });
  const bool selects = !f.found.roots.empty() || !f.found.joints.empty();
  if (selects && f.scene.joints.empty()) {
    Findings told;
    f.hidden_joints =
        naming(request.input, [&] { return scene_of(f.document, {}, told, bare_parts).joints; });
  }
  return f;
}

void add_skeleton(const BindRequest& request, BindableFile& f, Findings& findings) {
  leave_out_groups(request, f, findings);
  require_no_joints(request, f, "--skeleton");
  const Document source =
      read_document(request.skeleton, findings,
                    read_options({request.asset_root, request.max_memory}, request.skeleton));
  f.skeleton_sidecars = sidecars_of(source);
  Scene skeleton = naming(request.skeleton, [&] {
    const Scene read = scene_of(source, {}, findings, bare_parts);
    if (read.joints.empty()) throw Error(ErrorKind::cannot_bind, "holds no joints");
    return skeleton_in_units(read, f.scene, findings);
  });
  const double scale = scale_of(request, skeleton.joints, f.scene);
  scale_joints(skeleton.joints, scale);
  if (scale != 1.0)
    findings.push_back({Severity::note, "skeleton-scaled",
                        "the skeleton is scaled by " + factor_text(scale) + " about the origin",
                        ""});
  add_to_document(request, f, skeleton, findings);
}

void finish_input(const BindRequest& request, BindableFile& f, Findings& findings) {
  const bool has_units = f.scene.units.known;
  if (!request.skeleton.empty()) leave_out_groups(request, f, findings);
  if (!same_format(f.document, f.format)) change_format(request, f, findings);
  if (!request.skeleton.empty()) {
    // A document built of an OBJ names units and axes, but its numbers are those of the OBJ.
    f.scene.units.known = f.scene.units.known && has_units;
    add_skeleton(request, f, findings);
  }
  require_meshes(request, f);
}

BindableFile read_bindable(const BindRequest& request, Findings& findings) {
  BindableFile f = read_input(request, findings);
  finish_input(request, f, findings);
  return f;
}

void add_made_joints(const BindRequest& request, BindableFile& f, const Scene& skeleton,
                     Findings& findings) {
  add_to_document(request, f, skeleton, findings);
  f.made_joints = true;
}

void select_bindable(const BindRequest& request, BindableFile& f, Findings& findings) {
  require_meshes(request, f);
  if (f.scene.joints.empty() && !f.hidden_joints.empty()) refuse_selection(request, f);
  if (f.scene.joints.empty())
    throw NothingToBind(path_text(request.input) +
                        ": holds no joints; --skeleton FILE takes them from another file, and "
                        "--rig biped or 'gvbind rig' makes them");
  Selection selection = request.selection;
  selection.names = names_in_selection(request.options);
  // With keep and fill, meshes without a skin beside skinned ones are bound as well.
  selection.scenery = request.existing != Existing::replace;
  for (Finding& finding :
       naming(request.input, [&] { return apply_selection(f.scene, selection); }))
    findings.push_back(std::move(finding));
  f.existing = plan_existing(f.scene, request.existing, findings);
  f.locked = plan_locks(f.scene, request.rules.locks, f.existing, findings);
  if (!f.existing.binds(f.scene)) return;
  fit_own_skeleton(request, f, findings);
  // A rule in the frame of a joint uses the joint as scaled for the bind.
  naming(request.input, [&] {
    f.rules = resolve_rules(request.rules, f.scene.meshes, f.bindable_joints, findings);
  });
}

}  // namespace gvbind
