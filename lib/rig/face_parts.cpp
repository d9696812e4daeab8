#include "rig/face_parts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <string>

#include "rig/joint_words.h"

namespace gvbind::rig {

namespace {

// No ears, hair or hats: these are at the sides or all around. A "face" may be a whole head, and
// goggles have straps.
constexpr std::array<std::string_view, 30> face_words{
    {"beak",    "beard",    "brow",       "brows",     "cornea",   "eye",     "eyeball", "eyeballs",
     "eyebrow", "eyebrows", "eyelash",    "eyelashes", "eyelid",   "eyelids", "eyes",    "glasses",
     "iris",    "lips",     "moustache",  "mouth",     "mustache", "nose",    "pupil",   "pupils",
     "sclera",  "snout",    "sunglasses", "teeth",     "tongue",   "tooth"}};
constexpr std::size_t least_body = 3;  // all triangles, relative to those of faces

/// A triangle has its mesh's name or its material's.
std::vector<Triangle> triangles_of_face(const SceneMesh& mesh) {
  if (names_face_part(mesh.name)) return mesh.triangles;
  std::vector<bool> named;
  for (const std::string& name : mesh.materials) named.push_back(names_face_part(name));
  if (std::ranges::find(named, true) == named.end()) return {};
  std::vector<Triangle> face;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int material = mesh.triangle_materials.empty() ? 0 : mesh.triangle_materials[t];
    if (material >= 0 && named[static_cast<std::size_t>(material)])
      face.push_back(mesh.triangles[t]);
  }
  return face;
}

}  // namespace

bool names_face_part(std::string_view name) {
  return std::ranges::any_of(words_of_name(name), [](const std::string& word) {
    return std::ranges::find(face_words, std::string_view(word)) != face_words.end();
  });
}

std::vector<std::vector<Triangle>> face_triangles(const Scene& scene) {
  std::vector<std::vector<Triangle>> face(scene.meshes.size());
  std::size_t all = 0, of_face = 0;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    if (!scene.meshes[m].selected) continue;
    face[m] = triangles_of_face(scene.meshes[m]);
    all += scene.meshes[m].triangles.size();
    of_face += face[m].size();
  }
  if (least_body * of_face > all) face.assign(scene.meshes.size(), {});
  return face;
}

std::optional<Eigen::Vector3d> surface_center(std::span<const Eigen::Vector3d> positions,
                                              std::span<const Triangle> triangles) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double area = 0.0;
  for (const Triangle& t : triangles) {
    const Eigen::Vector3d &a = positions[t[0]], &b = positions[t[1]], &c = positions[t[2]];
    const double own = (b - a).cross(c - a).norm();
    sum += own * (a + b + c) / 3.0;
    area += own;
  }
  if (!(area > 0.0)) return std::nullopt;
  return Eigen::Vector3d(sum / area);
}

}  // namespace gvbind::rig
