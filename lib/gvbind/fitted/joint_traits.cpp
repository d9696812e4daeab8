#include "gvbind/fitted/joint_traits.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace gvbind {

namespace {

constexpr double min_length = 0.003;

const std::vector<std::string_view> hint_words[name_hint_count] = {
    {"ctrl", "control", "master", "main"},
    {"ik"},
    {"pole", "target"},
    {"end", "nub", "tip"},
    {"root", "armature", "reference", "origin", "global", "world", "trajectory"},
    {"twist", "roll"},
    {"helper", "adj", "corrective", "fk", "mch", "org", "driver", "dummy", "null"},
    {"socket", "slot", "weapon", "attach", "prop", "item", "sword", "gun"},
    {"eye", "brow", "lid"},
    {"jaw", "mouth", "lip", "tongue", "teeth", "cheek", "chin"},
    {"finger", "thumb", "index", "middle", "ring", "pinky", "little"},
    {"toe", "ball"},
    {"hair", "cloth", "skirt", "cape", "tail", "ear", "string", "hood"},
    {"head", "skull"},
    {"hip", "pelvis", "spine", "chest", "torso", "body", "waist", "abdomen", "ribs"}};

/// Lower case, without what stands before a colon.
std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    if (c == ':') {
      plain.clear();
      continue;
    }
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

}  // namespace

std::vector<JointTraits> joint_traits(const CharacterDistances& distances,
                                      const CandidateField& field, std::span<const Joint> joints) {
  const std::size_t n = joints.size();
  std::vector<JointTraits> traits(n);
  std::vector<std::vector<double>> depths(n);
  std::size_t cells = 0;
  for (std::uint32_t v = 0; v < field.voxels.size(); ++v) {
    if (!field.is_solid[v]) continue;
    const Label nearest = field.field.of(v)[0];
    if (nearest == no_label) continue;
    ++cells;
    JointTraits& t = traits[label_influence(nearest)];
    t.territory += 1.0;
    const Leaf& leaf = field.voxels.leaves[v];
    // On the surface: a neighbor across a face is missing or air.
    bool surface = false;
    for (int d = 0; d < direction_count; ++d)
      if (d != no_direction && axes_of(d) == 1)
        surface |= !(leaf.near >> d & 1u) || (leaf.near_boundary >> d & 1u);
    if (surface)
      depths[label_influence(nearest)].push_back(static_cast<double>(label_distance(nearest)) *
                                                 label_unit);
  }
  std::vector<double> known;
  for (std::size_t j = 0; j < n; ++j) {
    if (depths[j].size() < 3) continue;
    std::sort(depths[j].begin(), depths[j].end());
    traits[j].thickness = depths[j][depths[j].size() / 2];
    known.push_back(traits[j].thickness);
  }
  std::sort(known.begin(), known.end());
  const double usual = known.empty() ? 0.02 : known[known.size() / 2];
  for (std::size_t j = 0; j < n; ++j) {
    JointTraits& t = traits[j];
    if (t.thickness == 0.0) t.thickness = usual;
    t.thickness = std::clamp(t.thickness, 0.008, 0.3);
    t.territory /= static_cast<double>(std::max<std::size_t>(cells, 1));
    for (const LatticeSegment& s : field.bones[j])
      t.length = std::max(t.length, (s.b - s.a).cast<double>().norm() / lattice_size);
    t.is_outside = field.outside[j];
    t.owns = !distances.bones[j].empty();
    const auto position = [&](std::size_t i) { return distances.character.skeleton.position(i); };
    for (std::size_t i = 0; i < n; ++i)
      if (i != j && static_cast<int>(i) != joints[j].parent &&
          (position(i) - position(j)).norm() < min_length * lattice_size)
        t.is_on_other = true;
    const int parent = joints[j].parent;
    t.is_root = parent < 0;
    if (parent >= 0) {
      JointTraits& p = traits[static_cast<std::size_t>(parent)];
      t.depth = p.depth + 1;
      ++p.children;
      t.is_on_parent = (position(static_cast<std::size_t>(parent)) - position(j)).norm() <
                       min_length * lattice_size;
      t.length_to_parent = std::log((t.length + min_length) / (p.length + min_length));
    } else {
      t.length_to_parent = std::log((t.length + min_length) / 0.05);
    }
    const std::string name = plain_name(joints[j].name);
    for (std::size_t h = 0; h < name_hint_count; ++h)
      for (const std::string_view word : hint_words[h])
        t.hint[h] |= name.find(word) != std::string::npos;
  }
  for (std::size_t j = n; j-- > 0;) {
    if (joints[j].parent < 0) continue;
    JointTraits& p = traits[static_cast<std::size_t>(joints[j].parent)];
    p.children_territory += traits[j].territory;
    p.below += traits[j].below + traits[j].territory;
  }
  return traits;
}

}  // namespace gvbind
