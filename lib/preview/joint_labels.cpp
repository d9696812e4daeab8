#include "preview/joint_labels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "preview/text.h"

namespace gvbind::preview {
namespace {

constexpr std::uint8_t rim_gray = 235, ink_gray = 20;
constexpr int rings = 6;
constexpr std::size_t most_labels = 500;  // more do not fit into an image

int label_dot(const Style& style) { return std::max(1, style.dot / 2); }

bool overlap(const JointLabel& a, const JointLabel& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

bool is_within(const JointLabel& label, const Panel& panel) {
  return label.x >= panel.x && label.y >= panel.y &&
         label.x + label.width <= panel.x + panel.width &&
         label.y + label.height <= panel.y + panel.height;
}

/// Tries right and left first, where a name hides the least of its bone.
bool find_room(JointLabel& label, const Panel& panel, const std::vector<JointLabel>& taken,
               int gap) {
  constexpr std::array<std::array<int, 2>, 8> sides = {
      {{1, 0}, {-1, 0}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {0, -1}, {0, 1}}};
  for (int ring = 1; ring <= rings; ++ring)
    for (const auto& [across, down] : sides) {
      label.x = label.joint_x + across * (ring * gap + label.width / 2) - label.width / 2;
      label.y = label.joint_y + down * (ring * gap + label.height / 2) - label.height / 2;
      if (is_within(label, panel) && std::ranges::none_of(taken, [&](const JointLabel& other) {
            return overlap(label, other);
          }))
        return true;
    }
  return false;
}

void draw_tie(const JointLabel& label, Image& image) {
  const int to_x = std::clamp(label.joint_x, label.x, label.x + label.width - 1);
  const int to_y = std::clamp(label.joint_y, label.y, label.y + label.height - 1);
  const int steps = std::max({1, std::abs(to_x - label.joint_x), std::abs(to_y - label.joint_y)});
  for (int i = 0; i <= steps; ++i) {
    const int x = label.joint_x + (to_x - label.joint_x) * i / steps;
    const int y = label.joint_y + (to_y - label.joint_y) * i / steps;
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) continue;
    std::fill_n(image.rgb.begin() + 3 * (static_cast<std::ptrdiff_t>(y) * image.width + x), 3,
                ink_gray);
  }
}

}  // namespace

std::vector<JointLabel> joint_labels(const Panel& panel, const Scene& scene, const Style& style) {
  const int dot = label_dot(style), gap = 6 * dot;
  std::vector<JointLabel> labels;
  for (const SceneJoint& joint : scene.joints) {
    const Eigen::Vector3d at = panel.camera.project(joint.bind.translation());
    if (!at.allFinite() || at.x() < 0.0 || at.y() < 0.0 || at.x() >= panel.width ||
        at.y() >= panel.height || labels.size() == most_labels)
      continue;
    JointLabel label;
    const std::size_t colon = joint.name.rfind(':');
    label.text = colon == std::string::npos ? joint.name : joint.name.substr(colon + 1);
    if (label.text.empty()) continue;
    label.joint_x = panel.x + static_cast<int>(at.x());
    label.joint_y = panel.y + static_cast<int>(at.y());
    label.width = (text_width(label.text) + 2) * dot;
    label.height = (letter_height + 2) * dot;
    if (find_room(label, panel, labels, gap)) labels.push_back(label);
  }
  return labels;
}

void draw_joint_labels(const std::vector<JointLabel>& labels, const Style& style, Image& image) {
  const int dot = label_dot(style);
  for (const JointLabel& label : labels) draw_tie(label, image);
  for (const JointLabel& label : labels) {
    const int x = label.x + dot, y = label.y + dot;
    for (int across = -dot; across <= dot; across += dot)
      for (int down = -dot; down <= dot; down += dot)
        draw_text(image, label.text, x + across, y + down, dot, rim_gray);
    draw_text(image, label.text, x, y, dot, ink_gray);
  }
}

}  // namespace gvbind::preview
