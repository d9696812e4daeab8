#include "cli/falloff_options.h"

#include "cli/choice_list.h"
#include "cli/option_values.h"
#include "gvbind/base/utf8.h"
#include "gvbind/bind_options.h"

namespace gvbind {

namespace {

constexpr ChoiceList<FalloffRule, 2> falloff_rules{
    "falloff", {{{"paper", FalloffRule::paper}, {"inverse-square", FalloffRule::note, "note"}}}};

BindOption falloff_option() {
  return {
      .name = falloff_rules.option,
      .help =
          "How weights fall with distance d: as powers (paper), or as the smoother "
          "1/((1-a)d + a d^2)^2 of sides of the box (inverse-square) [paper]",
      .type_name = names_of(falloff_rules),
      .old_values = renamed_values(falloff_rules),
      .tunable = true,
      .apply = [](BindSettings& s,
                  const OptionValues& v) { s.options.falloff = choose(v.at(0), falloff_rules); },
      .values = [](const BindSettings& s) { return chosen(s.options.falloff, falloff_rules); }};
}

constexpr ChoiceList<LimitRule, 2> limit_rules{
    "limit", {{{"cut", LimitRule::cut}, {"smooth", LimitRule::smooth}}}};

BindOption limit_option() {
  return {.name = limit_rules.option,
          .help =
              "A joint that is one too many for a vertex is cut off (cut), or all weights are less "
              "by its own, so that nothing jumps where it leaves (smooth) [cut]",
          .type_name = names_of(limit_rules),
          .tunable = true,
          .apply = [](BindSettings& s,
                      const OptionValues& v) { s.options.limit = choose(v.at(0), limit_rules); },
          .values = [](const BindSettings& s) { return chosen(s.options.limit, limit_rules); }};
}

BindOption alpha_joint_option() {
  return {.name = "alpha-joint",
          .help =
              "--alpha of the joints with these names (Tail*=0.9): how tight they hold beside "
              "others; the last that matches a joint counts; may be repeated",
          .type_name = "GLOB=A",
          .repeatable = true,
          .tunable = true,
          .apply =
              [](BindSettings& s, const OptionValues& v) {
                s.rules.alphas.clear();
                for (const std::string& text : v) s.rules.alphas.push_back(parse_alpha_joint(text));
                s.alpha_joint = v;
              },
          .values = [](const BindSettings& s) { return s.alpha_joint; },
          .content = [](const BindSettings& s) { return in_order(s.alpha_joint); }};
}

BindOption prune_option() {
  return {.name = "prune",
          .help =
              "Leave out weights below this, and scale the others of the vertex to sum to one; "
              "the largest stays [0]",
          .type_name = "0..1",
          .tunable = true,
          .apply =
              [](BindSettings& s, const OptionValues& v) {
                s.options.prune = parse_number("--prune", v.at(0), 0.0, 1.0);
              },
          .values = [](const BindSettings& s) { return OptionValues{exact(s.options.prune)}; }};
}

}  // namespace

std::vector<BindOption> falloff_options() {
  return {falloff_option(), limit_option(), alpha_joint_option(), prune_option()};
}

}  // namespace gvbind
