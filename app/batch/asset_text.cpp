#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

#include "assets/foreign/text.h"
#include "batch/assets.h"

namespace gvbind {

namespace {

std::string shell_quoted(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,+:@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  quoted += "'";
  return quoted;
}

/// A path that is no option and no list, whatever it begins with.
std::string path_argument(const std::filesystem::path& path) {
  const std::string text = path.string();
  const bool odd = text.starts_with('-') || text.starts_with('[');
  return shell_quoted(odd ? std::string("./").append(text) : text);
}

std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    char escape[8] = "";
    if (c == '"' || c == '\\')
      std::snprintf(escape, sizeof escape, "\\%c", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned>(c));
    if (*escape)
      quoted += escape;
    else
      quoted += c;
  }
  quoted += "\"";
  return quoted;
}

bool is_number(const std::string& text) {
  double value = 0.0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size();
}

std::string toml_value(const BindOption& option, const std::vector<std::string>& values) {
  if (option.repeatable) {
    std::string list;
    for (const std::string& value : values)
      list.append(list.empty() ? "" : ", ").append(toml_text(value));
    return std::string("[").append(list).append("]");
  }
  const std::string value = values.empty() ? "" : values.front();
  return option.is_flag || (!option.is_path && is_number(value)) ? value : toml_text(value);
}

std::string config_line(const std::string& key, const std::string& value,
                        const std::string& origin) {
  std::string line = key + " = " + value;
  if (line.size() < 40) line.resize(40, ' ');
  return line + "  # " + one_line(origin) + "\n";
}

}  // namespace

std::string repeat_command(const BatchAsset& asset) {
  // The input comes before options that take any number of values.
  std::string command = "gvbind bind ";
  command += path_argument(asset.input);
  command += " -o ";
  command += path_argument(asset.output);
  command += " --force";
  for (const std::string& argument : option_arguments(asset.settings))
    if (argument != "--force") command.append(" ").append(shell_quoted(argument));
  return command;
}

std::string config_text(const BatchAsset& asset) {
  std::string text = "# ";
  text += one_line(asset.name);
  text += "\ninput = ";
  text += toml_text(asset.input.string());
  text += "\noutput = ";
  text += toml_text(asset.output.string());
  text += "\n";
  const auto options = bind_options();
  for (std::size_t o = 0; o < options.size(); ++o)
    text += config_line(options[o].name, toml_value(options[o], options[o].values(asset.settings)),
                        asset.origins[o]);
  const std::string command = repeat_command(asset);
  if (command.find('\n') == std::string::npos) text.append("# ").append(command).append("\n");
  return text;
}

}  // namespace gvbind
