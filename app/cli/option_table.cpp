// Tested by tests/unit/batch/settings_test.cpp.

#include <array>
#include <optional>
#include <utility>

#include "bind/rule_lines.h"
#include "cli/bind_options.h"
#include "cli/file_options.h"
#include "cli/option_forms.h"
#include "cli/option_values.h"
#include "gvbind/bind_options.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

using Values = OptionValues;

constexpr ChoiceList<AmbiguousRule, 2> windings{
    "winding", {{{"off", AmbiguousRule::outside}, {"on", AmbiguousRule::winding}}}};
constexpr ChoiceList<LeafRule, 4> leaves{"leaf",
                                         {{{"extend", LeafRule::extend},
                                           {"ignore", LeafRule::ignore},
                                           {"point", LeafRule::point},
                                           {"surface", LeafRule::surface}}}};
constexpr ChoiceList<Volume, 3> volumes{
    "volume",
    {{{"all", Volume::all}, {"auto", Volume::automatic}, {"per-mesh", Volume::per_mesh}}}};
constexpr ChoiceList<Existing, 3> existings{
    "existing",
    {{{"fill", Existing::fill}, {"keep", Existing::keep}, {"replace", Existing::replace}}}};
constexpr ChoiceList<Device, 3> devices{
    "device", {{{"auto", Device::automatic}, {"cpu", Device::cpu}, {"egl", Device::egl}}}};
constexpr ChoiceList<Refinement, 3> refinements{
    "refine",
    {{{"cells", Refinement::cells}, {"off", Refinement::off}, {"poses", Refinement::poses}}}};
constexpr ChoiceList<bool, 2> presets{"preset", {{{"gvbind", false}, {"paper", true}}}};
constexpr ChoiceList<DistanceRule, 2> distances{
    "distance", {{{"straight", DistanceRule::straight}, {"path", DistanceRule::path}}}};
constexpr ChoiceList<ComponentRule, 2> rigids{
    "rigid", {{{"auto", ComponentRule::automatic}, {"off", ComponentRule::bend}}}};
constexpr ChoiceList<OutsideRule, 4> outsides{"outside",
                                              {{{"error", OutsideRule::error},
                                                {"extend", OutsideRule::extend},
                                                {"skip", OutsideRule::skip},
                                                {"snap", OutsideRule::snap}}}};
constexpr ChoiceList<std::optional<double>, 6> units{
    "units",
    {{{"auto", {}}, {"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}}}};
constexpr ChoiceList<FaceRule, 2> face_rules{
    "faces", {{{"auto", FaceRule::automatic}, {"keep", FaceRule::keep}}}};
constexpr ChoiceList<TouchRule, 2> touchings{
    "touching", {{{"join", TouchRule::join}, {"separate", TouchRule::separate, "part"}}}};
constexpr ChoiceList<NameRule, 2> name_rules{
    "joint-names", {{{"use", NameRule::use}, {"ignore", NameRule::ignore}}}};
constexpr ChoiceList<ControlRule, 2> controls{
    "controls", {{{"auto", ControlRule::automatic}, {"keep", ControlRule::keep}}}};
constexpr ChoiceList<Target, 9> engines{"engine",
                                        {{{"babylon", Target::babylon},
                                          {"godot", Target::godot},
                                          {"mobile", Target::mobile},
                                          {"none", Target::none},
                                          {"roblox", Target::roblox},
                                          {"three", Target::three},
                                          {"unity", Target::unity},
                                          {"unreal", Target::unreal},
                                          {"vrm", Target::vrm}}}};
constexpr ChoiceList<FalloffRule, 2> falloffs{
    "falloff", {{{"paper", FalloffRule::paper}, {"inverse-square", FalloffRule::note, "note"}}}};
constexpr ChoiceList<LimitRule, 2> limits{
    "limit", {{{"cut", LimitRule::cut}, {"smooth", LimitRule::smooth}}}};
constexpr ChoiceList<Mirror, 5> mirrors{"mirror-axis",
                                        {{{"auto", Mirror::automatic},
                                          {"off", Mirror::off},
                                          {"x", Mirror::x},
                                          {"y", Mirror::y},
                                          {"z", Mirror::z}}}};

constexpr NumberRange alphas{"alpha", 0, 1};
constexpr NumberRange penalties{"penalty", 1, 1000};
constexpr NumberRange prunes{"prune", 0, 1};

void apply_preset(BindSettings& s, const Values& v) {
  s.paper = choose(v.at(0), presets);
  s.options = s.paper ? paper_options() : BindOptions{};
  s.network_file.clear();
  s.network_hash.clear();
}

void apply_scale(BindSettings& s, const Values& v) {
  s.skeleton_scale = {};
  s.skeleton_scale.automatic = v.at(0) == "auto";
  if (!s.skeleton_scale.automatic)
    s.skeleton_scale.factor = parse_number("--skeleton-scale", v.at(0), 1e-6, 1e6);
}

void apply_resolution(BindSettings& s, const Values& v) {
  s.auto_resolution = v.at(0) == "auto";
  s.options.resolution = s.auto_resolution ? BindOptions{}.resolution : parse_resolution(v.at(0));
}

void apply_max_influences(BindSettings& s, const Values& v) {
  s.auto_influences = v.at(0) == "auto";
  s.options.max_influences =
      s.auto_influences ? BindOptions{}.max_influences : parse_max_influences(v.at(0));
}

Values max_influences_values(const BindSettings& s) {
  if (s.auto_influences && s.target != Target::none) return {"auto"};
  const int count = s.options.max_influences;
  return {count == 0 ? "all" : std::to_string(count)};
}

void apply_max_joints(BindSettings& s, const Values& v) {
  s.max_joints = v.at(0) == "all" ? 0 : parse_max_joints(v.at(0));
}

Values max_joints_values(const BindSettings& s) {
  return {s.max_joints == 0 ? "all" : std::to_string(s.max_joints)};
}

Values view_values(const BindSettings& s) {
  constexpr std::array<const char*, 6> names = {"+x", "-x", "+y", "-y", "+z", "-z"};
  std::string text;
  for (unsigned i = 0; i < names.size(); ++i)
    if (s.options.views >> i & 1u) text.append(text.empty() ? "" : ",").append(names[i]);
  return {text};
}

void apply_fail_on(BindSettings& s, const Values& v) {
  parse_bind_fail_on(v.at(0), s.fail_on, s.fail_never, s.fail_on_worse);
}

Values fail_on_values(const BindSettings& s) {
  if (s.fail_never) return {"never"};
  if (s.fail_on_worse) return {"worse-than-before"};
  return {s.fail_on == Severity::warning ? "warning" : "error"};
}

constexpr Switch force_switch{"force", &BindSettings::force};
constexpr Switch axes_switch{"keep-axes", &BindSettings::keep_axes};

std::vector<BindOption> skeleton_rows() {
  return {
      // First, so that other options have the last word.
      {.name = presets.option,
       .help = "paper: bind as Dionne and de Lasa describe; other options override it",
       .type_name = alternatives_text(option_words(presets)),
       .apply = apply_preset,
       .values = [](const BindSettings& s) { return chosen(s.paper, presets); }},
      rules_option(),
      skeleton_option(),
      {.name = "skeleton-scale",
       .group = OptionGroup::skeleton,
       .help = "Scale joint positions about the origin; auto: by the factor that fits, if the "
               "skeleton is far too small for the meshes. Joints of the input itself keep their "
               "positions in the output",
       .type_name = "F|auto",
       .apply = apply_scale,
       .values =
           [](const BindSettings& s) {
             return Values{s.skeleton_scale.automatic ? "auto" : exact(s.skeleton_scale.factor)};
           }},
      rig_option(),
      switch_option<axes_switch>(
          {.group = OptionGroup::skeleton,
           .help =
               "With --rig: leave a mesh of OBJ, PLY or STL as it lies, in place of standing it "
               "up along +y"}),
      twist_option(),
      choice_option<&BindSettings::meters_per_unit, units>(
          {.group = OptionGroup::skeleton,
           .help = "With --rig: the unit of OBJ, PLY or STL; auto: m, cm or mm, by the template's "
                   "usual size"}),
  };
}

std::vector<BindOption> basic_rows() {
  return {
      {.name = "resolution",
       .letter = 'r',
       .heading = first_group,
       .everyday = true,
       .help = "Voxels per side, a power of two from 16 to 2048; auto: enough for the narrowest "
               "gap and the thinnest limb, as far as memory allows",
       .type_name = "N|auto",
       .apply = apply_resolution,
       .values =
           [](const BindSettings& s) {
             return Values{s.auto_resolution ? "auto" : std::to_string(s.options.resolution)};
           }},
      number_option<&BindOptions::alpha, alphas>({.letter = 'a',
                                                  .heading = first_group,
                                                  .everyday = true,
                                                  .help = "Falloff, from 0 (smooth) to 1 (tight)",
                                                  .tunable = true}),
      number_option<&BindOptions::penalty, penalties>(
          {.letter = 'p',
           .heading = first_group,
           .everyday = true,
           .help =
               "Cost factor of paths through surface voxels; larger values bind tighter at folds"}),
      choice_option<&BindSettings::target, engines>(
          {.old_names = {"target"},
           .everyday = true,
           .help = "Engine that reads the output: limits the joints per vertex, stores weights in "
                   "its precision, and warns about meshes with more joints than it supports",
           .tunable = true}),
      {.name = "max-influences",
       .letter = 'n',
       .everyday = true,
       .help = "Maximum number of joints per vertex; auto: 4, or the limit of --engine",
       .default_text = "auto",
       .type_name = "N|all|auto",
       .tunable = true,
       .apply = apply_max_influences,
       .values = max_influences_values},
      {.name = "max-joints",
       .help =
           "Maximum number of joints in the skin of a mesh; a mesh of more is split into parts, "
           "and moves as before (glTF and VRM only)",
       .default_text = "all",
       .type_name = "N|all",
       .tunable = true,
       .apply = apply_max_joints,
       .values = max_joints_values},
      {.name = "views",
       .help = "Directions from which the mesh is voxelized; a majority vote of their axes decides "
               "which voxels are inside",
       .type_name = "LIST",
       .apply = [](BindSettings& s, const Values& v) { s.options.views = parse_views(v.at(0)); },
       .values = view_values},
  };
}

std::vector<BindOption> falloff_rows() {
  return {
      choice_option<&BindOptions::falloff, falloffs>(
          {.help = "How weights decrease with the distance d: as a power (paper), or as the "
                   "smoother 1/((1-a)d + a d^2)^2 with d in sides of the box (inverse-square)",
           .tunable = true}),
      choice_option<&BindOptions::limit, limits>(
          {.help = "How joints beyond --max-influences are dropped; cut: drop the smallest "
                   "weights; smooth: fade the dropped joint to zero instead of cutting it off",
           .tunable = true}),
      rule_option<&BindSettings::alpha_joint, &RuleSet::alphas, parse_alpha_joint>(
          {.name = "alpha-joint",
           .help = "--alpha of joints with these names (Tail*=0.9), against their neighbors; the "
                   "last match counts; may be repeated",
           .type_name = "GLOB=A",
           .tunable = true,
           .content = [](const BindSettings& s) { return in_order(s.alpha_joint); }}),
      number_option<&BindOptions::prune, prunes>(
          {.help = "Drop weights below this value and rescale the others to sum to one; the "
                   "largest weight stays",
           .tunable = true}),
  };
}

std::vector<BindOption> method_rows() {
  return {
      choice_option<&BindOptions::ambiguous, windings>(
          {.help = "Classify ambiguous voxels by winding number"}),
      choice_option<&BindOptions::leaf, leaves>(
          {.help = "Bone of a joint without children: to the surface (surface), half as long as "
                   "the parent's (extend), a point, or none (ignore)"}),
      choice_option<&BindOptions::outside, outsides>(
          {.help = "A joint outside the mesh starts at the nearest voxel with the gap added "
                   "(extend), is moved there (snap), is skipped, or is an error"}),
      choice_option<&BindOptions::faces, face_rules>(
          {.help =
               "auto: treat triangles that face inward as flipped; keep: trust their orientation"}),
      choice_option<&BindOptions::touching, touchings>(
          {.help = "Touching surfaces of distant bones (fingers, thighs) are kept apart (separate) "
                   "or share weights (join)"}),
      choice_option<&BindOptions::distance, distances>(
          {.help = "Measure the distance to a bone in a straight line where paths inside the mesh "
                   "allow it (straight), or along the path"}),
      choice_option<&BindOptions::components, rigids>(
          {.help = "auto: components of the mesh follow the bones inside them, and a component "
                   "with one joint is rigid; off: all components bend"}),
      choice_option<&BindOptions::controls, controls>(
          {.help = "auto: joints that only hold or control other joints get no weight; keep: they "
                   "get weight too"}),
      weights_option(),
      like_option(),
      choice_option<&BindOptions::names, name_rules>(
          {.help = "Use joint names (hand, twist, ik) as a hint for fitted weights (use), or "
                   "ignore them (ignore)",
           .tunable = true}),
      choice_option<&BindSettings::refine, refinements>(
          {.help = "Optimize the weights over poses of the clips, else random ones, as 'gvbind "
                   "refine' does: for each vertex (poses), or as a field over space (cells)",
           .tunable = true}),
      choice_option<&BindSettings::volume, volumes>(
          {.help = "Build one solid from all meshes, or one per mesh; auto: one from all meshes "
                   "except those far larger than the rest, which get their own"}),
      choice_option<&BindSettings::existing, existings>(
          {.everyday = true,
           .help = "Weights that a mesh already has: replace them; keep them and bind only meshes "
                   "without weights; or fill: bind only vertices without weights"}),
      skinning_option(),
      clip_option(),
      springs_option(),
      choice_option<&BindOptions::device, devices>(
          {.help =
               "Voxelizer of the solid; auto uses a hardware EGL device where that may save time"}),
  };
}

std::vector<BindOption> rule_rows() {
  return {
      edits_option(),
      influences_option(),
      rule_option<&BindSettings::forbid, &RuleSet::forbid, parse_forbid>(
          {.name = "forbid",
           .help = "Joints that match one glob get no weight where a joint that matches the other "
                   "dominates, and vice versa; may be repeated",
           .type_name = "GLOB:GLOB",
           .tunable = true}),
      rule_option<&BindSettings::give, &RuleSet::give, parse_give>(
          {.name = "give",
           .help = "Assign meshes, or all triangles with a material, to one joint "
                   "(mesh:Sword*=Hand_R) and leave them out of the solid; may be repeated",
           .type_name = "mesh|material:GLOB=JOINT",
           // Their order counts: of two rules for the same vertices the later one holds.
           .content = [](const BindSettings& s) { return in_order(s.give); }}),
      rule_option<&BindSettings::lock, &RuleSet::locks, parse_lock>(
          {.name = "lock",
           .help = "Joints and meshes with these names (joint:GLOB or mesh:GLOB for one kind only) "
                   "keep their weights, and the rest is bound around them; may be repeated",
           .type_name = "GLOB",
           .tunable = true}),
      choice_option<&RuleSet::mirror, mirrors>(
          {.old_names = {"mirror"},
           .help = "Make weights equal on both sides of a plane across this axis, where mesh and "
                   "skeleton are nearly symmetric; auto: the axis with the best symmetry",
           .tunable = true}),
  };
}

std::vector<BindOption> run_rows() {
  const auto of_selection = [](BindOption option) {
    option.group = OptionGroup::selection;
    return option;
  };
  return {
      of_selection(list_option<&Selection::meshes>(
          {.name = "meshes",
           .help = "Bind only meshes with these names; may be repeated",
           .type_name = "GLOB"})),
      of_selection(list_option<&Selection::joints>(
          {.name = "joints",
           .help = "Only these joints may get weight; may be repeated",
           .type_name = "GLOB"})),
      of_selection(
          list_option<&Selection::exclude>({.name = "exclude",
                                            .help = "These joints get no weight; may be repeated",
                                            .type_name = "GLOB"})),
      of_selection(list_option<&Selection::roots>(
          {.name = "root",
           .help = "Use this node and its descendants as the skeleton; may be repeated",
           .type_name = "NAME"})),
      asset_root_option(),
      {.name = "fail-on",
       .group = OptionGroup::running,
       .everyday = true,
       .help = "Findings that set the exit code to 1",
       .type_name = "error|warning|worse-than-before|never",
       .affects_output = false,
       .apply = apply_fail_on,
       .values = fail_on_values},
      switch_option<force_switch>({.group = OptionGroup::running,
                                   .heading = file_group,
                                   .everyday = true,
                                   .help = "Overwrite an existing output, even if another program "
                                           "wrote it or it is the input",
                                   .affects_output = false}),
  };
}

std::vector<BindOption> make_table() {
  std::vector<BindOption> table;
  for (const auto rows :
       {skeleton_rows, basic_rows, falloff_rows, method_rows, rule_rows, run_rows})
    for (BindOption& option : rows()) table.push_back(std::move(option));
  return table;
}

}  // namespace

std::span<const BindOption> bind_options() {
  static const std::vector<BindOption> table = make_table();
  return table;
}

}  // namespace gvbind
