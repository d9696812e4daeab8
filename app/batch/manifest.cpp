#include "batch/manifest.h"

#include <algorithm>
#include <utility>

#include "cli/config_file.h"
#include "io/file_io.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;
using Kind = ConfigNode::Kind;

class Reader {
 public:
  explicit Reader(const fs::path& path) : file_(path) { manifest_.path = path; }

  Manifest read(const ConfigNode& root) {
    if (root.kind != Kind::table) file_.refuse(root, "a manifest is a table");
    file_.refuse_zeros(root);
    for (const ConfigNode& node : root.children) {
      if (node.key == "output")
        manifest_.output = file_.joined(file_.text_of(node));
      else if (node.key == "inputs")
        for (const std::string& input : file_.texts_of(node))
          manifest_.inputs.push_back({file_.joined(input), node.line});
      else if (node.key == "defaults")
        manifest_.defaults = settings_of(table(node), "defaults", {});
      else if (node.key == "rule")
        for (const ConfigNode& rule : tables_of(node)) manifest_.rules.push_back(rule_of(rule));
      else if (node.key == "asset")
        for (const ConfigNode& asset : tables_of(node)) manifest_.assets.push_back(asset_of(asset));
      else
        refuse_key(node, "a manifest", {"output", "inputs", "defaults", "rule", "asset"});
    }
    return std::move(manifest_);
  }

 private:
  /// For a key that has no place where it stands.
  [[noreturn]] void refuse_key(const ConfigNode& node, const std::string& where,
                               std::vector<std::string> known) const {
    const bool top = where == "a manifest";
    // [[rules]] is a slip for [[rule]], rules = "..." an option in the wrong place.
    const bool holds_tables = !node.children.empty() && node.children[0].kind == Kind::table;
    if (top && !holds_tables && find_bind_option(node.key))
      file_.refuse(node, "'" + node.key + "' belongs in [defaults], a [[rule]] or an [[asset]]");
    if (!top)
      for (const BindOption& option : bind_options()) known.push_back(option.name);
    file_.refuse_key(node, where, known);
  }

  const ConfigNode& table(const ConfigNode& node) const {
    if (node.kind != Kind::table) file_.refuse_kind(node, "a table");
    return node;
  }

  const std::vector<ConfigNode>& tables_of(const ConfigNode& node) const {
    if (node.kind != Kind::list) file_.refuse_kind(node, "a list of tables: [[" + node.key + "]]");
    for (const ConfigNode& item : node.children)
      if (item.kind != Kind::table)
        file_.refuse(item, "'" + node.key + "' takes tables, not " + kind_name(item.kind));
    return node.children;
  }

  /// The options of a table, whose other keys are read by others.
  SettingsLayer settings_of(const ConfigNode& node, const std::string& origin,
                            const std::vector<std::string>& others) const {
    SettingsLayer layer;
    for (const ConfigNode& member : node.children) {
      if (std::ranges::find(others, member.key) != others.end()) continue;
      const BindOption* option = file_.option_of(member, node);
      if (!option)
        refuse_key(member, others.empty() ? "[defaults]" : "[[" + node_name(others) + "]]", others);
      layer.push_back({static_cast<std::size_t>(option - bind_options().data()),
                       file_.option_values(member, *option),
                       file_.location(member) + " " + origin});
    }
    return layer;
  }

  static std::string node_name(const std::vector<std::string>& others) {
    return others.front() == "match" ? "rule" : "asset";
  }

  ManifestRule rule_of(const ConfigNode& node) const {
    ManifestRule rule;
    for (const ConfigNode& member : node.children) {
      if (member.key != "match") continue;
      rule.match = file_.text_of(member);
      rule.line = member.line;
    }
    if (rule.match.empty()) file_.refuse(node, "a [[rule]] needs 'match', a glob for inputs");
    rule.settings = settings_of(node, "rule '" + rule.match + "'", {"match"});
    return rule;
  }

  ManifestAsset asset_of(const ConfigNode& node) const {
    ManifestAsset asset;
    asset.line = node.line;
    for (const ConfigNode& member : node.children) {
      if (member.key == "input") asset.input = file_.joined(file_.text_of(member));
      if (member.key == "output") asset.output = file_.text_of(member);
      if (member.key == "name") asset.name = file_.text_of(member);
    }
    if (asset.input.empty()) file_.refuse(node, "an [[asset]] needs 'input'");
    asset.settings = settings_of(node, "asset", {"input", "output", "name"});
    return asset;
  }

  ConfigFile file_;
  Manifest manifest_;
};

}  // namespace

bool is_manifest_name(const fs::path& path) {
  const std::string extension = lower_extension(path);
  return extension == "toml" || extension == "json";
}

Manifest read_manifest(const fs::path& path) { return Reader(path).read(read_config(path)); }

}  // namespace gvbind
