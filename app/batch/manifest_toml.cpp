// Tested by tests/batch/manifest_test.cpp.

#include <toml++/toml.h>

#include <algorithm>

#include "assets/number_text.h"
#include "batch/manifest_tree.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

int line_of(const toml::source_region& source) { return static_cast<int>(source.begin.line); }

ManifestNode node_of(const toml::node& value) {
  ManifestNode node;
  node.line = line_of(value.source());
  if (const toml::table* table = value.as_table()) {
    node.kind = ManifestNode::Kind::table;
    for (const auto& [key, member] : *table) {
      ManifestNode child = node_of(member);
      child.key = std::string(key.str());
      child.line = line_of(key.source());
      node.children.push_back(std::move(child));
    }
    // The library keeps keys by name; whoever reads a message goes by the line.
    std::ranges::stable_sort(node.children, {}, &ManifestNode::line);
  } else if (const toml::array* list = value.as_array()) {
    node.kind = ManifestNode::Kind::list;
    for (const toml::node& item : *list) node.children.push_back(node_of(item));
  } else if (const auto text = value.as_string()) {
    node.kind = ManifestNode::Kind::text;
    node.text = text->get();
  } else if (const auto integer = value.as_integer()) {
    node.kind = ManifestNode::Kind::number;
    node.text = std::to_string(integer->get());
  } else if (const auto real = value.as_floating_point()) {
    node.kind = ManifestNode::Kind::number;
    node.text = exact(real->get());
  } else if (const auto boolean = value.as_boolean()) {
    node.kind = ManifestNode::Kind::boolean;
    node.text = boolean->get() ? "true" : "false";
  }
  return node;
}

}  // namespace

ManifestNode parse_toml(std::string_view content, const std::string& name) {
  try {
    return node_of(toml::parse(content));
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    std::ranges::replace(what, '\n', ' ');
    throw Error(ErrorKind::usage,
                name + ":" + std::to_string(line_of(error.source())) + ": " + what);
  }
}

}  // namespace gvbind
