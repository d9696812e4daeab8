#include "cli/skinning_option.h"

#include <filesystem>
#include <system_error>

#include "cli/choice_list.h"
#include "cli/option_values.h"
#include "common/content_hash.h"
#include "io/file_io.h"

namespace gvbind {
namespace {

constexpr ChoiceList<std::optional<SkinningType>, 3> skinning_choices{
    "skinning",
    {{{"keep", std::nullopt},
      {"linear", SkinningType::linear},
      {"dual", SkinningType::dual_quaternion}}}};

void take_skinning(BindSettings& s, const std::string& text) {
  s.skinning_file.clear();
  s.skinning_hash.clear();
  for (const auto& choice : skinning_choices.choices)
    if (text == choice.name) {
      s.skinning = choice.value;
      return;
    }
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(text, ignored))
    refuse_choice_or_file("--skinning", text, option_words(skinning_choices));
  s.skinning_hash = content_of(read_file(text)).hash;
  s.skinning_file = text;
  s.skinning = SkinningType::blend;
}

OptionValues word_of(const BindSettings& s) { return chosen(s.skinning, skinning_choices); }

}  // namespace

BindOption skinning_option() {
  return {.name = "skinning",
          .help =
              "How an FBX says that its skin moves: as the file has it (keep), by blended "
              "matrices (linear), by dual quaternions (dual), or between the two, as a file of "
              "factors by joint tells (FILE) [keep]",
          .type_name = names_of(skinning_choices) + "|FILE",
          .is_path = true,
          .words = option_words(skinning_choices),
          .apply = [](BindSettings& s, const OptionValues& v) { take_skinning(s, v.at(0)); },
          .values =
              [](const BindSettings& s) {
                return s.skinning_file.empty() ? word_of(s) : OptionValues{s.skinning_file};
              },
          .content =
              [](const BindSettings& s) {
                return s.skinning_file.empty() ? word_of(s).at(0) : s.skinning_hash;
              }};
}

}  // namespace gvbind
