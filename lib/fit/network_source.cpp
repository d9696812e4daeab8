#include "fit/network_source.h"

#include <cmath>

#include "gvbind/error.h"

namespace gvbind::fit {

namespace {

constexpr std::size_t line_width = 118;
constexpr std::size_t comment_width = 100;

/// Words in lines of at most `width`, each starting with `prefix`.
std::string wrapped(const std::string& words, const std::string& prefix, std::size_t width) {
  std::string text, line;
  for (std::size_t begin = 0; begin < words.size();) {
    std::size_t end = words.find(' ', begin);
    if (end == words.npos) end = words.size();
    const std::string word = words.substr(begin, end - begin);
    if (!line.empty() && prefix.size() + line.size() + 1 + word.size() > width) {
      text += prefix + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return line.empty() ? text : text + prefix + line + "\n";
}

std::string steps_text(const FittedNetworks& fitted) {
  std::string text, line;
  for (const PairNetwork& network : fitted.networks)
    for (const std::span<const float> part : parts_of(network))
      for (const float number : part) {
        const float steps = number / network_step;
        if (steps != std::nearbyint(steps) || std::abs(number) > max_network_number)
          throw Error(ErrorKind::internal, "a number of the network is no multiple of its step");
        const std::string item = std::to_string(static_cast<int>(steps)) + ",";
        if (line.size() + item.size() > line_width) {
          text += line + "\n";
          line.clear();
        }
        line += item;
      }
  return text + line + "\n";
}

}  // namespace

std::string network_source(const FittedNetworks& fitted, const std::vector<std::string>& notes) {
  const PairNetwork& network = fitted.networks.front();
  std::string text = "// Made by 'gvbind fit --source'; do not edit.\n//\n";
  for (const std::string& note : notes) text += wrapped(note, "// ", comment_width);
  text += "//\n// Tested by tests/unit/gvbind/pair_network_test.cpp.\n\n";
  text += "#include \"gvbind/fitted/default_network.h\"\n\nnamespace gvbind {\n\nnamespace {\n\n";
  text += "constexpr std::size_t fitted_features = " + std::to_string(network.features) +
          ", fitted_hidden = " + std::to_string(network.hidden) +
          ", fitted_networks = " + std::to_string(fitted.networks.size()) + ";\n";
  text += "static_assert(pair_feature_version == " + std::to_string(pair_feature_version) +
          ", \"fitted on other features: fit again\");\n\n";
  text +=
      "// Multiples of network_step, of each network in the order of parts_of().\n// clang-format "
      "off\n";
  text += "constexpr int fitted_steps[] = {\n" + steps_text(fitted) + "};\n// clang-format on\n\n";
  text += "}  // namespace\n\nconst FittedNetworks& default_networks() {\n";
  text +=
      "  static const FittedNetworks networks =\n"
      "      networks_of_steps(fitted_features, fitted_hidden, fitted_networks, fitted_steps);\n";
  text += "  return networks;\n}\n\n}  // namespace gvbind\n";
  return text;
}

}  // namespace gvbind::fit
