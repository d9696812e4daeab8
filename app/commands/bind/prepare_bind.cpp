#include "commands/bind/prepare_bind.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>
#include <variant>

#include "bind/locked_weights.h"
#include "bind/skeleton_fit.h"
#include "character/retarget.h"
#include "character/selection.h"
#include "common/resources.h"
#include "formats/convert/convert.h"
#include "formats/convert/missing_pictures.h"
#include "gvbind/base/utf8.h"
#include "io/atomic_write.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void nothing_to_bind(const BindRequest& request, const char* what) {
  throw NothingToBind(request.input.string() + ": " + what);
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

void require_no_joints(const BindRequest& request, const Scene& bare) {
  if (bare.joints.empty()) return;
  std::string names;
  for (std::size_t j = 0; j < std::min<std::size_t>(bare.joints.size(), 3); ++j)
    names += (j ? ", " : "") + bare.joints[j].name;
  throw Error(ErrorKind::input,
              request.input.string() + ": has " + std::to_string(bare.joints.size()) +
                  " joints of its own (" + names + (bare.joints.size() > 3 ? ", ..." : "") + "); " +
                  (request.make_skeleton ? "a rig" : "--skeleton") + " is for a file without");
}

/// Adds the joints to the document; a selection that finds them there.
Selection add_skeleton(const BindRequest& request, Document& document, const Scene& skeleton) {
  naming(request.input, [&] { add_joints(document, skeleton); });
  Selection found = request.selection;
  found.roots.clear();
  for (const SceneJoint& joint : skeleton.joints)
    if (joint.parent < 0) found.roots.push_back(joint.name);
  return found;
}

/// The joints that the request makes, added in the same way.
Selection make_skeleton(const BindRequest& request, Document& document, const Scene& bare,
                        Findings& findings) {
  require_no_joints(request, bare);
  return add_skeleton(request, document, request.make_skeleton(bare, findings));
}

/// Whether the request makes joints for this scene.
bool makes_skeleton(const BindRequest& request, const Scene& bare, Findings& findings) {
  if (!request.make_skeleton) return false;
  if (!request.own_joints_first || bare.joints.empty()) return true;
  findings.push_back({Severity::note, "rig-not-used",
                      "has " + counted(bare.joints.size(), "joint", "joints") +
                          " of its own, which are bound; --rig is for files without",
                      ""});
  return false;
}

/// The joints of another file, added in the same way.
Selection take_skeleton(const BindRequest& request, Document& document, const Scene& bare,
                        std::vector<std::string>& sidecars, Findings& findings) {
  require_no_joints(request, bare);
  const Document source =
      read_document(request.skeleton, findings,
                    read_options({request.asset_root, request.max_memory}, request.skeleton));
  sidecars = sidecars_of(source);
  Scene skeleton = naming(request.skeleton, [&] {
    const Scene given = scene_of(source, {}, findings, {.weights = false, .attributes = false});
    if (given.joints.empty()) throw Error(ErrorKind::cannot_bind, "holds no joints");
    return retarget_skeleton(given, bare, findings);
  });
  const double scale = scale_of(request, skeleton.joints, bare);
  scale_joints(skeleton.joints, scale);
  if (scale != 1.0)
    findings.push_back({Severity::note, "skeleton-scaled",
                        "the skeleton is scaled by " + factor_text(scale) + " about the origin",
                        ""});
  return add_skeleton(request, document, skeleton);
}

/// The input in the format of the output with all that can be carried, told where something cannot.
Document converted_whole(const BindRequest& request, const Document& input, Findings& findings) {
  ConvertOptions options;
  options.unweighted = whole::Unweighted::stay;
  options.reading = read_options({request.asset_root, request.max_memory}, request.input);
  options.selection = request.selection;
  DroppedFeatures losses;
  Findings repeated;  // what reading has to say was said of the scene
  Document out = convert_document(input, request.output, options, losses, repeated).document;
  if (!losses.empty())
    findings.push_back({Severity::warning, "format-changed",
                        "another format than the input's; lost: " + losses.text(), ""});
  return out;
}

/// The scene in the format of the output. What the scene gets wrong is the input's fault.
Document converted(const BindRequest& request, const Scene& scene) {
  try {
    return build_document(scene, request.output);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    throw Error(error.kind(), request.input.string() + ": " + error.what());
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

/// Joints that the source's skins do not bind own nothing in the converted scene either.
void carry_deforming(const Scene& source, Scene& converted) {
  std::map<std::string, bool> deforms;
  for (const SceneJoint& joint : source.joints) deforms[joint.name] |= joint.deforms;
  for (SceneJoint& joint : converted.joints)
    if (const auto known = deforms.find(joint.name); known != deforms.end())
      joint.deforms = known->second;
}

/// Gives the document the output's format, and the scene what is there then.
void change_format(const BindRequest& request, PreparedBind& p, Findings& findings) {
  constexpr SceneParts shapes = {.weights = false, .attributes = false};
  const bool imported = std::holds_alternative<Scene>(p.document);
  if (converts_whole(p.document, request.output)) {
    p.document = converted_whole(request, p.document, findings);
    p.found = {};
    const Scene source = std::exchange(p.scene, naming(request.input, [&] {
                                         return scene_of(p.document, p.found, findings, {});
                                       }));
    carry_deforming(source, p.scene);
    return;
  }
  p.document = converted(request, p.scene);
  p.built = true;
  if (!imported)
    findings.push_back({Severity::warning, "format-changed",
                        "another format than the input's: only meshes, joints, base colors and the "
                        "skin are carried over",
                        ""});
  p.found = {};
  for (const SceneJoint& joint : p.scene.joints)
    if (joint.parent < 0) p.found.roots.push_back(joint.name);
  const Scene source = std::exchange(p.scene, scene_of(p.document, p.found, findings, shapes));
  carry_weights(source, p.scene);
  carry_materials(source, p.scene);
}

/// Scales the joints for the weighing where they are the input's own, and refuses a skeleton whose
/// size cannot be meant.
void fit_own_skeleton(const BindRequest& request, bool made, PreparedBind& p, Findings& findings) {
  p.bindable_joints = p.scene.joints;
  const bool own = request.skeleton.empty() && !made;
  const double scale = own ? scale_of(request, p.scene.joints, p.scene) : 1.0;
  scale_joints(p.bindable_joints, scale);
  if (scale != 1.0)
    findings.push_back(
        {Severity::warning, "skeleton-scaled",
         "weighed as if the skeleton were " + factor_text(scale) +
             " times as large, about the origin; its joints stay where they are in the file, so "
             "the mesh bends there: scale them in the tool that made the file",
         ""});
  std::swap(p.scene.joints, p.bindable_joints);
  naming(request.input, [&] { require_fit(p.scene); });
  std::swap(p.scene.joints, p.bindable_joints);
}

/// Frames of joints are those that are weighed.
void take_rules(const BindRequest& request, PreparedBind& p, Findings& findings) {
  std::swap(p.scene.joints, p.bindable_joints);
  naming(request.input, [&] { p.rules = resolve_rules(request.rules, p.scene, findings); });
  std::swap(p.scene.joints, p.bindable_joints);
}

}  // namespace

PreparedBind prepare_bind(const BindRequest& request, Findings& findings) {
  PreparedBind p;
  const ReadOptions reading = read_options({request.asset_root, request.max_memory}, request.input);
  p.document = read_document(request.input, findings, reading);
  check_sidecars(p.document);
  for (Finding& finding : missing_pictures(p.document, reading))
    findings.push_back(std::move(finding));
  p.found = request.selection;
  p.input_sidecars = sidecars_of(p.document);
  constexpr SceneParts bare = {.weights = false, .attributes = false};
  // What is patched keeps its attributes itself.
  const SceneParts parts = {.attributes = !same_format(p.document, request.output)};
  p.scene = naming(request.input, [&] { return scene_of(p.document, p.found, findings, parts); });
  if (!same_format(p.document, request.output)) change_format(request, p, findings);
  if (!request.skeleton.empty()) {
    p.found = take_skeleton(request, p.document, p.scene, p.skeleton_sidecars, findings);
    const Scene before = std::exchange(p.scene, scene_of(p.document, p.found, findings, bare));
    carry_materials(before, p.scene);
  }
  if (p.scene.meshes.empty()) nothing_to_bind(request, "holds no mesh");
  const bool makes = makes_skeleton(request, p.scene, findings);
  if (makes) {
    p.found = make_skeleton(request, p.document, p.scene, findings);
    const Scene before = std::exchange(p.scene, scene_of(p.document, p.found, findings, bare));
    carry_materials(before, p.scene);
  }
  if (p.scene.joints.empty())
    nothing_to_bind(request,
                    "holds no joints; --skeleton FILE takes them from another file, and --rig "
                    "biped or 'gvbind rig' makes them");
  Selection selection = request.selection;
  selection.names = names_in_selection(request.options);
  // To keep weights, or to fill in those that lack, is to bind what has none.
  selection.scenery = request.existing != Existing::replace;
  for (Finding& finding :
       naming(request.input, [&] { return apply_selection(p.scene, selection); }))
    findings.push_back(std::move(finding));
  p.existing = plan_existing(p.scene, request.existing, findings);
  p.locked = plan_locks(p.scene, request.rules.locks, p.existing, findings);
  if (p.existing.binds(p.scene)) {
    fit_own_skeleton(request, makes, p, findings);
    take_rules(request, p, findings);
  }
  return p;
}

}  // namespace gvbind
