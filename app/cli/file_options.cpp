#include "cli/file_options.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "bind/rule_lines.h"
#include "cli/option_forms.h"
#include "cli/rules_file.h"
#include "cli/written_files.h"
#include "common/content_hash.h"
#include "formats/document.h"
#include "gvbind/error.h"
#include "gvbind/fitted/network_file.h"
#include "gvbind/fitted/pair_features.h"
#include "io/file_io.h"
#include "retarget/own_motions.h"
#include "rig/builtin_templates.h"
#include "rig/twist_joints.h"

namespace gvbind {

namespace {

using Values = OptionValues;

constexpr ChoiceList<WeightRule, 3> weight_choices{"weights",
                                                   {{{"fitted", WeightRule::fitted},
                                                     {"falloff", WeightRule::falloff},
                                                     {"heat", WeightRule::heat}}}};
constexpr ChoiceList<std::optional<SkinningType>, 3> skinning_choices{
    "skinning",
    {{{"keep", std::nullopt},
      {"linear", SkinningType::linear},
      {"dual", SkinningType::dual_quaternion}}}};

constexpr ChoiceList<Springs, 2> springs_choices{
    "springs", {{{"auto", Springs::automatic}, {"off", Springs::off}}}};

struct HashedFile {
  std::vector<std::uint8_t> bytes;
  std::string hash;
};

HashedFile read_hashed(const std::string& path) {
  HashedFile file;
  file.bytes = read_file(path);
  file.hash = content_of(file.bytes).hash;
  return file;
}

/// Of a document and the buffers that it keeps in files of their own.
std::string document_hash(const std::string& path) {
  std::string hash = read_hashed(path).hash;
  const std::vector<std::filesystem::path> buffers = buffers_of(path);
  if (buffers.empty()) return hash;
  for (const std::filesystem::path& buffer : buffers) {
    const std::optional<FileContent> content = read_content(buffer);
    hash += content ? " " + content->hash : " missing";
  }
  return hash_of(hash);
}

void apply_rules(BindSettings& s, const Values& v) {
  s.rules_file = v.at(0);
  for (const RulesEntry& entry : read_rules(s.rules_file)) entry.option->apply(s, entry.values);
}

void apply_rig(BindSettings& s, const Values& v) {
  const std::string& text = v.at(0);
  std::error_code ignored;
  std::string hash = text;
  if (!text.empty() && !rig::builtin_template(text)) {
    if (!std::filesystem::exists(text, ignored))
      throw Error(ErrorKind::usage, "--rig: '" + text +
                                        "' is neither a template's name nor a file" +
                                        nearest_name_hint(text, rig::builtin_template_names()));
    hash = naming(text, [&] { return document_hash(text); });
  }
  s.rig = text;
  s.rig_hash = hash;
}

void apply_weights(BindSettings& s, const Values& v) {
  const std::string& text = v.at(0);
  s.network_file.clear();
  s.network_hash.clear();
  s.options.network = nullptr;
  if (const WeightRule* rule = find_choice(text, weight_choices)) {
    s.options.weights = *rule;
    return;
  }
  std::error_code ignored;
  if (!std::filesystem::exists(text, ignored))
    refuse_choice_or_file("--weights", text, option_words(weight_choices));
  naming(text, [&] {
    HashedFile file = read_hashed(text);
    NetworkFile network = decode_network(file.bytes, pair_feature_count);
    s.options.weights = WeightRule::fitted;
    s.options.network = std::make_shared<FittedNetworks>(std::move(network.fitted));
    s.network_file = text;
    s.network_hash = std::move(file.hash);
  });
}

Values weights_values(const BindSettings& s) {
  return s.network_file.empty() ? chosen(s.options.weights, weight_choices)
                                : Values{s.network_file};
}

void apply_skinning(BindSettings& s, const Values& v) {
  const std::string& text = v.at(0);
  s.skinning_file.clear();
  s.skinning_hash.clear();
  if (const auto* type = find_choice(text, skinning_choices)) {
    s.skinning = *type;
    return;
  }
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(text, ignored))
    refuse_choice_or_file("--skinning", text, option_words(skinning_choices));
  s.skinning_hash = read_hashed(text).hash;
  s.skinning_file = text;
  s.skinning = SkinningType::blend;
}

void apply_like(BindSettings& s, const Values& v) {
  s.like = v;
  s.like_hashes.clear();
  for (const std::string& file : v)
    s.like_hashes.push_back(naming(file, [&] { return document_hash(file); }));
}

void apply_springs(BindSettings& s, const Values& v) {
  const std::string& text = v.at(0);
  s.springs_file.clear();
  s.springs_hash.clear();
  if (const Springs* const springs = find_choice(text, springs_choices)) {
    s.springs = *springs;
    return;
  }
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(text, ignored))
    refuse_choice_or_file("--springs", text, option_words(springs_choices));
  s.springs_hash = naming(text, [&] { return read_hashed(text).hash; });
  s.springs_file = text;
  s.springs = Springs::file;
}

Values springs_values(const BindSettings& s) {
  return s.springs_file.empty() ? chosen(s.springs, springs_choices) : Values{s.springs_file};
}

void apply_clips(BindSettings& s, const Values& v) {
  s.clip = v;
  s.clip_hashes.clear();
  const std::vector<std::string> own = retarget::own_motion_names();
  for (const std::string& clip : v) {
    const bool is_own = std::ranges::find(own, clip) != own.end();
    std::error_code ignored;
    if (!is_own && !std::filesystem::is_regular_file(clip, ignored))
      refuse_choice_or_file("--clip", clip, own);
    s.clip_hashes.push_back(is_own ? clip : naming(clip, [&] { return document_hash(clip); }));
  }
}

Values skinning_values(const BindSettings& s) {
  return s.skinning_file.empty() ? chosen(s.skinning, skinning_choices) : Values{s.skinning_file};
}

/// A file of one rule a line; an empty path is no file. `parse` reads its text.
template <auto File, auto Hash, auto Rules, auto parse>
BindOption rule_file_option(BindOption option) {
  option.type_name = "FILE";
  option.is_path = true;
  option.apply = [](BindSettings& s, const Values& v) {
    s.*File = v.at(0);
    (s.*Hash).clear();
    (s.rules.*Rules).clear();
    if ((s.*File).empty()) return;
    HashedFile file = naming(s.*File, [&] { return read_hashed(s.*File); });
    const std::string text(file.bytes.begin(), file.bytes.end());
    s.rules.*Rules = parse(text, s.*File);
    s.*Hash = std::move(file.hash);
  };
  option.values = [](const BindSettings& s) { return one_or_none(s.*File); };
  option.content = [](const BindSettings& s) { return s.*Hash; };
  return option;
}

}  // namespace

BindOption skeleton_option() {
  return {.name = "skeleton",
          .letter = 's',
          .group = OptionGroup::skeleton,
          .everyday = true,
          .help = "Read the joints from this file (.fbx, .glb, .gltf, .bvh, .dae, ...)",
          .type_name = "FILE",
          .is_path = true,
          .apply = [](BindSettings& s, const Values& v) { s.skeleton = v.at(0); },
          .values = [](const BindSettings& s) { return one_or_none(s.skeleton); }};
}

BindOption rules_option() {
  return {.name = "rules",
          .everyday = true,
          .help =
              "Read options from this TOML file, whose keys are long option names without the "
              "dashes; options on the command line override it (docs/rules.md)",
          .type_name = "FILE",
          .is_path = true,
          .expands = true,
          .affects_output = false,
          .apply = apply_rules,
          .values = [](const BindSettings& s) { return one_or_none(s.rules_file); }};
}

BindOption rig_option() {
  return {.name = "rig",
          .group = OptionGroup::skeleton,
          .everyday = true,
          .help =
              "Skeleton for a file without joints, as 'gvbind rig' makes it: a built-in template "
              "or a file with a skeleton; a file with joints keeps its own",
          .type_name = alternatives_text(rig::builtin_template_names()) + "|FILE",
          .is_path = true,
          .words = rig::builtin_template_names(),
          .apply = apply_rig,
          .values = [](const BindSettings& s) { return one_or_none(s.rig); },
          .content = [](const BindSettings& s) { return s.rig_hash; }};
}

BindOption twist_option() {
  return {.name = "twist",
          .group = OptionGroup::skeleton,
          .help =
              "With --rig biped: twist joints along each upper arm, forearm and thigh, so that "
              "the skin does not collapse where an arm turns about itself, 0 to 8",
          .type_name = "N",
          .apply =
              [](BindSettings& s, const Values& v) {
                s.twist =
                    static_cast<int>(parse_count("--twist", v.at(0), 0, rig::max_twist_joints));
              },
          .values = [](const BindSettings& s) { return Values{std::to_string(s.twist)}; }};
}

BindOption weights_option() {
  return {.name = weight_choices.option,
          .help =
              "How weights are computed: by a network trained on artists' weights (fitted), by "
              "your own network from 'gvbind fit' (FILE), from distances alone (falloff), or by "
              "heat diffusion on the surface, as Blender's automatic weights (heat)",
          .type_name = alternatives_text(option_words(weight_choices)) + "|FILE",
          .is_path = true,
          .words = option_words(weight_choices),
          .tunable = true,
          .apply = apply_weights,
          .values = weights_values,
          .content = [](const BindSettings& s) {
            return s.network_file.empty() ? weights_values(s).at(0) : s.network_hash;
          }};
}

BindOption like_option() {
  return {.name = "like",
          .everyday = true,
          .help =
              "Weigh as in this finished character, whose skeleton is alike: fitted "
              "weights follow its artist at similar places; may be repeated",
          .type_name = "FILE",
          .repeatable = true,
          .is_path = true,
          .tunable = true,
          .apply = apply_like,
          .values = [](const BindSettings& s) { return s.like; },
          .content = [](const BindSettings& s) { return in_order(s.like_hashes); }};
}

BindOption springs_option() {
  return {
      .name = springs_choices.option,
      .help =
          "Spring bones (glTF and VRM only): for chains of joints that hang from the body "
          "(hair, skirts, tails, ears), with colliders from the body's shape (auto), or for the "
          "chains that a file names (FILE, docs/vrm.md)",
      .type_name = alternatives_text(option_words(springs_choices)) + "|FILE",
      .is_path = true,
      .words = option_words(springs_choices),
      .tunable = true,
      .apply = apply_springs,
      .values = springs_values,
      .content = [](const BindSettings& s) {
        return s.springs_file.empty() ? springs_values(s).at(0) : s.springs_hash;
      }};
}

BindOption clip_option() {
  return {.name = "clip",
          .help =
              "Put a motion on the output, as 'gvbind retarget' does: one of ours, or all clips of "
              "a file (BVH, FBX, glTF, VRM animation); may be repeated",
          .type_name = alternatives_text(retarget::own_motion_names()) + "|FILE",
          .repeatable = true,
          .is_path = true,
          .words = retarget::own_motion_names(),
          .tunable = true,
          .apply = apply_clips,
          .values = [](const BindSettings& s) { return s.clip; },
          .content = [](const BindSettings& s) { return in_order(s.clip_hashes); }};
}

BindOption skinning_option() {
  return {.name = skinning_choices.option,
          .help =
              "Skinning type of an FBX output: as in the input (keep), linear blend (linear), dual "
              "quaternion (dual), or a blend of both by a file of factors per joint (FILE)",
          .type_name = alternatives_text(option_words(skinning_choices)) + "|FILE",
          .is_path = true,
          .words = option_words(skinning_choices),
          .apply = apply_skinning,
          .values = skinning_values,
          .content = [](const BindSettings& s) {
            return s.skinning_file.empty() ? skinning_values(s).at(0) : s.skinning_hash;
          }};
}

BindOption edits_option() {
  return rule_file_option<&BindSettings::edits_file, &BindSettings::edits_hash, &RuleSet::edits,
                          parse_edits>({.name = "edits",
                                        .help = "Edit the solid: a file of primitives to add, cut "
                                                "or seal, one per line (docs/rules.md)"});
}

BindOption influences_option() {
  return rule_file_option<&BindSettings::influences_file, &BindSettings::influences_hash,
                          &RuleSet::influences, parse_influences>(
      {.name = "influences",
       .help = "Points and volumes where joints start in addition to their bones, and regions and "
               "components assigned to joints: a file, one rule per line (docs/rules.md)",
       .tunable = true});
}

BindOption asset_root_option() {
  return {.name = "asset-root",
          .group = OptionGroup::running,
          .help =
              "Also read files that an input refers to (buffers, images, materials) from this "
              "folder, not only from its own",
          .default_in_batch = "the folder given, or the manifest's",
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
          .values = [](const BindSettings& s) { return one_or_none(s.asset_root); }};
}

}  // namespace gvbind
