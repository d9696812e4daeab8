#include "rig/face_parts.h"

#include <Eigen/Geometry>
#include <array>

#include "rig/named_parts.h"

namespace gvbind::rig {

namespace {

// No ears, hair or hats: these are at the sides or all around. A "face" may be a whole head, and
// goggles have straps.
constexpr std::array<std::string_view, 30> face_words{
    {"beak",    "beard",    "brow",       "brows",     "cornea",   "eye",     "eyeball", "eyeballs",
     "eyebrow", "eyebrows", "eyelash",    "eyelashes", "eyelid",   "eyelids", "eyes",    "glasses",
     "iris",    "lips",     "moustache",  "mouth",     "mustache", "nose",    "pupil",   "pupils",
     "sclera",  "snout",    "sunglasses", "teeth",     "tongue",   "tooth"}};
// A "face" with more than a third of all triangles is not one.
constexpr std::size_t least_ratio = 3;

}  // namespace

bool names_face_part(std::string_view name) { return has_word(name, face_words); }

std::vector<std::vector<Triangle>> face_triangles(const Scene& scene) {
  std::vector<std::vector<Triangle>> face(scene.meshes.size());
  std::size_t all = 0, of_face = 0;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    if (!scene.meshes[m].selected) continue;
    const SceneMesh& mesh = scene.meshes[m];
    face[m] =
        names_face_part(mesh.name) ? mesh.triangles : triangles_by_material(mesh, face_words, true);
    all += mesh.triangles.size();
    of_face += face[m].size();
  }
  if (least_ratio * of_face > all) face.assign(scene.meshes.size(), {});
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
