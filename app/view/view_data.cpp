#include "view/view_data.h"

#include <Eigen/SVD>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "check/check.h"
#include "formats/clip.h"
#include "preview/distinct_colors.h"
#include "preview/poses.h"

namespace gvbind {

namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

constexpr double bend_degrees = 40.0;  // as preview's bent poses
constexpr std::size_t alignment = 4;

Json numbers(const double* values, std::size_t count) {
  Json out = Json::array();
  for (std::size_t i = 0; i < count; ++i) out.push_back(values[i]);
  return out;
}

Json matrix_json(const Eigen::Affine3d& matrix) { return numbers(matrix.data(), 16); }

Json vector_json(const Eigen::Vector3d& vector) { return numbers(vector.data(), 3); }

/// The axes of turn_in_frame(), columns in bind space.
Eigen::Matrix3d frame_axes(const Eigen::Affine3d& bind) {
  if (!bind.linear().allFinite()) return Eigen::Matrix3d::Identity();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(bind.linear(),
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

Json joints_json(const Scene& scene, const Eigen::Affine3d& to_world) {
  const std::vector<Eigen::Vector3f> colors = preview::distinct_joint_colors(scene);
  Json out = Json::array();
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const SceneJoint& joint = scene.joints[j];
    const Eigen::Vector3d color = colors[j].cast<double>();
    out.push_back({{"name", joint.name},
                   {"node", joint.node},
                   {"parent", joint.parent},
                   {"deforms", joint.deforms},
                   {"bind", matrix_json(to_world * joint.bind)},
                   {"axes", numbers(frame_axes(joint.bind).data(), 9)},
                   {"color", vector_json(color)}});
  }
  return out;
}

Json meshes_json(const Scene& scene, const Eigen::Affine3d& to_world) {
  Json out = Json::array();
  for (const SceneMesh& mesh : scene.meshes)
    out.push_back({{"node", mesh.node},
                   {"skinned", !mesh.weights.empty()},
                   {"attached", mesh.attached_to},
                   {"rest", matrix_json(to_world * mesh.to_bind)}});
  return out;
}

Json poses_json(const Scene& scene) {
  Json out = Json::array();
  if (!scene.has_skin()) return out;
  for (const auto& [name, pose] : {std::pair{"stride", preview::BentPose::stride},
                                   std::pair{"crouch", preview::BentPose::crouch}}) {
    Json turns = Json::array();
    for (const Eigen::Quaterniond& turn : preview::bent_pose(scene, pose, bend_degrees))
      turns.push_back(numbers(turn.coeffs().data(), 4));
    out.push_back({{"name", name}, {"turns", std::move(turns)}});
  }
  return out;
}

/// Mesh and vertex of a vertex of the checked surface.
Json place_json(const check::CheckResult& check, std::uint32_t vertex) {
  if (vertex >= check.surface.source.size()) return nullptr;
  const check::VertexSource& source = check.surface.source[vertex];
  return {{"mesh", source.mesh}, {"vertex", source.vertex}};
}

/// The findings and measures of `gvbind check`, with the vertices where they are worst.
Json check_json(const Scene& scene) {
  if (!scene.has_skin()) return nullptr;
  const check::CheckResult check = check::check_scene(scene);
  Json findings = Json::array(), marks = Json::array(), dead = Json::array();
  for (const Finding& finding : check.findings)
    findings.push_back({{"code", finding.code}, {"message", finding.message}});
  for (const check::FarJoint& far : check.far_joints.joints)
    if (far.excess > 0.0)
      marks.push_back({{"kind", "far"},
                       {"joint", far.joint},
                       {"other", far.nearest},
                       {"amount", far.excess},
                       {"at", place_json(check, far.vertex)}});
  for (const check::BleedPair& pair : check.bleed.pairs)
    marks.push_back({{"kind", "bleed"},
                     {"joint", pair.other},
                     {"other", pair.own},
                     {"amount", pair.worst},
                     {"at", place_json(check, pair.vertex)}});
  for (const check::StretchPair& pair : check.stretch.pairs)
    marks.push_back({{"kind", "stretch"},
                     {"joint", pair.a},
                     {"other", pair.b},
                     {"amount", pair.worst},
                     {"at", place_json(check, pair.vertex_a)},
                     {"to", place_json(check, pair.vertex_b)}});
  for (const check::DeadJoint& joint : check.dead_joints) dead.push_back(joint.joint);
  return {{"findings", findings}, {"marks", marks}, {"dead", dead}};
}

class Sections {
 public:
  Json add(const void* data, std::size_t size) {
    const Json place = {{"offset", bytes_.size()}, {"length", size}};
    const auto* begin = static_cast<const std::uint8_t*>(data);
    bytes_.resize((bytes_.size() + size + alignment - 1) / alignment * alignment);
    std::copy_n(begin, size, bytes_.begin() + place["offset"].get<std::ptrdiff_t>());
    return place;
  }
  template <typename Value>
  Json add(const std::vector<Value>& values) {
    return add(values.data(), values.size() * sizeof(Value));
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

/// Rows of weights by mesh: where each vertex begins, joints, weights; 32 bits each.
Json weights_json(const Scene& scene, Sections& sections) {
  Json out = Json::array();
  for (const SceneMesh& mesh : scene.meshes) {
    if (mesh.weights.empty()) {
      out.push_back(nullptr);
      continue;
    }
    std::vector<std::uint32_t> first(mesh.weights.first.begin(), mesh.weights.first.end());
    std::vector<std::uint32_t> joint(mesh.weights.joint.begin(), mesh.weights.joint.end());
    std::vector<float> weight(mesh.weights.weight.begin(), mesh.weights.weight.end());
    Json row;
    row["first"] = sections.add(first);
    row["joint"] = sections.add(joint);
    row["weight"] = sections.add(weight);
    out.push_back(std::move(row));
  }
  return out;
}

Json tuning_json(const ViewTuning& tuning, Sections& sections) {
  Json meshes = Json::array(), alphas = Json::array();
  for (const auto& [joint, alpha] : tuning.joint_alphas) alphas.push_back({joint, alpha});
  for (const TunedMesh& mesh : tuning.meshes) {
    if (mesh.first.empty()) {
      meshes.push_back(nullptr);
      continue;
    }
    Json one;
    one["first"] = sections.add(mesh.first);
    one["joint"] = sections.add(mesh.joint);
    one["weight"] = sections.add(mesh.score);
    one["owner"] = sections.add(mesh.owner);
    one["source"] = sections.add(mesh.source);
    meshes.push_back(std::move(one));
  }
  return {{"field", tuning.field},           {"alpha", tuning.alpha},
          {"alphas", std::move(alphas)},     {"prune", tuning.prune},
          {"influences", tuning.influences}, {"least", tuning.least_influences},
          {"most", tuning.most_influences},  {"smooth", tuning.smooth_limit},
          {"meshes", std::move(meshes)}};
}

}  // namespace

std::vector<std::uint8_t> view_data(const ViewInput& input, const ViewExtras& extras) {
  const ViewComparison* const other = extras.other;
  const Scene& scene = other ? other->match.ours : input.scene;
  const Eigen::Affine3d to_world = world_to_bind(input.document, input.scene).inverse();
  Sections sections;
  Json json = {{"version", 1},
               {"name", std::filesystem::path(input.path).filename().string()},
               {"to_world", matrix_json(to_world)},
               {"up", vector_json(to_world.linear() * scene.units.up)},
               {"front", vector_json(to_world.linear() * scene.units.front)},
               {"joints", joints_json(scene, to_world)},
               {"meshes", meshes_json(scene, to_world)},
               {"poses", poses_json(scene)},
               {"check", check_json(input.scene)},
               {"glb", sections.add(input.glb)}};
  json["weights"] = weights_json(scene, sections);
  if (other)
    json["compare"] = {{"name", other->name},
                       {"weights", weights_json(other->match.theirs, sections)}};
  if (extras.tuning) json["tune"] = tuning_json(*extras.tuning, sections);
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + alignment - 1) / alignment * alignment, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  Bytes out(alignment + text.size() + sections.bytes().size());
  for (std::size_t i = 0; i < alignment; ++i) out[i] = static_cast<std::uint8_t>(length >> 8 * i);
  const auto json_end = std::ranges::copy(text, out.begin() + alignment).out;
  std::ranges::copy(sections.bytes(), json_end);
  return out;
}

}  // namespace gvbind
