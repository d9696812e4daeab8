#include "rig/builtin_templates.h"

#include <algorithm>

namespace gvbind {

namespace {

/// A joint of the left side or of the middle.
struct Row {
  std::string_view name, parent;
  double x, y, z;
};

// An adult of 1.75 m in an A-pose.
constexpr Row biped[] = {
    {"hips", "", 0, 0.970, 0.000},
    {"spine", "hips", 0, 1.070, -0.005},
    {"chest", "spine", 0, 1.190, -0.010},
    {"upper_chest", "chest", 0, 1.310, -0.020},
    {"neck", "upper_chest", 0, 1.460, -0.025},
    {"head", "neck", 0, 1.545, 0.000},
    {"head_end", "head", 0, 1.750, 0.000},
    {"shoulder.L", "upper_chest", 0.035, 1.420, -0.015},
    {"upper_arm.L", "shoulder.L", 0.165, 1.420, -0.025},
    {"forearm.L", "upper_arm.L", 0.375, 1.250, -0.030},
    {"hand.L", "forearm.L", 0.555, 1.100, -0.010},
    {"hand_end.L", "hand.L", 0.690, 0.985, 0.005},
    {"thigh.L", "hips", 0.095, 0.920, 0.000},
    {"shin.L", "thigh.L", 0.105, 0.510, 0.005},
    {"foot.L", "shin.L", 0.115, 0.085, -0.025},
    {"toe.L", "foot.L", 0.125, 0.020, 0.100},
    {"toe_end.L", "toe.L", 0.130, 0.015, 0.170},
};

// A dog, 0.75 m at the shoulder.
constexpr Row quadruped[] = {
    {"hips", "", 0, 0.650, -0.310},
    {"spine", "hips", 0, 0.655, -0.150},
    {"spine_2", "spine", 0, 0.655, 0.020},
    {"chest", "spine_2", 0, 0.640, 0.180},
    {"neck", "chest", 0, 0.690, 0.290},
    {"neck_2", "neck", 0, 0.790, 0.390},
    {"head", "neck_2", 0, 0.890, 0.470},
    {"head_end", "head", 0, 0.870, 0.710},
    {"tail", "hips", 0, 0.690, -0.400},
    {"tail_2", "tail", 0, 0.620, -0.550},
    {"tail_3", "tail_2", 0, 0.520, -0.680},
    {"tail_end", "tail_3", 0, 0.440, -0.830},
    {"upper_arm.L", "chest", 0.085, 0.560, 0.250},
    {"forearm.L", "upper_arm.L", 0.095, 0.420, 0.205},
    {"hand.L", "forearm.L", 0.095, 0.170, 0.235},
    {"hand_end.L", "hand.L", 0.095, 0.020, 0.300},
    {"thigh.L", "hips", 0.080, 0.590, -0.300},
    {"shin.L", "thigh.L", 0.100, 0.420, -0.215},
    {"foot.L", "shin.L", 0.095, 0.225, -0.365},
    {"toe.L", "foot.L", 0.095, 0.050, -0.325},
    {"toe_end.L", "toe.L", 0.095, 0.020, -0.260},
};

struct Named {
  std::string_view name;
  std::span<const Row> rows;
};
constexpr Named all[] = {{"biped", biped}, {"quadruped", quadruped}};

std::string other_side(std::string_view name) {
  return std::string(name.substr(0, name.size() - 1)) + "R";
}

std::vector<Joint> joints_of(std::span<const Row> rows) {
  std::vector<Joint> joints;
  const auto add = [&](const std::string& name, const std::string& parent,
                       const Eigen::Vector3d& at) {
    const auto found = std::ranges::find(joints, parent, &Joint::name);
    joints.push_back({at, found == joints.end() ? -1 : static_cast<int>(found - joints.begin()),
                      name.find("_end") == std::string::npos, name});
  };
  for (const Row& row : rows)
    if (!row.name.ends_with(".L"))
      add(std::string(row.name), std::string(row.parent), {row.x, row.y, row.z});
  for (const bool left : {true, false})
    for (const Row& row : rows) {
      if (!row.name.ends_with(".L")) continue;
      const bool sided = row.parent.ends_with(".L");
      if (left)
        add(std::string(row.name), std::string(row.parent), {row.x, row.y, row.z});
      else
        add(other_side(row.name), sided ? other_side(row.parent) : std::string(row.parent),
            {-row.x, row.y, row.z});
    }
  return joints;
}

}  // namespace

std::vector<std::string> builtin_template_names() {
  std::vector<std::string> names;
  for (const Named& named : all) names.emplace_back(named.name);
  return names;
}

std::optional<std::vector<Joint>> builtin_template(std::string_view name) {
  const auto found = std::ranges::find(all, name, &Named::name);
  if (found == std::ranges::end(all)) return std::nullopt;
  return joints_of(found->rows);
}

}  // namespace gvbind
