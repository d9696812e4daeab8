#include "cli/rules_file.h"

#include <algorithm>

#include "cli/config_file.h"

namespace gvbind {

namespace {

bool may_stand_in_rules(const BindOption& option) {
  return option.group != OptionGroup::running && !option.expands;
}

}  // namespace

std::vector<RulesEntry> read_rules(const std::string& path) {
  if (path.empty()) return {};
  const ConfigNode root = read_config(path);
  const ConfigFile file(path);
  file.refuse_zeros(root);
  std::vector<std::string> known;
  for (const BindOption& option : bind_options())
    if (may_stand_in_rules(option)) known.push_back(option.name);
  if (root.kind != ConfigNode::Kind::table) file.refuse(root, "a file of rules is a table");
  std::vector<RulesEntry> entries;
  for (const ConfigNode& node : root.children) {
    const BindOption* option = file.option_of(node, root);
    if (!option) file.refuse_key(node, "a file of rules", known);
    if (!may_stand_in_rules(*option))
      file.refuse(node, "'" + node.key + "' is no rule; give it on the command line, as --" +
                            node.key + ", or in a manifest");
    entries.push_back({option, file.option_values(node, *option), file.location(node)});
  }
  std::ranges::stable_sort(entries, {}, &RulesEntry::option);
  return entries;
}

}  // namespace gvbind
