#include "commands/weights/weight_table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cli/option_values.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

constexpr double exact_sum = 1e-6;  // rounding error of a normalized row
constexpr double told_sum = 1e-4;   // larger than the rounding of programs that write four digits

using Entries = std::vector<std::pair<std::uint32_t, float>>;

std::map<std::string, std::size_t> index_of_names(const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < names.size(); ++i) index.emplace(names[i], i);
  return index;
}

/// Maps joints of the table to joints of the scene. Only joints used by some row must exist there.
std::vector<std::optional<std::uint32_t>> scene_joints(const Scene& scene,
                                                       const WeightTable& table) {
  const std::vector<std::string> names = joint_names(scene);
  const std::map<std::string, std::size_t> index = index_of_names(names);
  std::vector<bool> used(table.joints.size(), false);
  for (const WeightTable::Mesh& mesh : table.meshes)
    for (const std::uint32_t joint : mesh.rows.joint) used[joint] = true;
  std::vector<std::optional<std::uint32_t>> found(table.joints.size());
  std::vector<std::string> lost;
  for (std::size_t j = 0; j < found.size(); ++j) {
    const auto at = index.find(table.joints[j]);
    if (at != index.end())
      found[j] = static_cast<std::uint32_t>(at->second);
    else if (used[j])
      lost.push_back(table.joints[j]);
  }
  if (lost.empty()) return found;
  throw Error(ErrorKind::input,
              "no joint of the file is called '" + lost.front() + "'" +
                  nearest_name_hint(lost.front(), names) +
                  (lost.size() > 1
                       ? " (and " + counted(lost.size() - 1, "other", "others") + " that it lacks)"
                       : ""));
}

Entries row_entries(const SkinWeights& rows, std::size_t vertex) {
  Entries entries;
  for (const Influence& entry : rows.row(vertex)) entries.emplace_back(entry.joint, entry.weight);
  return entries;
}

/// By falling weight, then by joint, the order of SkinWeights.
void sort_entries(Entries& entries) {
  std::ranges::sort(entries, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
}

bool has_same_row(const SkinWeights& rows, std::size_t vertex, const Entries& sorted) {
  if (vertex >= rows.vertex_count() || rows.row(vertex).size() != sorted.size()) return false;
  Entries old = row_entries(rows, vertex);
  sort_entries(old);
  return old == sorted;
}

/// Builds the rows of one mesh.
class MeshRows {
 public:
  MeshRows(const SceneMesh& mesh, const WeightTable::Mesh& given,
           const std::vector<std::optional<std::uint32_t>>& joints)
      : mesh_(mesh), given_(given), joints_(joints) {
    check_count();
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) add_row(v);
    if (changed_ == 0) rows_ = {};
  }

  const SkinWeights& rows() const { return rows_; }
  bool fills() const { return changed_ > 0 && changed_ < mesh_.positions.size(); }

  void warn(std::vector<std::string>& warnings) const {
    const std::string about = "mesh '" + given_.name + "': ";
    if (off_ > 0)
      warnings.push_back(about + counted(off_, "row does", "rows do") + " not sum to one and " +
                         (off_ == 1 ? "is" : "are") + " scaled (row " + std::to_string(first_off_) +
                         " sums to " + significant(off_sum_, 4) + ")");
    if (without_ > 0)
      warnings.push_back(about + counted(without_, "vertex stays", "vertices stay") +
                         " without weights");
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorKind::input, "mesh '" + given_.name + "': " + why);
  }

  void check_count() const {
    const std::size_t rows = given_.rows.vertex_count(), vertices = mesh_.positions.size();
    if (given_.all_rows ? rows != vertices : rows > vertices)
      refuse((given_.all_rows ? "has " + counted(rows, "row", "rows")
                              : "has a row for vertex " + std::to_string(rows - 1)) +
             ", and the file's mesh has " + counted(vertices, "vertex", "vertices") +
             "; rows stand for vertices in the order in which 'gvbind weights' writes them");
  }

  Entries entries_of(std::size_t vertex) {
    Entries entries;
    if (vertex >= given_.rows.vertex_count()) return entries;
    double sum = 0.0;
    for (const Influence& entry : given_.rows.row(vertex)) {
      if (!std::isfinite(entry.weight) || entry.weight < 0)
        refuse("row " + std::to_string(vertex) + " has a weight that is negative or no number");
      if (entry.weight == 0) continue;
      entries.emplace_back(*joints_[entry.joint], entry.weight);
      sum += static_cast<double>(entry.weight);
    }
    sort_entries(entries);
    for (std::size_t i = 1; i < entries.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (entries[i].first == entries[k].first)
          refuse("row " + std::to_string(vertex) + " names a joint twice");
    if (has_same_row(mesh_.weights, vertex, entries)) return {};
    if (!entries.empty()) scale(vertex, sum, entries);
    return entries;
  }

  void scale(std::size_t vertex, double sum, Entries& entries) {
    if (std::abs(sum - 1.0) <= exact_sum) return;
    if (std::abs(sum - 1.0) > told_sum && off_++ == 0) {
      first_off_ = vertex;
      off_sum_ = sum;
    }
    for (auto& [joint, weight] : entries)
      weight = static_cast<float>(static_cast<double>(weight) / sum);
    // Drop weights that are zero once rounded to float.
    std::erase_if(entries, [](const auto& entry) { return entry.second == 0; });
  }

  void add_row(std::size_t vertex) {
    const Entries entries = entries_of(vertex);
    const bool has_old =
        vertex < mesh_.weights.vertex_count() && !mesh_.weights.row(vertex).empty();
    if (entries.empty() && mesh_.weights.empty())
      refuse("row " + std::to_string(vertex) +
             " has no weight, and the file's mesh has no skin whose weights it could keep");
    changed_ += !entries.empty();
    without_ += entries.empty() && !has_old;
    for (const auto& [joint, weight] : entries) {
      rows_.joint.push_back(joint);
      rows_.weight.push_back(weight);
    }
    rows_.first.push_back(static_cast<std::uint32_t>(rows_.joint.size()));
  }

  const SceneMesh& mesh_;
  const WeightTable::Mesh& given_;
  const std::vector<std::optional<std::uint32_t>>& joints_;
  SkinWeights rows_;
  std::size_t changed_ = 0, without_ = 0, off_ = 0, first_off_ = 0;
  double off_sum_ = 1.0;
};

}  // namespace

std::vector<std::string> unique_names(const std::vector<std::string>& names) {
  std::set<std::string> taken(names.begin(), names.end()), given;
  std::vector<std::string> unique;
  for (const std::string& name : names) {
    std::string own = name;
    // Original names win over generated ones, even if they look like "Arm#2".
    for (int n = 2; !given.insert(own).second; ++n) {
      own = name + "#" + std::to_string(n);
      while (taken.contains(own)) own = name + "#" + std::to_string(++n);
    }
    unique.push_back(own);
  }
  return unique;
}

std::vector<std::string> mesh_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const SceneMesh& mesh : scene.meshes) names.push_back(mesh.name);
  return unique_names(names);
}

std::vector<std::string> joint_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const SceneJoint& joint : scene.joints) names.push_back(joint.name);
  return unique_names(names);
}

WeightTable table_of(const Scene& scene, const std::vector<bool>& chosen) {
  WeightTable table;
  std::vector<bool> is_listed(scene.joints.size());
  for (std::size_t j = 0; j < is_listed.size(); ++j) is_listed[j] = scene.joints[j].deforms;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m)
    for (const std::uint32_t joint : scene.meshes[m].weights.joint) is_listed[joint] = true;
  std::vector<std::uint32_t> place(scene.joints.size(), 0);
  const std::vector<std::string> joints = joint_names(scene);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    place[j] = static_cast<std::uint32_t>(table.joints.size());
    if (is_listed[j]) table.joints.push_back(joints[j]);
  }
  const std::vector<std::string> names = mesh_names(scene);
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    if (!chosen[m]) continue;
    const SceneMesh& mesh = scene.meshes[m];
    WeightTable::Mesh rows{names[m], mesh.weights};
    for (std::uint32_t& joint : rows.rows.joint) joint = place[joint];
    if (rows.rows.empty()) rows.rows.first.assign(mesh.positions.size() + 1, 0);
    table.meshes.push_back(std::move(rows));
  }
  return table;
}

void take_deforming(const WeightTable& table, Scene& scene) {
  const std::map<std::string, std::size_t> listed = index_of_names(table.joints);
  const std::vector<std::string> names = joint_names(scene);
  for (std::size_t j = 0; j < names.size(); ++j)
    scene.joints[j].deforms = listed.contains(names[j]);
}

SceneWeights weights_of(const Scene& scene, const WeightTable& table,
                        std::vector<std::string>& warnings) {
  const std::vector<std::string> names = mesh_names(scene);
  const std::map<std::string, std::size_t> index = index_of_names(names);
  const auto joints = scene_joints(scene, table);
  SceneWeights weights;
  weights.meshes.resize(scene.meshes.size());
  weights.fills.assign(scene.meshes.size(), false);
  std::set<std::string> seen;
  const auto has_weights = [](const WeightTable::Mesh& mesh) {
    return std::ranges::any_of(mesh.rows.weight, [](float weight) { return weight != 0.0f; });
  };
  const bool any_weights = std::ranges::any_of(table.meshes, has_weights);
  for (const WeightTable::Mesh& mesh : table.meshes) {
    const auto at = index.find(mesh.name);
    if (at == index.end())
      throw Error(ErrorKind::input, "no mesh of the file is called '" + mesh.name + "'" +
                                        nearest_name_hint(mesh.name, names));
    if (!seen.insert(mesh.name).second)
      throw Error(ErrorKind::input, "mesh '" + mesh.name + "' is there twice");
    // A mesh without a skin beside others is written with empty rows, and stays without one.
    if (any_weights && !has_weights(mesh) && scene.meshes[at->second].weights.empty()) continue;
    const MeshRows rows(scene.meshes[at->second], mesh, joints);
    rows.warn(warnings);
    weights.meshes[at->second] = rows.rows();
    weights.fills[at->second] = rows.fills();
  }
  return weights;
}

}  // namespace gvbind
