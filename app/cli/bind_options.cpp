#include "cli/bind_options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "cli/choice_list.h"
#include "cli/falloff_options.h"
#include "cli/option_values.h"
#include "cli/rig_option.h"
#include "cli/rule_options.h"
#include "cli/rules_file.h"
#include "cli/skinning_option.h"
#include "cli/target_option.h"
#include "cli/weights_option.h"
#include "gvbind/base/utf8.h"
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
constexpr ChoiceList<Device, 3> device_choices{
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
constexpr ChoiceList<FaceRule, 2> face_choices{
    "faces", {{{"auto", FaceRule::automatic}, {"keep", FaceRule::keep}}}};
constexpr ChoiceList<TouchRule, 2> touchings{
    "touching", {{{"join", TouchRule::join}, {"separate", TouchRule::separate, "part"}}}};
constexpr ChoiceList<NameRule, 2> name_rules{
    "joint-names", {{{"use", NameRule::use}, {"ignore", NameRule::ignore}}}};
constexpr ChoiceList<ControlRule, 2> controls{
    "controls", {{{"auto", ControlRule::automatic}, {"keep", ControlRule::keep}}}};

std::string views_text(unsigned views) {
  constexpr std::array<const char*, 6> names = {"+x", "-x", "+y", "-y", "+z", "-z"};
  std::string text;
  for (unsigned i = 0; i < names.size(); ++i)
    if (views >> i & 1u) text.append(text.empty() ? "" : ",").append(names[i]);
  return text;
}

Values optional_text(const std::string& text) { return text.empty() ? Values{} : Values{text}; }

BindOption skeleton_option() {
  return {.name = "skeleton",
          .letter = 's',
          .group = OptionGroup::skeleton,
          .help = "Take the joints from this file (.fbx, .glb, .gltf, .bvh, .dae, ...)",
          .type_name = "FILE",
          .is_path = true,
          .apply = [](BindSettings& s, const Values& v) { s.skeleton = v.at(0); },
          .values = [](const BindSettings& s) { return optional_text(s.skeleton); }};
}

BindOption skeleton_scale_option() {
  return {.name = "skeleton-scale",
          .group = OptionGroup::skeleton,
          .help =
              "Scale the joints' positions about the origin; auto: by the factor that fits "
              "where the skeleton is far too small for the meshes. Joints of the input's own "
              "stay where they are in the output [1]",
          .type_name = "F|auto",
          .apply =
              [](BindSettings& s, const Values& v) {
                s.skeleton_scale = {};
                s.skeleton_scale.automatic = v.at(0) == "auto";
                if (!s.skeleton_scale.automatic)
                  s.skeleton_scale.factor = parse_number("--skeleton-scale", v.at(0), 1e-6, 1e6);
              },
          .values =
              [](const BindSettings& s) {
                return Values{s.skeleton_scale.automatic ? "auto" : exact(s.skeleton_scale.factor)};
              }};
}

BindOption resolution_option() {
  return {.name = "resolution",
          .letter = 'r',
          .help =
              "Voxels per side, a power of two from 16 to 2048; auto: as many as the narrowest gap "
              "and the thinnest limb need and the memory allows [256]",
          .type_name = "N|auto",
          .apply =
              [](BindSettings& s, const Values& v) {
                s.auto_resolution = v.at(0) == "auto";
                s.options.resolution =
                    s.auto_resolution ? BindOptions{}.resolution : parse_resolution(v.at(0));
              },
          .values =
              [](const BindSettings& s) {
                return Values{s.auto_resolution ? "auto" : std::to_string(s.options.resolution)};
              }};
}

/// First of the table, so that other options have the last word.
BindOption preset_option() {
  return {.name = "preset",
          .help = "paper: bind as Dionne and de Lasa describe; other flags override it [gvbind]",
          .type_name = names_of(presets),
          .apply =
              [](BindSettings& s, const Values& v) {
                s.paper = choose(v.at(0), presets);
                s.options = s.paper ? paper_options() : BindOptions{};
                s.network_file.clear();
                s.network_hash.clear();
              },
          .values = [](const BindSettings& s) { return chosen(s.paper, presets); }};
}

std::vector<BindOption> number_options() {
  return {
      resolution_option(),
      {.name = "alpha",
       .letter = 'a',
       .help = "Falloff, from 0 (smooth) to 1 (tight) [0.4]",
       .type_name = "0..1",
       .tunable = true,
       .apply =
           [](BindSettings& s, const Values& v) {
             s.options.alpha = parse_number("--alpha", v.at(0), 0.0, 1.0);
           },
       .values = [](const BindSettings& s) { return Values{exact(s.options.alpha)}; }},
      {.name = "penalty",
       .letter = 'p',
       .help =
           "Cost factor of paths through surface voxels; a larger one binds tighter at folds [4]",
       .type_name = "1..1000",
       .apply =
           [](BindSettings& s, const Values& v) {
             s.options.penalty = parse_number("--penalty", v.at(0), 1.0, 1000.0);
           },
       .values = [](const BindSettings& s) { return Values{exact(s.options.penalty)}; }},
      target_option(),
      max_influences_option(),
      {.name = "views",
       .help = "Sides from which the mesh is looked at; the majority of the axes among them "
               "decides what "
               "is inside [+x,-x,+y,-y,+z,-z]",
       .type_name = "LIST",
       .apply = [](BindSettings& s, const Values& v) { s.options.views = parse_views(v.at(0)); },
       .values = [](const BindSettings& s) { return Values{views_text(s.options.views)}; }}};
}

template <typename Settings, typename Value>
auto& member_of(Settings& settings, Value BindOptions::*member) {
  return settings.options.*member;
}

template <typename Settings, typename Value>
auto& member_of(Settings& settings, Value BindSettings::*member) {
  return settings.*member;
}

template <auto Member, const auto& List>
BindOption choice_option(const char* help, bool tunable = false) {
  return {.name = List.option,
          .help = help,
          .type_name = names_of(List),
          .old_values = renamed_values(List),
          .tunable = tunable,
          .apply = [](BindSettings& s,
                      const Values& v) { member_of(s, Member) = choose(v.at(0), List); },
          .values = [](const BindSettings& s) { return chosen(member_of(s, Member), List); }};
}

std::vector<BindOption> choice_options() {
  return {
      choice_option<&BindOptions::ambiguous, windings>(
          "Decide ambiguous voxels by winding number [on]"),
      choice_option<&BindOptions::leaf, leaves>(
          "The bone of a joint without children: on to the surface, half the parent's bone "
          "further on (extend), a point, or none (ignore) [surface]"),
      choice_option<&BindOptions::outside, outsides>(
          "A joint outside the mesh starts from the nearest voxel with the gap added "
          "(extend), is moved there (snap), is skipped, or is an error [extend]"),
      choice_option<&BindOptions::faces, face_choices>(
          "auto: count triangles that face inward the other way round; keep: trust them [auto]"),
      choice_option<&BindOptions::touching, touchings>(
          "Surfaces of far bones that touch (fingers, thighs) are kept apart (separate) or "
          "share weights (join) [separate]"),
      choice_option<&BindOptions::distance, distances>(
          "Measure to a bone straight where paths inside the mesh allow, or along the path "
          "[straight]"),
      choice_option<&BindOptions::components, rigids>(
          "auto: parts of the mesh follow the bones inside them, and a part with one joint is "
          "rigid; off: all parts bend [auto]"),
      choice_option<&BindOptions::controls, controls>(
          "auto: joints that only hold or steer others get no weight; keep: they do [auto]"),
      weights_option(),
      choice_option<&BindOptions::names, name_rules>(
          "Names of joints (hand, twist, ik) are a hint for fitted weights (use) or play no part "
          "(ignore) [use]",
          true),
      choice_option<&BindSettings::refine, refinements>(
          "Fit the weights to how the skin moves in random poses, as 'gvbind refine' does: those "
          "of "
          "every vertex (poses), or a field that gives them (cells) [off]",
          true),
      choice_option<&BindSettings::volume, volumes>(
          "Make one solid of all meshes, or one per mesh; auto: of all but those many times as "
          "large as the rest, which get their own [auto]"),
      choice_option<&BindSettings::existing, existings>(
          "Weights that a mesh has already: replace them; keep them and bind only meshes without; "
          "or fill: bind only vertices without [replace]"),
      skinning_option(),
      choice_option<&BindOptions::device, device_choices>(
          "What renders the solid; auto uses a hardware EGL device where that may save time "
          "[auto]")};
}

template <std::vector<std::string> Selection::*List>
BindOption selection_option(const char* name, const char* type_name, const char* help) {
  return {.name = name,
          .group = OptionGroup::selection,
          .help = help,
          .type_name = type_name,
          .repeatable = true,
          .apply = [](BindSettings& s, const Values& v) { s.selection.*List = v; },
          .values = [](const BindSettings& s) { return s.selection.*List; }};
}

BindOption fail_on_option() {
  return {.name = "fail-on",
          .group = OptionGroup::running,
          .help = "Findings that make the exit code 1 [error]",
          .type_name = "error|warning|worse-than-before|never",
          .affects_output = false,
          .apply =
              [](BindSettings& s, const Values& v) {
                parse_bind_fail_on(v.at(0), s.fail_on, s.fail_never, s.fail_on_worse);
              },
          .values =
              [](const BindSettings& s) {
                if (s.fail_never) return Values{"never"};
                if (s.fail_on_worse) return Values{"worse-than-before"};
                return Values{s.fail_on == Severity::warning ? "warning" : "error"};
              }};
}

BindOption force_option() {
  return {
      .name = "force",
      .group = OptionGroup::running,
      .help =
          "Overwrite an output that is there already, whoever made it, even where it is the input",
      .is_flag = true,
      .affects_output = false,
      .apply =
          [](BindSettings& s, const Values& v) {
            if (v.at(0) != "true" && v.at(0) != "false")
              throw Error(ErrorKind::usage, "--force: '" + v.at(0) + "' is neither true nor false");
            s.force = v.at(0) == "true";
          },
      .values = [](const BindSettings& s) { return Values{s.force ? "true" : "false"}; }};
}

BindOption asset_root_option() {
  return {.name = "asset-root",
          .group = OptionGroup::running,
          .help =
              "Read files that an input names (buffers, images, materials) under this folder "
              "too, not just beside it",
          .type_name = "DIR",
          .is_path = true,
          .affects_output = false,
          .apply =
              [](BindSettings& s, const Values& v) {
                std::error_code error;
                if (!v.at(0).empty() && !std::filesystem::is_directory(v.at(0), error))
                  throw Error(ErrorKind::usage, "--asset-root: '" + v.at(0) + "' is not a folder");
                s.asset_root = v.at(0);
              },
          .values = [](const BindSettings& s) { return optional_text(s.asset_root); }};
}

std::vector<BindOption> make_options() {
  std::vector<BindOption> all = {preset_option(), rules_option(), skeleton_option(),
                                 skeleton_scale_option(), rig_option()};
  for (BindOption& option : number_options()) all.push_back(std::move(option));
  for (BindOption& option : falloff_options()) all.push_back(std::move(option));
  for (BindOption& option : choice_options()) all.push_back(std::move(option));
  for (BindOption& option : rule_options()) all.push_back(std::move(option));
  all.push_back(selection_option<&Selection::meshes>(
      "meshes", "GLOB", "Bind only meshes with these names; may be repeated"));
  all.push_back(selection_option<&Selection::joints>(
      "joints", "GLOB", "Only these joints may get weight; may be repeated"));
  all.push_back(selection_option<&Selection::exclude>(
      "exclude", "GLOB", "These joints get no weight; may be repeated"));
  all.push_back(selection_option<&Selection::roots>(
      "root", "NAME", "The skeleton is this node and what is below it; may be repeated"));
  all.push_back(asset_root_option());
  all.push_back(fail_on_option());
  all.push_back(force_option());
  return all;
}

}  // namespace

std::span<const BindOption> bind_options() {
  static const std::vector<BindOption> options = make_options();
  return options;
}

const BindOption* find_bind_option(std::string_view name) {
  const auto options = bind_options();
  const auto found = std::ranges::find_if(options, [&](const BindOption& option) {
    return option.name == name || std::ranges::count(option.old_names, name) > 0;
  });
  return found == options.end() ? nullptr : &*found;
}

std::string stored_name(const BindOption& option) {
  return option.old_names.empty() ? option.name : option.old_names.front();
}

std::string stored_value(const BindOption& option, const std::string& value) {
  const auto renamed = std::ranges::find(option.old_values, value, &RenamedValue::name);
  return renamed == option.old_values.end() ? value : renamed->old_name;
}

std::vector<std::string> option_arguments(const BindSettings& settings) {
  std::vector<std::string> arguments;
  BindSettings preset;
  preset.options = settings.paper ? paper_options() : BindOptions{};
  preset.target = settings.target;  // on which it depends how --max-influences reads
  for (const BindOption& option : bind_options()) {
    if (option.expands) continue;
    const Values values = option.values(settings);
    const bool is_target = option.name == "engine" && settings.target != Target::none;
    if (values == option.values(preset) && !is_target) continue;
    for (const std::string& value : values)
      arguments.push_back("--" + option.name + (option.is_flag ? "" : "=" + value));
  }
  return arguments;
}

std::string joined_values(const Values& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ",") + value;
  return text;
}

bool is_number_value(const BindOption& option, const std::string& value) {
  if (option.is_path || option.repeatable) return false;
  double number = 0.0;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && rest == value.data() + value.size();
}

std::span<const std::string> run_flag_names() {
  static const std::vector<std::string> names = {
      "jobs",       "report",       "json",          "progress",      "dry-run",
      "quiet",      "verbose",      "max-memory",    "timeout",       "shard",
      "junit",      "html",         "rerun",         "list",          "null",
      "no-timings", "print-config", "allow-outside", "delete-orphans"};
  return names;
}

}  // namespace gvbind
