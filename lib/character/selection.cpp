#include "character/selection.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "character/auto_rig.h"
#include "gvbind/base/joint_keys.h"
#include "gvbind/base/regular.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/glob.h"

namespace gvbind {
namespace {

/// Edit distance: insertions, deletions, substitutions, and swaps of neighbors (the most common
/// typo).
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({changed, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(above, row);
  }
  return above.back();
}

template <typename Thing>
std::vector<std::string> names_of(const std::vector<Thing>& things) {
  std::vector<std::string> names;
  for (const Thing& thing : things) names.push_back(thing.name);
  return names;
}

/// By item, whether a pattern matches its name. Every pattern must match something.
template <typename Thing>
std::vector<bool> matches(const std::vector<std::string>& patterns,
                          const std::vector<Thing>& things, const char* kind) {
  std::vector<bool> matched(things.size(), false);
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < things.size(); ++i) {
      if (!matches_name(pattern, things[i].name)) continue;
      matched[i] = any = true;
    }
    if (!any) refuse_pattern(kind, pattern, names_of(things));
  }
  return matched;
}

/// Reports meshes that are left as they are.
void tell_left(const char* code, const std::vector<std::string>& names, const char* what,
               Findings& findings) {
  if (names.empty()) return;
  constexpr std::size_t most_named = 3;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i)
    list += (i ? ", '" : "'") + names[i] + "'";
  findings.push_back({Severity::note, code,
                      counted(names.size(), "mesh", "meshes") + " " + what + " (" + list +
                          (names.size() > most_named ? ", ..." : "") +
                          ") left as they are; --meshes '*' binds them too",
                      names.front()});
}

/// Files hide a mesh by a scale of zero. Its vertices are in one place, and no skin brings them
/// apart again.
Finding collapsed_finding(const std::string& name) {
  return {Severity::note, "mesh-collapsed",
          "mesh '" + name + "' has a scale of zero: it is left as it is", name};
}

Findings select_meshes(Scene& scene, const Selection& selection) {
  const std::vector<bool> named = matches(selection.meshes, scene.meshes, "mesh");
  const bool leaves_scenery = !selection.scenery && scene.has_skin();
  std::vector<std::string> scenery, instanced;
  Findings findings;
  bool any = false;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    SceneMesh& mesh = scene.meshes[m];
    const bool bare = mesh.skin_joints.empty();
    const bool rigid = bare && mesh.attached_to >= 0, stays = bare && leaves_scenery;
    const bool copied = bare && mesh.instanced;
    const bool wanted = selection.meshes.empty() ? !rigid && !stays && !copied : named[m];
    if (mesh.selected && selection.meshes.empty() && !rigid && !mesh.triangles.empty()) {
      if (copied) instanced.push_back(mesh.name);
      if (stays && !copied) scenery.push_back(mesh.name);
    }
    mesh.selected = mesh.selected && wanted;
    if (mesh.selected && bare && !is_regular(mesh.to_bind)) {
      mesh.selected = false;
      findings.push_back(collapsed_finding(mesh.name));
    }
    any = any || (mesh.selected && !mesh.triangles.empty());
  }
  tell_left("instances-left", instanced, "drawn in several places", findings);
  if (!any)
    throw Error(ErrorKind::cannot_bind, findings.empty()
                                            ? "no mesh with triangles to bind"
                                            : "nothing to bind: " + findings.front().message);
  tell_left("scenery-left", scenery, "without a skin beside skinned ones", findings);
  return findings;
}

constexpr std::string_view mechanism_prefixes[] = {"ORG", "MCH", "VIS", "WGT", "CTRL"};
/// Parts of the names of Rigify's controls.
constexpr std::string_view control_words[] = {"tweak",   "_ik",     "_fk",
                                              "_master", "_parent", "_target"};
/// Whole names of controls, without ".L" or an exporter's numeric suffix.
constexpr std::string_view control_names[] = {"root", "torso", "hips", "chest", "neck", "head"};

bool is_mechanism(std::string_view name) {
  if (is_called_deforming(name)) return false;
  const auto holds = [&](std::string_view word) { return name.find(word) != name.npos; };
  const std::string_view stem = name.substr(0, name.find_first_of("._0123456789"));
  return has_prefix(name, mechanism_prefixes) || std::ranges::any_of(control_words, holds) ||
         std::ranges::find(control_names, stem) != std::end(control_names);
}

/// Blender's manual, "Rigify": only bones of the deform collection deform.
void exclude_mechanism(std::vector<SceneJoint>& joints) {
  const auto is_marked = [](const SceneJoint& j) { return is_called_deforming(j.name); };
  if (std::ranges::count_if(joints, is_marked) < min_called_deforming) return;
  for (SceneJoint& joint : joints)
    if (is_mechanism(joint.name)) joint.deforms = false;
}

/// In lower case, without the numbers that exporters append, as Sketchfab's does.
std::string unnumbered(std::string name) {
  while (!name.empty() && (name.back() == '_' || (name.back() >= '0' && name.back() <= '9')))
    name.pop_back();
  return lower_case(name);
}

/// Whether exporters and rigs name the end of the last bone so: "_end" Blender's "Add Leaf Bones",
/// "Nub" 3ds Max's Biped.
bool is_called_end(const std::string& name) {
  const std::string plain = unnumbered(name);
  return plain.ends_with("_end") || plain.ends_with("nub");
}

/// A file that was exported twice has ends of ends, as "toe_end_end" below "toe_end".
void exclude_ends(std::vector<SceneJoint>& joints) {
  std::vector<bool> leads_on(joints.size(), false);
  for (std::size_t j = joints.size(); j-- > 0;) {
    if (joints[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(joints[j].parent);
    const bool is_end = !leads_on[j] && is_called_end(joints[j].name);
    if (is_end) joints[j].deforms = false;
    if (!is_end || unnumbered(joints[j].name) != unnumbered(joints[parent].name) + "_end")
      leads_on[parent] = true;
  }
}

/// Sketchfab's exporter puts a joint of this name above every skeleton, at the place of its object.
void exclude_exporter_roots(std::vector<SceneJoint>& joints) {
  for (const SceneJoint& joint : joints) {
    if (joint.parent < 0) continue;
    SceneJoint& above = joints[static_cast<std::size_t>(joint.parent)];
    if (unnumbered(above.name).ends_with("_rootjoint")) above.deforms = false;
  }
}

/// Games look through a joint of this name; no skin follows it.
void exclude_cameras(std::vector<SceneJoint>& joints) {
  for (SceneJoint& joint : joints)
    if (lower_case(joint.name).find("camera") != std::string::npos) joint.deforms = false;
}

void exclude_auto_rig_controls(std::vector<SceneJoint>& joints) {
  const std::vector<bool> controls = auto_rig_controls(joints);
  for (std::size_t j = 0; j < controls.size(); ++j)
    if (controls[j]) joints[j].deforms = false;
}

/// The joints of every tree, in their order, and whether the skin of a mesh has one of them.
struct JointTree {
  std::vector<std::size_t> joints;
  bool has_skin = false;
};

std::vector<JointTree> joint_trees(const Scene& scene) {
  std::vector<JointTree> trees;
  std::vector<std::size_t> tree_of(scene.joints.size());
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const int parent = scene.joints[j].parent;
    tree_of[j] = parent < 0 ? trees.size() : tree_of[static_cast<std::size_t>(parent)];
    if (parent < 0) trees.emplace_back();
    trees[tree_of[j]].joints.push_back(j);
  }
  for (const SceneMesh& mesh : scene.meshes)
    for (const int joint : mesh.skin_joints)
      trees[tree_of[static_cast<std::size_t>(joint)]].has_skin = true;
  return trees;
}

/// Whether joint by joint both stand at the same places, to a thousandth of the first one's box.
bool stand_alike(const std::vector<SceneJoint>& joints, const JointTree& a, const JointTree& b) {
  if (a.joints.size() != b.joints.size()) return false;
  const auto place = [&](std::size_t j) -> Eigen::Vector3d { return joints[j].bind.translation(); };
  Eigen::AlignedBox3d box;
  for (const std::size_t j : a.joints) box.extend(place(j));
  const double near = 1e-3 * box.sizes().maxCoeff();
  return std::ranges::equal(a.joints, b.joints, [&](std::size_t i, std::size_t j) {
    return (place(i) - place(j)).norm() <= near;
  });
}

/// Some files hold their skeleton twice, and the skins of all meshes name the joints of one alone.
/// Nothing in their shapes tells which.
void exclude_unused_copies(Scene& scene) {
  constexpr std::size_t fewest_joints = 3;
  const std::vector<JointTree> trees = joint_trees(scene);
  for (const JointTree& tree : trees) {
    if (tree.has_skin || tree.joints.size() < fewest_joints) continue;
    const bool is_copy = std::ranges::any_of(trees, [&](const JointTree& other) {
      return other.has_skin && stand_alike(scene.joints, other, tree);
    });
    if (!is_copy) continue;
    for (const std::size_t j : tree.joints) scene.joints[j].deforms = false;
  }
}

void select_joints(Scene& scene, const Selection& selection) {
  if (selection.roots.empty()) exclude_unused_copies(scene);
  if (selection.names == NameRule::use) {
    exclude_mechanism(scene.joints);
    exclude_auto_rig_controls(scene.joints);
    exclude_ends(scene.joints);
    exclude_exporter_roots(scene.joints);
    exclude_cameras(scene.joints);
  }
  const std::vector<bool> named = matches(selection.joints, scene.joints, "joint");
  const std::vector<bool> excluded = matches(selection.exclude, scene.joints, "joint");
  std::vector<bool> below = matches(selection.roots, scene.joints, "root");
  bool any = false;
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    SceneJoint& joint = scene.joints[j];
    if (joint.parent >= 0 && below[joint.parent]) below[j] = true;
    if (!selection.joints.empty()) joint.deforms = named[j];
    if (!selection.roots.empty() && !below[j]) joint.deforms = false;
    if (excluded[j]) joint.deforms = false;
    any = any || joint.deforms;
  }
  if (any) return;
  throw Error(ErrorKind::cannot_bind,
              scene.joints.empty() ? "no joints" : "no joints that may own weight");
}

}  // namespace

std::string nearest_name(std::string_view text, std::span<const std::string> names) {
  std::string nearest;
  std::size_t fewest_edits = std::max<std::size_t>(2, text.size() / 3) + 1;
  for (const std::string& name : names) {
    // Limits the work for maliciously long names.
    if (name.size() > text.size() + fewest_edits || text.size() > name.size() + fewest_edits)
      continue;
    const std::size_t count = edits(lower_case(text), lower_case(name));
    if (count < fewest_edits) fewest_edits = count, nearest = name;
  }
  return nearest;
}

std::string nearest_name_hint(std::string_view text, std::span<const std::string> names) {
  const std::string nearest = nearest_name(text, names);
  return nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?";
}

void refuse_pattern(std::string_view kind, const std::string& pattern,
                    std::span<const std::string> names) {
  const std::string near = nearest_name(pattern, names);
  throw Error(ErrorKind::usage, "no " + std::string(kind) + " matches '" + pattern + "'" +
                                    (near.empty() ? "" : "; is it '" + near + "'?"));
}

NameRule names_in_selection(const BindOptions& options) {
  return options.weights == WeightRule::fitted ? options.names : NameRule::ignore;
}

Findings apply_selection(Scene& scene, const Selection& selection) {
  select_joints(scene, selection);
  return select_meshes(scene, selection);
}

}  // namespace gvbind
