#include "cli/springs_file.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "character/selection.h"
#include "cli/toml_lines.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

constexpr double most_force = 1000.0, most_length = 1000.0;

[[noreturn]] void refuse(const std::string& place, const std::string& what) {
  throw Error(ErrorKind::usage, place + ": " + what);
}

std::string text_of(double value) { return std::to_string(static_cast<long long>(value)); }

double number_of(const TomlLine& line, const toml::node& node, double least, double most) {
  const auto value = node.value<double>();
  if (!value || !(*value >= least && *value <= most))
    refuse(line.place,
           "'" + line.pattern + "' takes numbers from " + text_of(least) + " to " + text_of(most));
  return *value;
}

/// A number, or two: at the first and at the last joint.
vrm::Range range_of(const TomlLine& line, double most) {
  const toml::array* const list = line.value->as_array();
  if (!list) {
    const double value = number_of(line, *line.value, 0.0, most);
    return {value, value};
  }
  if (list->size() != 2)
    refuse(line.place, "'" + line.pattern +
                           "' takes a number, or those of the first and of the "
                           "last joint");
  return {number_of(line, *list->get(0), 0.0, most), number_of(line, *list->get(1), 0.0, most)};
}

Eigen::Vector3d vector_of(const TomlLine& line) {
  const toml::array* const list = line.value->as_array();
  if (!list || list->size() != 3) refuse(line.place, "'" + line.pattern + "' takes three numbers");
  Eigen::Vector3d out;
  for (int k = 0; k < 3; ++k)
    out[k] = number_of(line, *list->get(static_cast<std::size_t>(k)), -most_length, most_length);
  return out;
}

std::string string_of(const TomlLine& line, const toml::node& node) {
  const auto text = node.value<std::string>();
  if (!text) refuse(line.place, "'" + line.pattern + "' takes names in quotes");
  return *text;
}

std::vector<std::string> names_of(const TomlLine& line) {
  const toml::array* const list = line.value->as_array();
  if (!list) return {string_of(line, *line.value)};
  std::vector<std::string> names;
  for (const toml::node& node : *list) names.push_back(string_of(line, node));
  return names;
}

/// By key, the reading of its value.
using Keys = std::map<std::string, std::function<void(const TomlLine&)>>;

void read_keys(const toml::table& table, const std::string& path, const Keys& keys) {
  for (const TomlLine& line : toml_lines(table, path)) {
    const auto found = keys.find(line.pattern);
    if (found == keys.end()) {
      std::vector<std::string> known;
      for (const auto& [name, apply] : keys) known.push_back(name);
      refuse(line.place,
             "there is no key '" + line.pattern + "'" + nearest_name_hint(line.pattern, known));
    }
    found->second(line);
  }
}

std::string place_of(const std::string& path, const toml::node& node) {
  return path + ":" + std::to_string(node.source().begin.line);
}

vrm::GivenSpring spring_of(const toml::table& table, const std::string& path) {
  vrm::GivenSpring spring;
  spring.place = place_of(path, table);
  read_keys(
      table, path,
      {{"joints", [&](const TomlLine& l) { spring.joints = names_of(l); }},
       {"stiffness", [&](const TomlLine& l) { spring.stiffness = range_of(l, most_force); }},
       {"gravity", [&](const TomlLine& l) { spring.gravity = range_of(l, most_force); }},
       {"hit-radius", [&](const TomlLine& l) { spring.hit_radius = range_of(l, most_length); }},
       {"drag", [&](const TomlLine& l) { spring.drag = number_of(l, *l.value, 0.0, 1.0); }},
       {"colliders", [&](const TomlLine& l) { spring.colliders = names_of(l); }}});
  if (spring.joints.empty()) refuse(spring.place, "a spring needs joints = \"NAME\"");
  return spring;
}

vrm::GivenCollider collider_of(const toml::table& table, const std::string& path) {
  vrm::GivenCollider collider;
  collider.place = place_of(path, table);
  bool has_radius = false;
  read_keys(table, path,
            {{"name", [&](const TomlLine& l) { collider.name = string_of(l, *l.value); }},
             {"joint", [&](const TomlLine& l) { collider.joint = string_of(l, *l.value); }},
             {"offset", [&](const TomlLine& l) { collider.offset = vector_of(l); }},
             {"tail", [&](const TomlLine& l) { collider.tail = vector_of(l); }},
             {"radius", [&](const TomlLine& l) {
                collider.radius = number_of(l, *l.value, 0.0, most_length);
                has_radius = true;
              }}});
  if (collider.name.empty() || collider.joint.empty() || !has_radius)
    refuse(collider.place, "a collider needs name, joint and radius");
  return collider;
}

/// The tables of a list like [[spring]].
std::vector<const toml::table*> tables_of(const TomlLine& line) {
  const toml::array* const list = line.value->as_array();
  std::vector<const toml::table*> out;
  if (list)
    for (const toml::node& node : *list)
      if (node.is_table()) out.push_back(node.as_table());
  if (!list || out.size() != list->size())
    refuse(line.place, "'" + line.pattern + "' is written as [[" + line.pattern + "]]");
  return out;
}

}  // namespace

vrm::GivenSprings read_springs(const std::string& path) {
  vrm::GivenSprings given;
  const toml::table file = read_toml(path);
  read_keys(file, path,
            {{"spring",
              [&](const TomlLine& l) {
                for (const toml::table* table : tables_of(l))
                  given.springs.push_back(spring_of(*table, path));
              }},
             {"collider", [&](const TomlLine& l) {
                for (const toml::table* table : tables_of(l))
                  given.colliders.push_back(collider_of(*table, path));
              }}});
  if (given.springs.empty()) refuse(path, "holds no [[spring]]");
  return given;
}

}  // namespace gvbind
