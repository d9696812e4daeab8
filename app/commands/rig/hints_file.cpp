#include "commands/rig/hints_file.h"

#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "formats/document.h"
#include "gvbind/error.h"
#include "io/file_io.h"

namespace gvbind {

namespace {

bool read_number(const std::string& text, double& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

JointHint hint_of(const std::vector<std::string>& words, const std::string& where) {
  JointHint hint;
  bool sound = words.size() >= 4;
  int percentages = 0;
  for (std::size_t i = 0; i < 3 && sound; ++i) {
    std::string text = words[words.size() - 3 + i];
    const bool is_share = text.ends_with('%');
    if (is_share) text.pop_back();
    double value = 0.0;
    sound = read_number(text, value);
    hint.position[static_cast<int>(i)] = is_share ? value / 100.0 : value;
    percentages += is_share;
  }
  if (!sound || percentages % 3 != 0)
    throw Error(ErrorKind::input,
                where + "is not the name of a joint and three numbers, or three percentages");
  hint.of_box = percentages == 3;
  for (std::size_t i = 0; i + 3 < words.size(); ++i) hint.name += (i ? " " : "") + words[i];
  return hint;
}

}  // namespace

std::vector<JointHint> read_hints(const std::filesystem::path& file) {
  const std::vector<std::uint8_t> bytes = naming(file, [&] { return read_file(file); });
  std::istringstream text(std::string(bytes.begin(), bytes.end()));
  std::vector<JointHint> hints;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    std::istringstream rest(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    if (words.empty()) continue;
    hints.push_back(hint_of(words, file.string() + ": line " + std::to_string(number) + " "));
  }
  return hints;
}

}  // namespace gvbind
