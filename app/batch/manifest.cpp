#include "batch/manifest.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "assets/file_io.h"
#include "batch/manifest_tree.h"
#include "cli/option_values.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;
using Kind = ManifestNode::Kind;

bool is_run_flag(const std::string& key) {
  return std::ranges::find(run_flag_names(), key) != run_flag_names().end();
}

class Reader {
 public:
  explicit Reader(const fs::path& path) : name_(path.string()), directory_(path.parent_path()) {
    manifest_.path = path;
  }

  Manifest read(const ManifestNode& root) {
    if (root.kind != Kind::table) refuse(root, "a manifest is a table");
    refuse_zeros(root);
    for (const ManifestNode& node : root.children) {
      if (node.key == "output")
        manifest_.output = joined(text_of(node));
      else if (node.key == "inputs")
        for (const std::string& input : texts_of(node))
          manifest_.inputs.push_back({joined(input), node.line});
      else if (node.key == "defaults")
        manifest_.defaults = settings_of(table(node), "defaults", {});
      else if (node.key == "rule")
        for (const ManifestNode& rule : tables_of(node)) manifest_.rules.push_back(rule_of(rule));
      else if (node.key == "asset")
        for (const ManifestNode& asset : tables_of(node))
          manifest_.assets.push_back(asset_of(asset));
      else
        refuse_key(node, "a manifest", {"output", "inputs", "defaults", "rule", "asset"});
    }
    return std::move(manifest_);
  }

 private:
  [[noreturn]] void refuse(const ManifestNode& node, const std::string& message) const {
    throw Error(ErrorKind::usage, manifest_location(name_, node.line) + ": " + one_line(message));
  }

  [[noreturn]] void refuse_kind(const ManifestNode& node, const std::string& wanted) const {
    refuse(node, (node.key.empty() ? "" : "'" + node.key + "' ") + "takes " + wanted + ", not " +
                     kind_name(node.kind));
  }

  /// The system would take what stands before a zero byte for the whole path.
  void refuse_zeros(const ManifestNode& node) const {
    if (node.text.find('\0') != std::string::npos) refuse(node, "a string holds a zero byte");
    for (const ManifestNode& child : node.children) refuse_zeros(child);
  }

  /// For a key that has no place where it stands.
  [[noreturn]] void refuse_key(const ManifestNode& node, const std::string& where,
                               std::vector<std::string> known) const {
    if (is_run_flag(node.key))
      refuse(node, "'" + node.key + "' concerns the whole run; give it on the command line, as --" +
                       node.key);
    const bool top = where == "a manifest";
    if (top && find_bind_option(node.key))
      refuse(node, "'" + node.key + "' belongs in [defaults], a [[rule]] or an [[asset]]");
    if (!top)
      for (const BindOption& option : bind_options()) known.push_back(option.name);
    refuse(node, "unknown key '" + node.key + "' in " + where + nearest_name_hint(node.key, known));
  }

  const ManifestNode& table(const ManifestNode& node) const {
    if (node.kind != Kind::table) refuse_kind(node, "a table");
    return node;
  }

  const std::vector<ManifestNode>& tables_of(const ManifestNode& node) const {
    if (node.kind != Kind::list) refuse_kind(node, "a list of tables: [[" + node.key + "]]");
    for (const ManifestNode& item : node.children)
      if (item.kind != Kind::table)
        refuse(item, "'" + node.key + "' takes tables, not " + kind_name(item.kind));
    return node.children;
  }

  std::string text_of(const ManifestNode& node) const {
    if (node.kind != Kind::text) refuse_kind(node, "a string");
    if (node.text.empty()) refuse(node, "'" + node.key + "' is empty");
    return node.text;
  }

  std::vector<std::string> texts_of(const ManifestNode& node) const {
    if (node.kind == Kind::text) return {text_of(node)};
    if (node.kind != Kind::list) refuse_kind(node, "a string or a list of strings");
    std::vector<std::string> texts;
    for (const ManifestNode& item : node.children) {
      if (item.kind != Kind::text)
        refuse(item, "'" + node.key + "' takes a list of strings; one is " + kind_name(item.kind));
      texts.push_back(item.text);
    }
    return texts;
  }

  std::string joined(const std::string& path) const {
    if (path.empty()) return path;
    std::string_view rest = path;
    while (rest.starts_with("./")) rest.remove_prefix(2);
    if ((rest.empty() || rest == ".") && !directory_.empty()) return directory_.string();
    return (directory_ / rest).string();
  }

  static bool is_word(const BindOption& option, const std::string& text) {
    return std::ranges::find(option.words, text) != option.words.end();
  }

  std::vector<std::string> values_of(const ManifestNode& node, const BindOption& option) const {
    if (option.repeatable) return texts_of(node);
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

  GivenOption given_of(const ManifestNode& node, const BindOption& option,
                       const std::string& origin) const {
    GivenOption given;
    given.option = static_cast<std::size_t>(&option - bind_options().data());
    given.values = values_of(node, option);
    given.origin = manifest_location(name_, node.line) + " " + origin;
    try {
      BindSettings unused;
      option.apply(unused, given.values);
    } catch (const Error& error) {
      const std::string message = error.what();
      refuse(node, message.starts_with("--") ? message.substr(2) : message);
    }
    return given;
  }

  /// The options of a table, whose other keys are read by others.
  SettingsLayer settings_of(const ManifestNode& node, const std::string& origin,
                            const std::vector<std::string>& others) const {
    SettingsLayer layer;
    for (const ManifestNode& member : node.children) {
      if (std::ranges::find(others, member.key) != others.end()) continue;
      const BindOption* option = find_bind_option(member.key);
      if (!option)
        refuse_key(member, others.empty() ? "[defaults]" : "[[" + node_name(others) + "]]", others);
      layer.push_back(given_of(member, *option, origin));
    }
    return layer;
  }

  static std::string node_name(const std::vector<std::string>& others) {
    return others.front() == "match" ? "rule" : "asset";
  }

  ManifestRule rule_of(const ManifestNode& node) const {
    ManifestRule rule;
    for (const ManifestNode& member : node.children) {
      if (member.key != "match") continue;
      rule.match = text_of(member);
      rule.line = member.line;
    }
    if (rule.match.empty()) refuse(node, "a [[rule]] needs 'match', a glob for inputs");
    rule.settings = settings_of(node, "rule '" + rule.match + "'", {"match"});
    return rule;
  }

  ManifestAsset asset_of(const ManifestNode& node) const {
    ManifestAsset asset;
    asset.line = node.line;
    for (const ManifestNode& member : node.children) {
      if (member.key == "input") asset.input = joined(text_of(member));
      if (member.key == "output") asset.output = text_of(member);
      if (member.key == "name") asset.name = text_of(member);
    }
    if (asset.input.empty()) refuse(node, "an [[asset]] needs 'input'");
    asset.settings = settings_of(node, "asset", {"input", "output", "name"});
    return asset;
  }

  std::string name_;
  fs::path directory_;
  Manifest manifest_;
};

std::string text_of_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    throw Error(ErrorKind::input,
                path.string() + (fs::exists(path, error) ? ": is not a file" : ": no such file"));
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw Error(ErrorKind::input, path.string() + ": cannot be read");
  return content;
}

}  // namespace

const char* kind_name(ManifestNode::Kind kind) {
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

bool is_manifest_name(const fs::path& path) {
  const std::string extension = lower_extension(path);
  return extension == "toml" || extension == "json";
}

std::string manifest_location(const fs::path& path, int line) {
  return path.string() + ":" + std::to_string(line);
}

Manifest read_manifest(const fs::path& path) {
  const std::string content = text_of_file(path);
  const ManifestNode root = lower_extension(path) == "json" ? parse_json(content, path.string())
                                                            : parse_toml(content, path.string());
  return Reader(path).read(root);
}

}  // namespace gvbind
