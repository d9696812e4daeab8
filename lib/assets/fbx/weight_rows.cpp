#include "assets/fbx/weight_rows.h"

#include <algorithm>
#include <span>

#include "gvbind/base/parallel.h"

namespace gvbind {
namespace {

constexpr std::size_t grain = 8192;  // vertices that are worth a thread's attention

struct Entry {
  std::uint32_t joint;
  double weight;
};

/// Entries of all clusters by vertex, in the clusters' order: those of v are first[v] ..
/// first[v + 1].
struct EntriesByVertex {
  std::vector<std::size_t> first;
  std::vector<Entry> entries;
};

EntriesByVertex entries_by_vertex(const FbxSkin& skin,
                                  const std::unordered_map<std::int64_t, int>& joint_of,
                                  std::size_t vertex_count) {
  EntriesByVertex out;
  std::vector<std::size_t> next(vertex_count + 1, 0);
  for (const FbxCluster& cluster : skin.clusters)
    for (const std::int32_t v : cluster.vertices) ++next[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 0; v < vertex_count; ++v) next[v + 1] += next[v];
  out.first = next;
  out.entries.resize(next.back());
  for (const FbxCluster& cluster : skin.clusters) {
    const auto joint = static_cast<std::uint32_t>(joint_of.at(cluster.joint));
    for (std::size_t i = 0; i < cluster.vertices.size(); ++i)
      out.entries[next[static_cast<std::size_t>(cluster.vertices[i])]++] = {joint,
                                                                            cluster.weights[i]};
  }
  return out;
}

/// Sums and sorts a row in place; how many entries are left.
std::size_t settle(std::span<Entry> row) {
  constexpr std::size_t few = 64;
  const bool sorted = row.size() > few;
  if (sorted) std::ranges::stable_sort(row, {}, &Entry::joint);
  std::size_t kept = 0;
  for (const Entry entry : row) {
    const auto end = row.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto from = sorted && kept > 0 ? end - 1 : row.begin();
    const auto same =
        std::find_if(from, end, [&](const Entry& e) { return e.joint == entry.joint; });
    if (same != end)
      same->weight += entry.weight;
    else
      row[kept++] = entry;
  }
  const auto end = row.begin() + static_cast<std::ptrdiff_t>(kept);
  std::sort(row.begin(), end, [](const Entry& a, const Entry& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  while (kept > 0 && !(static_cast<float>(row[kept - 1].weight) > 0.0f)) --kept;
  return kept;
}

}  // namespace

SkinWeights weight_rows(const FbxSkin& skin, const std::unordered_map<std::int64_t, int>& joint_of,
                        std::size_t vertex_count) {
  EntriesByVertex by_vertex = entries_by_vertex(skin, joint_of, vertex_count);
  SkinWeights out;
  out.first.resize(vertex_count + 1);
  parallel_for(vertex_count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::size_t first = by_vertex.first[v], size = by_vertex.first[v + 1] - first;
      out.first[v + 1] =
          static_cast<std::uint32_t>(settle(std::span(by_vertex.entries).subspan(first, size)));
    }
  });
  for (std::size_t v = 0; v < vertex_count; ++v) out.first[v + 1] += out.first[v];
  out.influence.resize(out.first.back());
  out.weight.resize(out.first.back());
  parallel_for(vertex_count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      for (std::uint32_t k = out.first[v]; k < out.first[v + 1]; ++k) {
        const Entry& entry = by_vertex.entries[by_vertex.first[v] + k - out.first[v]];
        out.influence[k] = entry.joint;
        out.weight[k] = static_cast<float>(entry.weight);
      }
  });
  return out;
}

}  // namespace gvbind
