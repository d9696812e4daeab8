// Tested by tests/command/rules_test.py.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bind_options.h"
#include "cli/command_line.h"
#include "cli/option_values.h"
#include "commands/check/check_report.h"
#include "common/console.h"
#include "report/batch_report.h"
#include "report/embedded.h"
#include "report/report_json.h"

namespace gvbind {

namespace {

// The schemas of manifests and rules are made from the table of options, so that editors complete
// keys and values.

constexpr const char* dialect = "https://json-schema.org/draft/2020-12/schema";

Json text_type() { return {{"type", "string"}}; }
Json texts_type() {
  return {{"anyOf", {text_type(), {{"type", "array"}, {"items", text_type()}}}}};
}

std::vector<std::string> alternatives(std::string_view type_name) {
  std::vector<std::string> parts;
  while (!type_name.empty()) {
    const std::size_t end = std::min(type_name.find('|'), type_name.size());
    parts.emplace_back(type_name.substr(0, end));
    type_name.remove_prefix(std::min(end + 1, type_name.size()));
  }
  return parts;
}

/// "0..1": a range of numbers.
bool is_range(const std::string& part) { return part.find("..") != part.npos; }

Json range_type(const std::string& part) {
  const std::size_t dots = part.find("..");
  return {{"type", "number"},
          {"minimum", std::stod(part.substr(0, dots))},
          {"maximum", std::stod(part.substr(dots + 2))}};
}

/// The type that the help shows, as a schema: words in lower case stand for
/// themselves, N and F for numbers, other capitals for any text.
Json choice_type(const BindOption& option) {
  Json words = Json::array(), types = Json::array();
  for (const std::string& part : alternatives(option.type_name)) {
    if (is_range(part))
      types.push_back(range_type(part));
    else if (part == "N" || part == "F")
      types.push_back({{"type", "number"}});
    else if (std::ranges::any_of(part, [](char c) { return c >= 'A' && c <= 'Z'; }))
      types.push_back(text_type());
    else
      words.push_back(part);
  }
  if (!words.empty()) types.push_back({{"enum", words}});
  Json old_words = Json::array();
  for (const RenamedValue& value : option.old_values) old_words.push_back(value.old_name);
  if (!old_words.empty()) types.push_back({{"enum", old_words}, {"deprecated", true}});
  if (words == Json{"off", "on"}) types.push_back({{"type", "boolean"}});
  return types.size() == 1 ? types[0] : Json{{"anyOf", types}};
}

Json option_type(const BindOption& option) {
  if (option.is_flag) return {{"type", "boolean"}};
  if (option.repeatable || option.type_name == "LIST") return texts_type();
  return choice_type(option);
}

template <typename Takes>
Json option_properties(bool in_batch, const Takes& takes) {
  Json properties = Json::object();
  for (const BindOption& option : bind_options()) {
    if (!takes(option)) continue;
    Json property = option_type(option);
    property["description"] = help_of(option, in_batch);
    for (const std::string& name : option.old_names) {
      properties[name] = property;
      properties[name]["description"] = "Old name of '" + option.name + "'";
      properties[name]["deprecated"] = true;
    }
    properties[option.name] = std::move(property);
  }
  return properties;
}

Json described(Json type, const char* description) {
  type["description"] = description;
  return type;
}

Json settings_table(const Json& own, const std::vector<std::string>& required) {
  Json properties = own;
  properties.update(option_properties(true, [](const BindOption&) { return true; }));
  Json table = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) table["required"] = required;
  return table;
}

std::string schema_text(const char* title, Json properties) {
  const Json schema = {{"$schema", dialect},
                       {"title", title},
                       {"type", "object"},
                       {"properties", std::move(properties)},
                       {"additionalProperties", false}};
  return schema.dump(2) + "\n";
}

/// Of a batch's manifest.
std::string manifest_schema() {
  const Json match = described(text_type(), "A glob for inputs, from the manifest's folder");
  const Json asset = {
      {"input", described(text_type(), "The file, from the manifest's folder")},
      {"output", described(text_type(), "From the output folder; a folder with / at its end")},
      {"name", described(text_type(), "In reports [from the output]")}};
  const auto list_of = [](const Json& table) { return Json{{"type", "array"}, {"items", table}}; };
  return schema_text(
      "Manifest of gvbind batch",
      {{"output", described(text_type(), "The output folder [-o of the command line]")},
       {"inputs", described(texts_type(), "Folders, files and globs in which assets are found")},
       {"defaults", settings_table(Json::object(), {})},
       {"rule", list_of(settings_table({{"match", match}}, {"match"}))},
       {"asset", list_of(settings_table(asset, {"input"}))}});
}

/// Of a file of --rules.
std::string rules_schema() {
  return schema_text("Rules of gvbind bind --rules",
                     option_properties(false, [](const BindOption& o) {
                       return o.group != OptionGroup::running && !o.expands;
                     }));
}

/// The parsed command line of `gvbind schema`.
struct SchemaCommand {
  std::string name;
};

std::map<std::string, std::function<std::string()>> schemas() {
  return {{"check", [] { return std::string(check_schema()); }},
          {"manifest", manifest_schema},
          {"report", [] { return std::string(report_schema()); }},
          {"rules", rules_schema},
          {"weights", [] { return std::string(embedded::weights_schema_json); }}};
}

/// Returns the exit code of the process.
int run_schema(const SchemaCommand& command) {
  const auto known = schemas();
  const auto found = known.find(command.name);
  if (found == known.end()) {
    std::vector<std::string> names;
    for (const auto& entry : known) names.push_back(entry.first);
    refuse_choice("schema", command.name, names);
  }
  print_verbatim(stdout, found->second());
  return 0;
}

}  // namespace

Subcommand add_schema(CLI::App& app) {
  const auto shared = std::make_shared<SchemaCommand>();
  SchemaCommand& command = *shared;
  CLI::App* schema = app.add_subcommand("schema", "Print the JSON Schema of a file of gvbind's");
  std::string names;
  for (const auto& [name, schema_of] : schemas()) names += (names.empty() ? "" : "|") + name;
  schema->add_option("NAME", command.name, "Which: " + names)->required()->type_name(names);
  return {schema, [shared] { return run_schema(*shared); }};
}

}  // namespace gvbind
