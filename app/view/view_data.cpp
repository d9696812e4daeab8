#include "view/view_data.h"

#include <Eigen/SVD>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "check/check.h"
#include "check/penetration.h"
#include "formats/clip.h"
#include "gvbind/base/path_text.h"
#include "gvbind/bind_options.h"
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

/// Adds to the page's poses the random poses in which `check` measures.
class CheckPoses {
 public:
  CheckPoses(const Scene& scene, const check::StretchOptions& options, Json& poses)
      : scene_(scene), options_(options), poses_(poses) {}

  /// The index on the page of a pose of check.
  std::size_t index(int pose) {
    const auto [found, is_new] = known_.emplace(pose, poses_.size());
    if (is_new) {
      Json turns = Json::array();
      for (const SceneJoint& joint : scene_.joints) {
        const Eigen::Matrix3d turn = joint.parent < 0
                                         ? Eigen::Matrix3d::Identity()
                                         : check::random_turn(joint, pose, options_).rotation();
        turns.push_back(numbers(preview::turn_in_frame(joint.bind, turn).coeffs().data(), 4));
      }
      poses_.push_back(
          {{"name", "random pose " + std::to_string(pose)}, {"turns", std::move(turns)}});
    }
    return found->second;
  }

 private:
  const Scene& scene_;
  check::StretchOptions options_;
  Json& poses_;
  std::map<int, std::size_t> known_;
};

/// The worst places of check's measures. `poses`: of the page; gets those in which they were found.
Json marks_json(const Scene& scene, const check::CheckResult& check,
                const check::StretchOptions& options, Json& poses) {
  Json marks = Json::array();
  const auto add = [&](const char* kind, std::uint32_t joint, std::uint32_t other, double amount,
                       std::uint32_t at) -> Json& {
    marks.push_back({{"kind", kind},
                     {"joint", joint},
                     {"other", other},
                     {"amount", amount},
                     {"at", place_json(check, at)}});
    return marks.back();
  };
  CheckPoses known(scene, options, poses);
  for (const check::FarJoint& far : check.far_joints.joints)
    if (far.excess > 0.0) add("far", far.joint, far.nearest, far.excess, far.vertex);
  for (const check::BleedPair& pair : check.bleed.pairs)
    add("bleed", pair.other, pair.own, pair.worst, pair.vertex);
  for (const check::PenetrationPair& pair :
       check::measure_penetration(check.surface, scene.joints, options).pairs) {
    Json& mark = add("layer", pair.inner, pair.outer, pair.worst, pair.vertex);
    mark["to"] = place_json(check, pair.over);
    mark["pose"] = known.index(pair.pose);
  }
  for (const check::StretchPair& pair : check.stretch.pairs) {
    Json& mark = add("stretch", pair.a, pair.b, pair.worst, pair.vertex_a);
    mark["to"] = place_json(check, pair.vertex_b);
    if (pair.edges > 0) mark["pose"] = known.index(pair.pose);
  }
  return marks;
}

/// The findings and measures of `gvbind check`, with the vertices where they are worst. `poses`: as
/// for marks_json().
Json check_json(const Scene& scene, Json& poses) {
  if (!scene.has_skin()) return nullptr;
  const check::CheckOptions options;
  const check::CheckResult check = check::check_scene(scene, options);
  Json findings = Json::array(), dead = Json::array();
  for (const Finding& finding : check.findings)
    findings.push_back({{"code", finding.code}, {"message", finding.message}});
  for (const check::DeadJoint& joint : check.dead_joints) dead.push_back(joint.joint);
  return {{"findings", findings},
          {"marks", marks_json(scene, check, options.stretch, poses)},
          {"dead", dead}};
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

/// Rows of weights: where each vertex begins, joints, weights; 32 bits each. Null without rows.
Json rows_json(const SkinWeights& rows, Sections& sections) {
  if (rows.empty()) return nullptr;
  Json out;
  out["first"] = sections.add(rows.first);
  out["joint"] = sections.add(rows.joint);
  out["weight"] = sections.add(rows.weight);
  return out;
}

/// By mesh.
Json weights_json(const Scene& scene, Sections& sections) {
  Json out = Json::array();
  for (const SceneMesh& mesh : scene.meshes) out.push_back(rows_json(mesh.weights, sections));
  return out;
}

Json solids_json(const std::vector<ViewSolid>& solids, Sections& sections) {
  Json out = Json::array();
  for (const ViewSolid& solid : solids) {
    Json one = {{"center", vector_json(solid.cube.center)},
                {"voxel", voxel_size(solid.resolution) / solid.cube.scale},
                {"resolution", solid.resolution}};
    one["skip"] = sections.add(solid.skip);
    one["leaf"] = sections.add(solid.leaf);
    out.push_back(std::move(one));
  }
  return out;
}

Json tuning_json(const ViewTuning& tuning, const Eigen::Affine3d& to_world, Sections& sections) {
  Json meshes = Json::array(), taken = Json::array(), alphas = Json::array(),
       forbidden = Json::array();
  for (const auto& [joint, alpha] : tuning.joint_alphas) alphas.push_back({joint, alpha});
  for (const ForbiddenJoints& pair : tuning.forbidden)
    forbidden.push_back({pair.first, pair.second});
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
    one["held"] = rows_json(mesh.held, sections);
    meshes.push_back(std::move(one));
  }
  for (const std::vector<std::uint32_t>& vertices : tuning.taken)
    taken.push_back(vertices.empty() ? Json() : Json(sections.add(vertices)));
  return {{"field", tuning.field},
          {"input", tuning.input},
          {"alpha", tuning.alpha},
          {"alphas", std::move(alphas)},
          {"prune", tuning.prune},
          {"influences", tuning.influences},
          {"least", tuning.least_influences},
          {"most", tuning.most_influences},
          {"smooth", tuning.smooth_limit},
          {"forbidden", std::move(forbidden)},
          {"forbid", tuning.forbid},
          {"to_world", matrix_json(to_world * tuning.to_page)},
          {"solids", solids_json(tuning.solids, sections)},
          {"start", tuning.start},
          {"taken", std::move(taken)},
          {"meshes", std::move(meshes)}};
}

Json binder_json(const ViewBinder& binder, Sections& sections) {
  const BindOptions usual;
  Json out = {{"name", binder.name}};
  out["file"] = sections.add(binder.file);
  out["wasm"] = sections.add(binder.wasm);
  out["script"] = sections.add(binder.script);
  out["defaults"] = {{"resolution", usual.resolution},
                     {"weights", "fitted"},
                     {"alpha", usual.alpha},
                     {"penalty", usual.penalty}};
  return out;
}

}  // namespace

std::vector<std::uint8_t> view_data(const ViewInput& input, const ViewExtras& extras) {
  const ViewComparison* const other = extras.other;
  const Scene& scene = other ? other->match.ours : input.scene;
  const Eigen::Affine3d to_world = world_to_bind(input.document, input.scene).inverse();
  Sections sections;
  Json poses = poses_json(scene), check = check_json(input.scene, poses);
  Json json = {{"version", 1},
               {"name", path_text(std::filesystem::path(input.path).filename())},
               {"to_world", matrix_json(to_world)},
               {"up", vector_json(to_world.linear() * scene.units.up)},
               {"front", vector_json(to_world.linear() * scene.units.front)},
               {"joints", joints_json(scene, to_world)},
               {"meshes", meshes_json(scene, to_world)},
               {"poses", std::move(poses)},
               {"check", std::move(check)},
               {"glb", sections.add(input.glb)}};
  json["weights"] = weights_json(scene, sections);
  if (other)
    json["compare"] = {{"name", other->name},
                       {"weights", weights_json(other->match.theirs, sections)}};
  if (extras.tuning) json["tune"] = tuning_json(*extras.tuning, to_world, sections);
  if (extras.binder) json["binder"] = binder_json(*extras.binder, sections);
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
