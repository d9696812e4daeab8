#include "formats/import/scene_stream.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

constexpr std::size_t longest_text = 1024;

class SceneEncoder {
 public:
  template <typename T>
  void value(const T& v) {
    static_assert(std::is_arithmetic_v<T>);
    raw(&v, sizeof v);
  }
  void text(const std::string& v) {
    const std::size_t size = std::min(v.size(), longest_text);
    value<std::uint64_t>(size);
    raw(v.data(), size);
  }
  template <typename T>
  void list(const std::vector<T>& v) {
    value<std::uint64_t>(v.size());
    raw(v.data(), v.size() * sizeof(T));
  }
  template <typename Derived>
  void matrix(const Eigen::PlainObjectBase<Derived>& v) {
    raw(v.data(), sizeof(typename Derived::Scalar) * static_cast<std::size_t>(v.size()));
  }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  void raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<std::uint8_t> bytes_;
};

class SceneDecoder {
 public:
  explicit SceneDecoder(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <typename T>
  T value() {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    T v{};
    raw(&v, sizeof v);
    return v;
  }
  bool flag() { return value<std::uint8_t>() != 0; }
  std::string text() {
    std::string v(count(1), '\0');
    if (v.size() > longest_text) damaged();
    raw(v.data(), v.size());
    return clean_name(v);
  }
  template <typename T>
  std::vector<T> list() {
    std::vector<T> v(count(sizeof(T)));
    raw(v.data(), v.size() * sizeof(T));
    return v;
  }
  template <typename Matrix>
  Matrix matrix() {
    Matrix v;
    raw(v.data(), sizeof(typename Matrix::Scalar) * static_cast<std::size_t>(v.size()));
    return v;
  }
  /// Reads a count of elements with at least `size` bytes each.
  std::size_t count(std::size_t size) {
    const auto n = value<std::uint64_t>();
    if (n > bytes_.size() / size) damaged();
    return n;
  }
  bool at_end() const { return bytes_.empty(); }
  [[noreturn]] static void damaged() {
    throw Error(ErrorKind::input, "the reader's answer is damaged");
  }

 private:
  void raw(void* data, std::size_t size) {
    if (size > bytes_.size()) damaged();
    if (size > 0) std::memcpy(data, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }
  std::span<const std::uint8_t> bytes_;
};

void encode_mesh(const SceneMesh& mesh, SceneEncoder& out) {
  out.text(mesh.name);
  out.list(mesh.positions);
  out.list(mesh.triangles);
  out.list(mesh.skin_joints);
  out.list(mesh.weights.first);
  out.list(mesh.weights.joint);
  out.list(mesh.weights.weight);
  out.value(mesh.attached_to);
  out.list(mesh.normals);
  out.list(mesh.texture_coordinates);
  out.value<std::uint8_t>(mesh.color.has_value());
  out.matrix(mesh.color.value_or(Eigen::Vector4f::Zero()));
  out.text(mesh.materials.empty() ? std::string() : mesh.materials[0]);
}

SceneMesh decode_mesh(SceneDecoder& in) {
  SceneMesh mesh;
  mesh.name = in.text();
  mesh.positions = in.list<Eigen::Vector3d>();
  mesh.triangles = in.list<Triangle>();
  mesh.skin_joints = in.list<int>();
  mesh.weights.first = in.list<std::uint32_t>();
  mesh.weights.joint = in.list<std::uint32_t>();
  mesh.weights.weight = in.list<float>();
  mesh.attached_to = in.value<int>();
  mesh.normals = in.list<Eigen::Vector3f>();
  mesh.texture_coordinates = in.list<Eigen::Vector2f>();
  const bool colored = in.flag();
  const auto color = in.matrix<Eigen::Vector4f>();
  if (colored) mesh.color = color;
  const std::string material = in.text();
  if (!material.empty()) mesh.materials = {material};
  return mesh;
}

void require_sound(bool holds, const std::string& thing, const std::string& what) {
  if (!holds) throw Error(ErrorKind::input, thing + " " + what);
}

template <typename Vector>
void require_finite(const std::vector<Vector>& values, const std::string& thing,
                    const std::string& what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!values[i].allFinite())
      throw Error(ErrorKind::input,
                  thing + ": " + what + " " + std::to_string(i) + " is not finite");
}

void check_weights(const SceneMesh& mesh, std::size_t joint_count, const std::string& thing) {
  const SkinWeights& weights = mesh.weights;
  require_sound(!weights.first.empty() && weights.first.front() == 0, thing, "has damaged weights");
  if (weights.empty() && weights.joint.empty() && weights.weight.empty()) return;
  require_sound(weights.vertex_count() == mesh.positions.size() &&
                    weights.first.back() == weights.joint.size() &&
                    weights.joint.size() == weights.weight.size(),
                thing, "has damaged weights");
  for (std::size_t v = 1; v < weights.first.size(); ++v)
    require_sound(weights.first[v - 1] <= weights.first[v], thing, "has damaged weights");
  for (const std::uint32_t joint : weights.joint)
    require_sound(joint < joint_count, thing, "has a weight for a joint that does not exist");
  for (const float weight : weights.weight)
    require_sound(std::isfinite(weight) && weight > 0, thing,
                  "has a weight that is not above zero");
}

void check_mesh(const SceneMesh& mesh, std::size_t joint_count) {
  const std::string thing = "mesh '" + mesh.name + "'";
  const std::size_t n = mesh.positions.size();
  for (const Triangle& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle)
      require_sound(corner < n, thing, "has a face with a vertex that does not exist");
  const auto is_joint = [&](int j) { return j >= 0 && static_cast<std::size_t>(j) < joint_count; };
  for (const int joint : mesh.skin_joints)
    require_sound(is_joint(joint), thing, "has a damaged skin");
  require_sound(mesh.attached_to == -1 || is_joint(mesh.attached_to), thing, "hangs from no joint");
  require_sound(mesh.normals.empty() || mesh.normals.size() == n, thing, "lacks normals");
  require_sound(mesh.texture_coordinates.empty() || mesh.texture_coordinates.size() == n, thing,
                "lacks texture coordinates");
  require_finite(mesh.positions, thing, "vertex");
  require_finite(mesh.normals, thing, "normal");
  require_finite(mesh.texture_coordinates, thing, "texture coordinate");
  require_sound(!mesh.color || mesh.color->allFinite(), thing, "has a color that is not finite");
  check_weights(mesh, joint_count, thing);
}

void check_scene(const Scene& scene) {
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const SceneJoint& joint = scene.joints[j];
    const std::string thing = "joint '" + joint.name + "'";
    require_sound(joint.parent >= -1 && joint.parent < static_cast<int>(j), thing,
                  "has no such parent");
    require_sound(joint.bind.matrix().allFinite(), thing, "has a transform that is not finite");
  }
  for (const SceneMesh& mesh : scene.meshes) check_mesh(mesh, scene.joints.size());
  const Units& units = scene.units;
  require_sound(std::isfinite(units.meters) && units.meters > 0 && units.up.allFinite() &&
                    units.front.allFinite(),
                "the file", "has damaged units");
}

}  // namespace

std::vector<std::uint8_t> encode_scene(const ImportedScene& imported) {
  SceneEncoder out;
  const Scene& scene = imported.scene;
  out.value<std::uint64_t>(scene.joints.size());
  for (const SceneJoint& joint : scene.joints) {
    out.text(joint.name);
    out.value(joint.parent);
    out.matrix(joint.bind.matrix());
    out.value<std::uint8_t>(joint.deforms);
  }
  out.value<std::uint64_t>(scene.meshes.size());
  for (const SceneMesh& mesh : scene.meshes) encode_mesh(mesh, out);
  out.value(scene.units.meters);
  out.matrix(scene.units.up);
  out.matrix(scene.units.front);
  out.value<std::uint8_t>(scene.units.known);
  out.value<std::uint64_t>(imported.findings.size());
  for (const Finding& finding : imported.findings) {
    out.value<std::uint8_t>(finding.severity == Severity::note ? 0 : 1);
    out.text(finding.code);
    out.text(finding.message);
    out.text(finding.pointer);
  }
  out.value<std::uint64_t>(scene.sidecars.size());
  for (const std::string& sidecar : scene.sidecars) out.text(sidecar);
  return out.take();
}

ImportedScene decode_scene(std::span<const std::uint8_t> bytes) {
  SceneDecoder in(bytes);
  ImportedScene imported;
  Scene& scene = imported.scene;
  // The smallest size of an element bounds each count before memory is allocated.
  scene.joints.resize(in.count(sizeof(double) * 16));
  for (SceneJoint& joint : scene.joints) {
    joint.name = in.text();
    joint.parent = in.value<int>();
    joint.bind.matrix() = in.matrix<Eigen::Matrix4d>();
    joint.bind.makeAffine();
    joint.deforms = in.flag();
  }
  const std::size_t mesh_count = in.count(sizeof(std::uint64_t) * 9);
  for (std::size_t m = 0; m < mesh_count; ++m) scene.meshes.push_back(decode_mesh(in));
  scene.units.meters = in.value<double>();
  scene.units.up = in.matrix<Eigen::Vector3d>();
  scene.units.front = in.matrix<Eigen::Vector3d>();
  scene.units.known = in.flag();
  const std::size_t finding_count = in.count(sizeof(std::uint64_t) * 3);
  for (std::size_t f = 0; f < finding_count; ++f) {
    Finding finding;
    finding.severity = in.value<std::uint8_t>() == 0 ? Severity::note : Severity::warning;
    finding.code = in.text();
    finding.message = in.text();
    finding.pointer = in.text();
    imported.findings.push_back(std::move(finding));
  }
  const std::size_t sidecar_count = in.count(sizeof(std::uint64_t));
  for (std::size_t s = 0; s < sidecar_count; ++s) scene.sidecars.push_back(in.text());
  if (!in.at_end()) SceneDecoder::damaged();
  check_scene(scene);
  return imported;
}

}  // namespace gvbind
