#include "gvbind/fitted/joint_traits.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <string>
#include <string_view>

#include "gvbind/base/portable_log.h"

namespace gvbind {

namespace {

constexpr double min_length = 0.003;    // cube sides; joints closer than this coincide
constexpr double min_territory = 1e-4;  // fraction of the solid
constexpr int max_steps = 8;

// Words in names of joints that do not bend the skin, or bend it in a special way.
struct HintWord {
  std::size_t hint;
  std::string_view word;
};
constexpr HintWord hint_words[] = {
    {0, "ctrl"},   {0, "control"},    {0, "master"},    {0, "main"},   {1, "ik"},
    {2, "pole"},   {2, "target"},     {3, "end"},       {3, "nub"},    {3, "tip"},
    {4, "root"},   {4, "armature"},   {4, "reference"}, {4, "origin"}, {4, "global"},
    {4, "world"},  {4, "trajectory"}, {5, "twist"},     {5, "roll"},   {6, "helper"},
    {6, "adj"},    {6, "corrective"}, {6, "fk"},        {6, "mch"},    {6, "org"},
    {6, "driver"}, {6, "dummy"},      {6, "null"},      {7, "socket"}, {7, "slot"},
    {7, "weapon"}, {7, "attach"},     {7, "prop"},      {7, "item"},   {7, "sword"},
    {7, "gun"},    {8, "eye"},        {8, "brow"},      {8, "lid"},    {9, "jaw"},
    {9, "mouth"},  {9, "lip"},        {9, "tongue"},    {9, "teeth"},  {9, "cheek"},
    {9, "chin"},   {10, "finger"},    {10, "thumb"},    {10, "index"}, {10, "middle"},
    {10, "ring"},  {10, "pinky"},     {10, "little"},   {11, "toe"},   {11, "ball"},
    {12, "hair"},  {12, "cloth"},     {12, "skirt"},    {12, "cape"},  {12, "tail"},
    {12, "ear"},   {12, "string"},    {12, "hood"},     {13, "head"},  {13, "skull"},
    {14, "hip"},   {14, "pelvis"},    {14, "spine"},    {14, "chest"}, {14, "torso"},
    {14, "body"},  {14, "waist"},     {14, "abdomen"},  {14, "ribs"},
};

/// Properties of the solid around the joints.
struct Surroundings {
  std::vector<double> territory;  ///< by joint, fraction of the solid
  std::vector<double> thickness;  ///< cube sides
};

bool is_on_surface(const Leaf& leaf) {
  for (int d = 0; d < direction_count; ++d)
    if (axes_of(d) == 1 && (!(leaf.near >> d & 1u) || (leaf.near_boundary >> d & 1u))) return true;
  return false;
}

/// All labels at the smallest distance, because the order of joints in the file must not matter.
std::span<const Label> nearest_labels(std::span<const Label> labels) {
  std::size_t count = 0;
  while (count < labels.size() && labels[count] != no_label &&
         label_distance(labels[count]) == label_distance(labels[0]))
    ++count;
  return labels.first(count);
}

/// By joint, the number of coarse voxels nearest to it, and the distance of those on the surface.
Surroundings surroundings(const CandidateField& field, std::size_t joints) {
  Surroundings made{std::vector<double>(joints, 0.0), std::vector<double>(joints, 0.0)};
  std::vector<std::vector<double>> depths(joints);
  double voxels = 0.0;
  for (std::uint32_t v = 0; v < field.voxels.size(); ++v) {
    const std::span<const Label> nearest = nearest_labels(field.field.of(v));
    if (!field.is_solid(v) || nearest.empty()) continue;
    voxels += 1.0;
    const bool on_surface = is_on_surface(field.voxels.leaves[v]);
    for (const Label label : nearest) {
      made.territory[label_joint(label)] += 1.0 / static_cast<double>(nearest.size());
      if (on_surface)
        depths[label_joint(label)].push_back(static_cast<double>(label_distance(label)) *
                                             label_unit);
    }
  }
  const auto middle = [](std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  };
  std::vector<double> known;
  for (std::size_t j = 0; j < joints; ++j) {
    made.territory[j] /= std::max(voxels, 1.0);
    if (depths[j].size() < 3) continue;
    made.thickness[j] = middle(depths[j]);
    known.push_back(made.thickness[j]);
  }
  const double usual = known.empty() ? 0.02 : middle(known);
  for (double& t : made.thickness) t = std::clamp(t == 0.0 ? usual : t, 0.008, 0.3);
  return made;
}

void number_joints(std::span<const Joint> joints, JointTable& table) {
  std::vector<std::vector<std::uint32_t>> children(joints.size());
  std::vector<std::uint32_t> open;
  for (std::uint32_t j = 0; j < joints.size(); ++j)
    if (joints[j].parent >= 0) children[joints[j].parent].push_back(j);
  table.visit.assign(joints.size(), 0);
  table.last_visit.assign(joints.size(), 0);
  std::uint32_t next = 0;
  for (std::uint32_t root = 0; root < joints.size(); ++root) {
    if (joints[root].parent >= 0) continue;
    open.push_back(root);
    while (!open.empty()) {
      const std::uint32_t j = open.back();
      open.pop_back();
      table.visit[j] = table.last_visit[j] = next++;
      open.insert(open.end(), children[j].begin(), children[j].end());
    }
  }
  for (std::size_t j = joints.size(); j-- > 0;)
    if (joints[j].parent >= 0) {
      std::uint32_t& last = table.last_visit[joints[j].parent];
      last = std::max(last, table.last_visit[j]);
    }
}

/// By joint: number of children, territory of the children, and territory of all descendants.
struct Descendants {
  std::vector<int> children;
  std::vector<double> of_children, territory;
};

Descendants descendants_of(std::span<const Joint> joints, std::span<const double> territory) {
  const std::size_t n = joints.size();
  Descendants made{std::vector<int>(n, 0), std::vector<double>(n, 0.0),
                   std::vector<double>(n, 0.0)};
  for (std::size_t j = n; j-- > 0;) {
    if (joints[j].parent < 0) continue;
    const auto p = static_cast<std::size_t>(joints[j].parent);
    ++made.children[p];
    made.of_children[p] += territory[j];
    made.territory[p] += made.territory[j] + territory[j];
  }
  return made;
}

/// By joint, whether a joint other than its parent coincides with it.
std::vector<bool> coinciding(const JointTable& table) {
  const std::size_t n = table.position.size();
  Eigen::AlignedBox3d box;
  for (const auto& position : table.position) box.extend(position);
  int axis = 0;  // along which the joints are spread furthest
  if (!box.isEmpty()) box.sizes().maxCoeff(&axis);
  std::vector<std::uint32_t> sorted(n);
  for (std::uint32_t j = 0; j < n; ++j) sorted[j] = j;
  std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
    return table.position[a][axis] < table.position[b][axis];
  });
  std::vector<bool> found(n, false);
  constexpr double near = min_length * lattice_size;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n; ++k) {
      const std::uint32_t a = sorted[i], b = sorted[k];
      if (table.position[b][axis] - table.position[a][axis] >= near) break;
      if ((table.position[a] - table.position[b]).norm() >= near) continue;
      if (table.parent[a] != static_cast<int>(b)) found[a] = true;
      if (table.parent[b] != static_cast<int>(a)) found[b] = true;
    }
  return found;
}

}  // namespace

std::array<bool, name_hint_count> name_hints(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  std::string plain;
  for (const char c : colon == std::string_view::npos ? name : name.substr(colon + 1))
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  std::array<bool, name_hint_count> hints{};
  for (const auto& [hint, word] : hint_words) hints[hint] |= plain.find(word) != std::string::npos;
  return hints;
}

int JointTable::steps(std::uint32_t a, std::uint32_t b) const {
  int x = static_cast<int>(a), y = static_cast<int>(b);
  for (int count = 0; count < max_steps; ++count) {
    if (x == y) return count;
    // Parents come first, so the later joint is never an ancestor of the other.
    int& later = x > y ? x : y;
    later = parent[later];
    if (later < 0) break;
  }
  return max_steps;
}

JointTable joint_table(const CharacterDistances& distances, const CandidateField& field,
                       std::span<const Joint> joints, NameRule names) {
  const std::size_t n = joints.size();
  JointTable table;
  table.traits.resize(n);
  for (std::size_t j = 0; j < n; ++j) {
    table.parent.push_back(joints[j].parent);
    table.position.push_back(distances.character.skeleton.position(j));
  }
  number_joints(joints, table);
  const Surroundings around = surroundings(field, n);
  const std::vector<bool> on_other = coinciding(table);
  const Descendants descendants = descendants_of(joints, around.territory);
  std::vector<int> depth(n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    JointTraits& t = table.traits[j];
    const int parent = joints[j].parent;
    const auto p = static_cast<std::size_t>(parent);
    double length = 0.0;
    for (const LatticeSegment& s : field.bones[j])
      length = std::max(length, (s.b - s.a).cast<double>().norm() / lattice_size);
    t.log_length = portable_log(length + min_length);
    t.thickness = around.thickness[j];
    t.log_thickness = portable_log(t.thickness);
    t.log_territory = portable_log(around.territory[j] + min_territory);
    t.is_leaf = descendants.children[j] == 0;
    if (parent >= 0) depth[j] = depth[p] + 1;
    const bool on_parent =
        parent >= 0 && (table.position[p] - table.position[j]).norm() < min_length * lattice_size;
    const double parent_length = parent >= 0 ? table.traits[p].log_length : portable_log(0.05);
    std::size_t i = 0;
    const auto put = [&](double x) { t.number[i++] = static_cast<float>(x); };
    put(t.log_length);
    put(t.log_thickness);
    put(t.is_leaf);
    put(std::min(descendants.children[j], 5) / 4.0);
    put(std::min(depth[j], 12) / 8.0);
    put(parent < 0);
    put(field.is_outside[j]);
    put(t.log_territory);
    put(on_parent);
    put(portable_log(descendants.of_children[j] + min_territory));
    put(portable_log(descendants.territory[j] + min_territory));
    put(t.log_length - parent_length);
    put(on_other[j]);
    put(!distances.bones[j].empty());
    put(portable_log(static_cast<double>(n)) / 4.0);
    put(parent >= 0 && !distances.bones[p].empty());
    put(parent >= 0 ? table.traits[p].log_territory : portable_log(min_territory));
    put(names == NameRule::use && !joints[j].name.empty());
    if (names == NameRule::ignore) continue;
    for (const bool hint : name_hints(joints[j].name)) put(hint);
  }
  return table;
}

std::vector<float> joint_features(const JointTable& joints) {
  std::vector<float> rows;
  for (const JointTraits& joint : joints.traits)
    rows.insert(rows.end(), joint.number.begin(), joint.number.end());
  return rows;
}

}  // namespace gvbind
