#include "commands/refine/pose_ranges.h"

#include <cmath>
#include <cstddef>
#include <optional>

#include "cli/toml_lines.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

std::optional<double> degrees_of(const toml::node& node) {
  const auto value = node.value<double>();
  if (!value || !(std::abs(*value) <= 180.0)) return std::nullopt;
  return value;
}

std::optional<Eigen::Vector3d> angles_of(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (!array || array->size() != 3) return std::nullopt;
  Eigen::Vector3d angles;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto degrees = degrees_of((*array)[axis]);
    if (!degrees) return std::nullopt;
    angles[static_cast<Eigen::Index>(axis)] = *degrees;
  }
  return angles;
}

/// None for a value that is not a range.
std::optional<motion::JointRange> range_of(const toml::node& value) {
  constexpr double radians = M_PI / 180.0;
  if (const auto degrees = degrees_of(value); degrees && *degrees >= 0.0) {
    const Eigen::Vector3d most = Eigen::Vector3d::Constant(radians * *degrees);
    return motion::JointRange{-most, most, true};
  }
  const toml::array* pair = value.as_array();
  if (!pair || pair->size() != 2) return std::nullopt;
  const auto low = angles_of((*pair)[0]), high = angles_of((*pair)[1]);
  if (!low || !high || !((*high - *low).minCoeff() >= 0.0)) return std::nullopt;
  return motion::JointRange{radians * *low, radians * *high, true};
}

}  // namespace

void read_ranges(const std::string& path, const Scene& scene,
                 std::vector<motion::JointRange>& ranges) {
  ranges.resize(scene.joints.size());
  std::vector<std::string> names;
  for (const SceneJoint& joint : scene.joints) names.push_back(joint.name);
  const toml::table table = read_toml(path);
  for (const TomlLine& line : toml_lines(table, path)) {
    const auto range = range_of(*line.value);
    if (!range)
      throw Error(ErrorKind::usage, line.place + ": '" + line.pattern +
                                        "' takes an angle from 0 to 180, as 30, or the lowest and "
                                        "the highest angles about x, y and z, as "
                                        "[[-10, 0, 0], [90, 0, 0]]");
    for (const std::size_t j : matches_of(line, names, "joint")) ranges[j] = *range;
  }
}

}  // namespace gvbind
