#include <string>

#include "batch/assets.h"
#include "gvbind/base/utf8.h"
#include "repeat_command.h"
#include "report/batch_report.h"

namespace gvbind {

namespace {

/// JSON's texts are TOML's basic strings.
std::string toml_text(const std::string& text) {
  const Report json = text;
  return printable_json(json.dump(-1, ' ', false, Report::error_handler_t::replace));
}

std::string toml_value(const BindOption& option, const std::vector<std::string>& values) {
  if (option.repeatable) {
    std::string list;
    for (const std::string& value : values)
      list.append(list.empty() ? "" : ", ").append(toml_text(value));
    return std::string("[").append(list).append("]");
  }
  const std::string value = values.empty() ? "" : values.front();
  return option.is_flag || is_number_value(option, value) ? value : toml_text(value);
}

std::string config_line(const std::string& key, const std::string& value,
                        const std::string& origin) {
  std::string line = key + " = " + value;
  if (line.size() < 40) line.resize(40, ' ');
  return line + "  # " + one_line(origin) + "\n";
}

}  // namespace

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
  const std::string command = repeat_command(asset.input, asset.output, asset.settings);
  if (printable(command) == command) text.append("# ").append(command).append("\n");
  return text;
}

}  // namespace gvbind
