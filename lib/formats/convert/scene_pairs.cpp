#include "formats/convert/scene_pairs.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string_view>
#include <utility>

#include "gvbind/error.h"

namespace gvbind {
namespace {

/// Nodes not paired yet, by parent and name, in the file's order.
using Waiting = std::map<std::pair<int, std::string_view>, std::deque<int>>;

/// Takes a node with this name, if possible one that has a mesh exactly if `wanted` does; -1: none.
int take_named(const NodeScene& read, Waiting& waiting, int parent, const Node& wanted) {
  const auto found = waiting.find({parent, kept_name(wanted.name)});
  if (found == waiting.end() || found->second.empty()) return -1;
  std::deque<int>& nodes = found->second;
  const auto alike = std::ranges::find_if(
      nodes, [&](int node) { return (read.nodes[node].mesh >= 0) == (wanted.mesh >= 0); });
  const auto taken = alike == nodes.end() ? nodes.begin() : alike;
  const int node = *taken;
  nodes.erase(taken);
  return node;
}

/// The part with this material; for no material, the part with a material that the other mesh
/// lacks.
auto part_of(const Mesh& expected, const Mesh& read, int material) {
  const auto same = std::ranges::find(read.primitives, material, &Submesh::material);
  if (same != read.primitives.end() || material >= 0) return same;
  return std::ranges::find_if(read.primitives, [&](const Submesh& primitive) {
    return std::ranges::find(expected.primitives, primitive.material, &Submesh::material) ==
           expected.primitives.end();
  });
}

}  // namespace

std::string quoted(const std::string& name) { return "'" + name + "'"; }

std::string_view kept_name(const std::string& name) {
  return std::string_view(name).substr(0, name.find('\0'));
}

void differ(const std::string& what) {
  throw Error(ErrorKind::output, "read back differs: " + what);
}

NodePairs pair_nodes(const NodeScene& expected, const NodeScene& read) {
  Waiting waiting;
  std::vector<std::vector<int>> children(read.nodes.size() + 1);  // first those of -1, the roots
  const auto children_of = [&](int node) -> std::vector<int>& { return children[node + 1]; };
  for (std::size_t i = 0; i < read.nodes.size(); ++i) {
    waiting[{read.nodes[i].parent, kept_name(read.nodes[i].name)}].push_back(static_cast<int>(i));
    children_of(read.nodes[i].parent).push_back(static_cast<int>(i));
  }
  NodePairs out;
  std::vector<bool> taken(read.nodes.size(), false);
  for (const Node& node : expected.nodes) {
    const int parent = node.parent < 0 ? -1 : out.read_of[node.parent];
    int pair = take_named(read, waiting, parent, node);
    if (pair < 0)
      for (const int helper : children_of(parent))
        if (pair < 0 && !taken[helper]) pair = take_named(read, waiting, helper, node);
    if (pair < 0) differ("node " + quoted(node.name) + " is missing, or not below its parent");
    taken[pair] = true;
    out.read_of.push_back(pair);
  }
  for (std::size_t i = 0; i < read.nodes.size(); ++i) {
    out.helpers.push_back(std::move(children_of(static_cast<int>(i))));
    std::erase_if(out.helpers.back(), [&](int child) { return taken[child]; });
  }
  return out;
}

int holder_of(const NodeScene& read, const NodePairs& pairs, std::size_t node, int Node::*holds) {
  const int pair = pairs.read_of[node];
  if (read.nodes[pair].*holds >= 0) return pair;
  for (const int helper : pairs.helpers[pair])
    if (read.nodes[helper].*holds >= 0) return helper;
  return -1;
}

VertexPairs pair_vertices(const Mesh& expected, const Mesh& read, std::size_t most) {
  std::size_t triangles = 0;
  for (const Submesh& primitive : expected.primitives) triangles += primitive.triangles.size();
  const std::size_t step = std::max<std::size_t>(3 * triangles / std::max<std::size_t>(most, 1), 1);
  VertexPairs out;
  std::vector<bool> taken(expected.positions.size(), false);
  for (const Submesh& primitive : expected.primitives) {
    if (primitive.triangles.empty()) continue;
    const auto same = part_of(expected, read, primitive.material);
    const std::size_t there = same == read.primitives.end() ? 0 : same->triangles.size();
    if (there != primitive.triangles.size())
      differ("mesh " + quoted(expected.name) + " has " + std::to_string(there) +
             " triangles of a material, not " + std::to_string(primitive.triangles.size()));
    for (std::size_t corner = 0; corner < 3 * there; corner += step) {
      const std::uint32_t vertex = primitive.triangles[corner / 3][corner % 3];
      if (taken[vertex]) continue;
      taken[vertex] = true;
      out.expected.push_back(vertex);
      out.read.push_back(same->triangles[corner / 3][corner % 3]);
    }
  }
  return out;
}

}  // namespace gvbind
