#include "cli/config_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "cli/option_values.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/file_io.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;
using Kind = ConfigNode::Kind;

bool is_word(const BindOption& option, const std::string& text) {
  return std::ranges::find(option.words, text) != option.words.end();
}

std::string text_of_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    throw Error(ErrorKind::input,
                path_text(path) + (fs::exists(path, error) ? ": is not a file" : ": no such file"));
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw Error(ErrorKind::input, path_text(path) + ": cannot be read");
  return content;
}

}  // namespace

const char* kind_name(ConfigNode::Kind kind) {
  switch (kind) {
    case Kind::text:
      return "a string";
    case Kind::number:
      return "a number";
    case Kind::boolean:
      return "a boolean";
    case Kind::list:
      return "a list";
    case Kind::table:
      return "a table";
    case Kind::other:
      break;
  }
  return "a value of that kind";
}

std::string config_location(const fs::path& path, int line) {
  return path_text(path) + ":" + std::to_string(line);
}

ConfigNode read_config(const fs::path& path) {
  const std::string content = text_of_file(path);
  return lower_extension(path) == "json" ? parse_json(content, path_text(path))
                                         : parse_toml(content, path_text(path));
}

ConfigFile::ConfigFile(const fs::path& path)
    : name_(path_text(path)), directory_(path.parent_path()) {}

void ConfigFile::refuse(const ConfigNode& node, const std::string& message) const {
  throw Error(ErrorKind::usage, location(node) + ": " + one_line(message));
}

void ConfigFile::refuse_kind(const ConfigNode& node, const std::string& wanted) const {
  refuse(node, (node.key.empty() ? "" : "'" + node.key + "' ") + "takes " + wanted + ", not " +
                   kind_name(node.kind));
}

void ConfigFile::refuse_key(const ConfigNode& node, const std::string& where,
                            const std::vector<std::string>& known) const {
  if (std::ranges::find(run_flag_names(), node.key) != run_flag_names().end())
    refuse(node, "'" + node.key + "' concerns the whole run; give it on the command line, as --" +
                     node.key);
  refuse(node, "unknown key '" + node.key + "' in " + where + nearest_name_hint(node.key, known));
}

void ConfigFile::refuse_zeros(const ConfigNode& node) const {
  if (node.text.find('\0') != std::string::npos) refuse(node, "a string holds a zero byte");
  for (const ConfigNode& child : node.children) refuse_zeros(child);
}

std::string ConfigFile::text_of(const ConfigNode& node) const {
  if (node.kind != Kind::text) refuse_kind(node, "a string");
  if (node.text.empty()) refuse(node, "'" + node.key + "' is empty");
  return node.text;
}

std::vector<std::string> ConfigFile::texts_of(const ConfigNode& node) const {
  if (node.kind == Kind::text) return {text_of(node)};
  if (node.kind != Kind::list) refuse_kind(node, "a string or a list of strings");
  std::vector<std::string> texts;
  for (const ConfigNode& item : node.children) {
    if (item.kind != Kind::text)
      refuse(item, "'" + node.key + "' takes a list of strings; one is " + kind_name(item.kind));
    texts.push_back(item.text);
  }
  return texts;
}

std::string ConfigFile::joined(const std::string& path) const {
  if (path.empty()) return path;
  std::string_view rest = path;
  while (rest.starts_with("./")) rest.remove_prefix(2);
  if ((rest.empty() || rest == ".") && !directory_.empty()) return path_text(directory_);
  return path_text(directory_ / rest);
}

const BindOption* ConfigFile::option_of(const ConfigNode& member, const ConfigNode& table) const {
  const BindOption* option = find_bind_option(member.key);
  if (!option || option->old_names.empty()) return option;
  for (const ConfigNode& other : table.children)
    if (other.key != member.key && find_bind_option(other.key) == option)
      refuse(member, "'" + member.key + "' and '" + other.key + "' (line " +
                         std::to_string(other.line) + ") are the same option; leave one out");
  return option;
}

std::vector<std::string> ConfigFile::written_values(const ConfigNode& node,
                                                    const BindOption& option) const {
  if (option.repeatable) {
    std::vector<std::string> texts = texts_of(node);
    if (option.is_path)
      for (std::string& text : texts)
        if (!is_word(option, text)) text = joined(text);
    return texts;
  }
  switch (node.kind) {
    case Kind::text:
      return {option.is_path && !is_word(option, node.text) ? joined(node.text) : node.text};
    case Kind::number:
      if (option.is_path) refuse_kind(node, "a string");
      return {node.text};
    case Kind::boolean:
      if (option.is_flag) return {node.text};
      if (option.type_name == "off|on") return {node.text == "true" ? "on" : "off"};
      break;
    case Kind::list:
      if (option.type_name == "LIST") {
        std::string list;
        for (const std::string& item : texts_of(node)) list += (list.empty() ? "" : ",") + item;
        return {list};
      }
      break;
    case Kind::table:
    case Kind::other:
      break;
  }
  refuse_kind(node, option.is_flag ? "true or false" : "a string or a number");
}

std::vector<std::string> ConfigFile::option_values(const ConfigNode& node,
                                                   const BindOption& option) const {
  std::vector<std::string> values = written_values(node, option);
  try {
    BindSettings unused;
    option.apply(unused, values);
  } catch (const Error& error) {
    const std::string message = error.what();
    refuse(node, message.starts_with("--") ? message.substr(2) : message);
  }
  return values;
}

std::string ConfigFile::location(const ConfigNode& node) const {
  return config_location(name_, node.line);
}

}  // namespace gvbind
