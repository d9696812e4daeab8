#include "rig/named_parts.h"

#include <algorithm>
#include <string>

#include "rig/joint_words.h"

namespace gvbind::rig {

bool has_word(std::string_view name, std::span<const std::string_view> list) {
  return std::ranges::any_of(words_of_name(name), [&](const std::string& word) {
    return std::ranges::find(list, std::string_view(word)) != list.end();
  });
}

std::vector<Triangle> triangles_by_material(const SceneMesh& mesh,
                                            std::span<const std::string_view> list, bool named) {
  std::vector<bool> has_name;
  for (const std::string& name : mesh.materials) has_name.push_back(has_word(name, list));
  std::vector<Triangle> found;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int material = mesh.triangle_materials.empty() ? 0 : mesh.triangle_materials[t];
    const auto m = static_cast<std::size_t>(material);
    if ((material >= 0 && m < has_name.size() && has_name[m]) == named)
      found.push_back(mesh.triangles[t]);
  }
  return found;
}

}  // namespace gvbind::rig
