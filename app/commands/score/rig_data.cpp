#include "commands/score/rig_data.h"

#include <cmath>

#include "gvbind/error.h"

namespace gvbind {

namespace {

[[noreturn]] void refuse_data(const std::string& why) { throw Error(ErrorKind::input, why); }

/// Parents before children, otherwise in the order of the file.
std::vector<std::size_t> order_of(const RigData& data) {
  std::vector<std::size_t> order, line;
  std::vector<int> state(data.joints.size(), 0);  // 1: on the line to a root, 2: ordered
  for (std::size_t joint = 0; joint < data.joints.size(); ++joint) {
    for (int j = static_cast<int>(joint); j >= 0; j = data.parents[static_cast<std::size_t>(j)]) {
      const auto at = static_cast<std::size_t>(j);
      if (state[at] == 1)
        refuse_data("joint '" + data.joint_names[at] +
                    "' is above itself: its parents form a circle");
      if (state[at] == 2) break;
      state[at] = 1;
      line.push_back(at);
    }
    for (const std::size_t at : line) state[at] = 2;
    order.insert(order.end(), line.rbegin(), line.rend());
    line.clear();
  }
  return order;
}

void require_parts(const RigData& data) {
  if (data.joints.empty()) refuse_data("holds no joints");
  if (data.positions.empty()) refuse_data("holds no vertices");
  if (data.triangles.empty()) refuse_data("holds no triangles");
  for (std::size_t v = 0; v < data.positions.size(); ++v)
    if (!data.positions[v].allFinite())
      refuse_data("vertex " + std::to_string(v) + " has a place that is not finite");
  for (std::size_t j = 0; j < data.joints.size(); ++j)
    if (!data.joints[j].allFinite())
      refuse_data("joint '" + data.joint_names[j] + "' has a place that is not finite");
  for (const Triangle& triangle : data.triangles)
    for (const std::uint32_t corner : triangle)
      if (corner >= data.positions.size())
        refuse_data("a face has vertex " + std::to_string(corner) + ", and there are " +
                    std::to_string(data.positions.size()) + " vertices, counted from 0");
  for (const auto& row : data.rows)
    if (!row.empty()) return;
  refuse_data("holds no weights");
}

}  // namespace

void RigData::set_parent(std::size_t child, std::size_t parent) {
  if (child >= joints.size() || parent >= joints.size())
    refuse_data("a bone has joint " + std::to_string(std::max(child, parent)) + ", and there are " +
                std::to_string(joints.size()) + " joints, counted from 0");
  if (child == parent) refuse_data("joint '" + joint_names[child] + "' is its own parent");
  if (parents[child] >= 0 && parents[child] != static_cast<int>(parent))
    refuse_data("joint '" + joint_names[child] + "' has two parents");
  parents[child] = static_cast<int>(parent);
}

void RigData::add_weight(std::size_t vertex, std::size_t joint, double weight) {
  if (vertex >= positions.size())
    refuse_data("a weight is of vertex " + std::to_string(vertex) + ", and there are " +
                std::to_string(positions.size()) + " vertices, counted from 0");
  if (joint >= joints.size())
    refuse_data("a weight is of joint " + std::to_string(joint) + ", and there are " +
                std::to_string(joints.size()) + " joints, counted from 0");
  if (!(weight >= 0.0) || weight > max_weight)
    refuse_data("vertex " + std::to_string(vertex) + " has a weight that is negative or no number");
  rows.resize(positions.size());
  if (weight > 0.0)
    rows[vertex].push_back({static_cast<std::uint32_t>(joint), static_cast<float>(weight)});
}

Scene scene_of(const RigData& data) {
  require_parts(data);
  const std::vector<std::size_t> order = order_of(data);
  std::vector<int> place(order.size());
  Scene scene;
  SceneMesh mesh;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<int>(i);
    SceneJoint joint;
    joint.name = data.joint_names[order[i]];
    const int parent = data.parents[order[i]];
    joint.parent = parent < 0 ? -1 : place[static_cast<std::size_t>(parent)];
    joint.bind.translation() = data.joints[order[i]];
    scene.joints.push_back(std::move(joint));
  }
  for (const int at : place) mesh.skin_joints.push_back(at);
  mesh.name = "mesh";
  mesh.positions = data.positions;
  mesh.triangles = data.triangles;
  for (std::size_t v = 0; v < data.positions.size(); ++v) {
    for (const Influence entry : v < data.rows.size() ? data.rows[v] : std::vector<Influence>()) {
      mesh.weights.joint.push_back(static_cast<std::uint32_t>(place[entry.joint]));
      mesh.weights.weight.push_back(entry.weight);
    }
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  scene.meshes.push_back(std::move(mesh));
  return scene;
}

}  // namespace gvbind
