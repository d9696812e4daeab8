#include "cli/target_option.h"

#include <string>

#include "cli/choice_list.h"
#include "cli/option_values.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

constexpr ChoiceList<Target, 8> target_choices{"engine",
                                               {{{"babylon", Target::babylon},
                                                 {"godot", Target::godot},
                                                 {"mobile", Target::mobile},
                                                 {"none", Target::none},
                                                 {"three", Target::three},
                                                 {"unity", Target::unity},
                                                 {"unreal", Target::unreal},
                                                 {"vrm", Target::vrm}}}};

}  // namespace

BindOption target_option() {
  return {.name = target_choices.option,
          .old_names = {"target"},
          .help =
              "What is to read the output: as many joints per vertex as it does, weights as it "
              "stores them, and a warning for meshes of more joints than it takes [none]",
          .type_name = names_of(target_choices),
          .tunable = true,
          .apply = [](BindSettings& s,
                      const OptionValues& v) { s.target = choose(v.at(0), target_choices); },
          .values = [](const BindSettings& s) { return chosen(s.target, target_choices); }};
}

BindOption max_influences_option() {
  return {.name = "max-influences",
          .letter = 'n',
          .help = "Maximum joints per vertex; auto: 4, or the number that --engine reads [auto]",
          .type_name = "N|all|auto",
          .tunable = true,
          .apply =
              [](BindSettings& s, const OptionValues& v) {
                s.auto_influences = v.at(0) == "auto";
                s.options.max_influences = s.auto_influences ? BindOptions{}.max_influences
                                                             : parse_max_influences(v.at(0));
              },
          .values =
              [](const BindSettings& s) {
                const int count = s.options.max_influences;
                if (s.auto_influences && s.target != Target::none) return OptionValues{"auto"};
                return OptionValues{count == 0 ? "all" : std::to_string(count)};
              }};
}

int influences_of(const BindSettings& settings) {
  const int given = settings.options.max_influences;
  const TargetLimits limits = target_limits(settings.target);
  if (limits.influences == 0) return given;
  if (settings.auto_influences || given == 0) return limits.influences;
  if (given > limits.influences)
    throw Error(ErrorKind::usage, "--max-influences: " + std::to_string(given) +
                                      " are more than the " + std::to_string(limits.influences) +
                                      " per vertex that --engine " + limits.name + " reads");
  return given;
}

}  // namespace gvbind
