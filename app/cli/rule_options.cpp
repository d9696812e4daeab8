#include "cli/rule_options.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "bind/rule_lines.h"
#include "cli/choice_list.h"
#include "common/content_hash.h"
#include "formats/document.h"
#include "io/file_io.h"

namespace gvbind {

namespace {

using Values = OptionValues;

struct RuleText {
  std::string text, hash;
};

RuleText read_rule_file(const std::string& path) {
  return naming(path, [&] {
    const std::vector<std::uint8_t> bytes = read_file(path);
    return RuleText{{bytes.begin(), bytes.end()}, content_of(bytes).hash};
  });
}

/// An option that names a file of rules. An empty value is no file.
BindOption rule_file_option(const char* name, const char* help, bool tunable,
                            void (*apply)(BindSettings&, const Values&),
                            Values (*values)(const BindSettings&),
                            std::string (*content)(const BindSettings&)) {
  return {.name = name,
          .help = help,
          .type_name = "FILE",
          .is_path = true,
          .tunable = tunable,
          .apply = apply,
          .values = values,
          .content = content};
}

Values one_or_none(const std::string& text) { return text.empty() ? Values{} : Values{text}; }

void take_edits(BindSettings& s, const Values& v) {
  s.edits_file = v.at(0);
  s.edits_hash.clear();
  s.rules.edits.clear();
  if (s.edits_file.empty()) return;
  RuleText read = read_rule_file(s.edits_file);
  s.rules.edits = parse_edits(read.text, s.edits_file);
  s.edits_hash = std::move(read.hash);
}

void take_influences(BindSettings& s, const Values& v) {
  s.influences_file = v.at(0);
  s.influences_hash.clear();
  s.rules.influences.clear();
  if (s.influences_file.empty()) return;
  RuleText read = read_rule_file(s.influences_file);
  s.rules.influences = parse_influences(read.text, s.influences_file);
  s.influences_hash = std::move(read.hash);
}

BindOption forbid_option() {
  return {.name = "forbid",
          .help =
              "Joints of the one glob get no weight where a joint of the other owns most, nor the "
              "other way round; may be repeated",
          .type_name = "GLOB:GLOB",
          .repeatable = true,
          .tunable = true,
          .apply =
              [](BindSettings& s, const Values& v) {
                s.rules.forbid.clear();
                for (const std::string& text : v) s.rules.forbid.push_back(parse_forbid(text));
                s.forbid = v;
              },
          .values = [](const BindSettings& s) { return s.forbid; }};
}

BindOption give_option() {
  return {.name = "give",
          .help =
              "Give the meshes, or what has the materials, of these names to one joint outright "
              "(mesh:Sword*=Hand_R); they take no part in the solid; may be repeated",
          .type_name = "mesh|material:GLOB=JOINT",
          .repeatable = true,
          .apply =
              [](BindSettings& s, const Values& v) {
                s.rules.give.clear();
                for (const std::string& text : v) s.rules.give.push_back(parse_give(text));
                s.give = v;
              },
          .values = [](const BindSettings& s) { return s.give; },
          // Their order counts: of two rules for the same vertices the later one holds.
          .content = [](const BindSettings& s) { return in_order(s.give); }};
}

constexpr ChoiceList<Mirror, 5> mirrors{"mirror-axis",
                                        {{{"auto", Mirror::automatic},
                                          {"off", Mirror::off},
                                          {"x", Mirror::x},
                                          {"y", Mirror::y},
                                          {"z", Mirror::z}}}};

BindOption lock_option() {
  return {.name = "lock",
          .help =
              "Joints and meshes with these names (joint:GLOB, mesh:GLOB for one kind alone) keep "
              "the weights that they have, and the rest is bound around them; may be repeated",
          .type_name = "GLOB",
          .repeatable = true,
          .apply =
              [](BindSettings& s, const Values& v) {
                s.rules.locks.clear();
                for (const std::string& text : v) s.rules.locks.push_back(parse_lock(text));
                s.lock = v;
              },
          .values = [](const BindSettings& s) { return s.lock; }};
}

BindOption mirror_option() {
  return {
      .name = mirrors.option,
      .old_names = {"mirror"},
      .help =
          "Make weights equal on both sides of a plane across this axis, where mesh and "
          "skeleton are nearly so; auto: of the most symmetric one [off]",
      .type_name = names_of(mirrors),
      .tunable = true,
      .apply = [](BindSettings& s, const Values& v) { s.rules.mirror = choose(v.at(0), mirrors); },
      .values = [](const BindSettings& s) { return chosen(s.rules.mirror, mirrors); }};
}

}  // namespace

std::vector<BindOption> rule_options() {
  return {rule_file_option(
              "edits",
              "Change the solid: a file of primitives to add, cut or seal, one a line "
              "(docs/rules.md)",
              false, take_edits, [](const BindSettings& s) { return one_or_none(s.edits_file); },
              [](const BindSettings& s) { return s.edits_hash; }),
          rule_file_option(
              "influences",
              "Points and volumes where joints begin beside their bones, and regions and parts "
              "that belong to given joints: a file, one rule a line (docs/rules.md)",
              true, take_influences,
              [](const BindSettings& s) { return one_or_none(s.influences_file); },
              [](const BindSettings& s) { return s.influences_hash; }),
          forbid_option(),
          give_option(),
          lock_option(),
          mirror_option()};
}

}  // namespace gvbind
