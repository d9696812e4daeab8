#include "rig/builtin_templates.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rig/templates_embedded.h"

namespace gvbind::rig {

namespace {

struct EmbeddedTemplate {
  std::string_view name, gltf;
};

/// Initialized on first use, because the texts are defined in other translation units.
const std::vector<EmbeddedTemplate>& embedded_templates() {
  static const std::vector<EmbeddedTemplate> all = {
      {"biped", embedded::biped_gltf}, {"quadruped", embedded::quadruped_gltf},
      {"bird", embedded::bird_gltf},   {"hand", embedded::hand_gltf},
      {"fish", embedded::fish_gltf},   {"spider", embedded::spider_gltf}};
  return all;
}

/// For our own files only: nodes with parents first and translations only.
std::vector<Joint> joints_of(std::string_view gltf) {
  const nlohmann::json text = nlohmann::json::parse(gltf);
  std::vector<Joint> joints;
  for (const nlohmann::json& node : text.at("nodes")) {
    const nlohmann::json& at = node.at("translation");
    const auto name = node.at("name").get<std::string>();
    const Eigen::Vector3d position(at.at(0).get<double>(), at.at(1).get<double>(),
                                   at.at(2).get<double>());
    joints.push_back({position, -1, !is_body_end(name), name});
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (const auto below = text["nodes"][j].find("children"); below != text["nodes"][j].end())
      for (const std::size_t child : *below) {
        joints.at(child).parent = static_cast<int>(j);
        joints[child].position += joints[j].position;
      }
  return joints;
}

}  // namespace

bool is_body_end(std::string_view joint) {
  return joint.ends_with("_end") || joint.ends_with("_end.L") || joint.ends_with("_end.R");
}

std::vector<std::string> builtin_template_names() {
  std::vector<std::string> names;
  for (const EmbeddedTemplate& one : embedded_templates()) names.emplace_back(one.name);
  return names;
}

std::optional<std::vector<Joint>> builtin_template(std::string_view name) {
  const auto found = std::ranges::find(embedded_templates(), name, &EmbeddedTemplate::name);
  if (found == embedded_templates().end()) return std::nullopt;
  return joints_of(found->gltf);
}

}  // namespace gvbind::rig
