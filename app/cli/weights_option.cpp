#include "cli/weights_option.h"

#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/choice_list.h"
#include "common/content_hash.h"
#include "formats/document.h"
#include "gvbind/error.h"
#include "gvbind/fitted/network_file.h"
#include "gvbind/fitted/pair_features.h"
#include "io/file_io.h"

namespace gvbind {

namespace {

using Values = OptionValues;

constexpr ChoiceList<WeightRule, 3> weight_choices{"weights",
                                                   {{{"fitted", WeightRule::fitted},
                                                     {"falloff", WeightRule::falloff},
                                                     {"heat", WeightRule::heat}}}};

/// A file of weights, read.
struct NetworkInput {
  std::shared_ptr<const PairNetwork> network;
  std::string hash;  ///< of the file's content
};

NetworkInput read_network(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    refuse_choice_or_file("--weights", path, option_words(weight_choices));
  return naming(path, [&] {
    const std::vector<std::uint8_t> bytes = read_file(path);
    NetworkFile file = decode_network(bytes, pair_feature_count);
    return NetworkInput{std::make_shared<PairNetwork>(std::move(file.network)),
                        content_of(bytes).hash};
  });
}

void take_weights(BindSettings& s, const std::string& text) {
  s.network_file.clear();
  s.network_hash.clear();
  s.options.network = nullptr;
  for (const auto& choice : weight_choices.choices)
    if (text == choice.name) {
      s.options.weights = choice.value;
      return;
    }
  NetworkInput input = read_network(text);
  s.options.weights = WeightRule::fitted;
  s.options.network = std::move(input.network);
  s.network_file = text;
  s.network_hash = std::move(input.hash);
}

}  // namespace

BindOption weights_option() {
  return {
      .name = "weights",
      .help =
          "How much each joint owns: by a network fitted on weights of artists (fitted), by "
          "one of your own that 'gvbind fit' has made (FILE), by the distances alone (falloff), "
          "or by heat in equilibrium on the surface, as other tools' automatic weights (heat) "
          "[fitted]",
      .type_name = names_of(weight_choices) + "|FILE",
      .is_path = true,
      .words = option_words(weight_choices),
      .tunable = true,
      .apply = [](BindSettings& s, const Values& v) { take_weights(s, v.at(0)); },
      .values =
          [](const BindSettings& s) {
            return s.network_file.empty() ? chosen(s.options.weights, weight_choices)
                                          : Values{s.network_file};
          },
      .content =
          [](const BindSettings& s) {
            return s.network_file.empty() ? chosen(s.options.weights, weight_choices).at(0)
                                          : s.network_hash;
          }};
}

}  // namespace gvbind
