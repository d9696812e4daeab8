#include "assets/import/collada_nodes.h"

#include <optional>

namespace gvbind {
namespace {

bool is_xml_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// `tag` is what stands between < and >. Values with entities are left to Assimp's ids.
std::optional<std::string> attribute(std::string_view tag, std::string_view key) {
  for (std::size_t at = tag.find(key); at != std::string_view::npos; at = tag.find(key, at + 1)) {
    std::size_t next = at + key.size();
    while (next < tag.size() && is_xml_blank(tag[next])) ++next;
    if (at == 0 || !is_xml_blank(tag[at - 1]) || next >= tag.size() || tag[next] != '=') continue;
    ++next;
    while (next < tag.size() && is_xml_blank(tag[next])) ++next;
    if (next >= tag.size() || (tag[next] != '"' && tag[next] != '\'')) continue;
    const std::size_t end = tag.find(tag[next], next + 1);
    if (end == std::string_view::npos) continue;
    const std::string_view value = tag.substr(next + 1, end - next - 1);
    if (value.empty() || value.find('&') != std::string_view::npos) return std::nullopt;
    return std::string(value);
  }
  return std::nullopt;
}

}  // namespace

std::unordered_map<std::string, ColladaNode> collada_nodes(std::string_view text) {
  std::unordered_map<std::string, ColladaNode> nodes;
  constexpr std::string_view opening = "<node";
  for (std::size_t at = text.find(opening); at != std::string_view::npos;
       at = text.find(opening, at + 1)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string_view::npos) break;
    const std::string_view tag = text.substr(at + opening.size(), end - at - opening.size());
    if (tag.empty() || !is_xml_blank(tag.front())) continue;
    const std::optional<std::string> name = attribute(tag, "name"), sid = attribute(tag, "sid");
    std::optional<std::string> key = attribute(tag, "id");
    if (!key) key = sid;
    if (!key) continue;
    nodes.try_emplace(*key, ColladaNode{name.value_or(*key), attribute(tag, "type") == "JOINT"});
  }
  return nodes;
}

}  // namespace gvbind
