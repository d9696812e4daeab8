// Prints what research/rig/fit_proportions.py fits the proportions of a human to: the ways that
// arms and legs take through bodies, and the joints that the artists gave those.
//
//   rig_limb_paths FILE...
//
// Lines, their fields between tabs; lengths and places in voxels, of the body turned upright:
//
//   SKIP   file, why
//   FILE   file, size, x of the plane between the sides, lowest corner, highest corner (x y z each)
//   JOINT  role, x, y, z: of the artist, those with weights
//   NECK   x, y, z: where place_limbs() puts it
//   LIMB   name of its first joint, length to where it leaves the trunk, depth
//   POINT  x, y, z: of that limb's path, from the tip to the middle of the body

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "gvbind/error.h"
#include "rig/body_volume.h"
#include "rig/builtin_templates.h"
#include "rig/orientation.h"
#include "rig/place_limbs.h"
#include "rig/skeleton_words.h"
#include "rig_body.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;

constexpr double symmetric_body = 0.8;  // as rig_character() has it

/// By role, in voxels; of several joints with one role the first that has weights.
std::map<std::string, Vector3d> places_by_role(const research::Body& body,
                                               const rig::BodyVolume& volume) {
  std::map<std::string, Vector3d> places;
  const std::vector<std::string> roles = rig::skeleton_roles(body.joints);
  for (std::size_t j = 0; j < body.joints.size(); ++j)
    if (body.weighted[j] && !roles[j].empty())
      places.emplace(roles[j], volume.from_bind(body.joints[j].position));
  return places;
}

void print_place(const char* name, const Vector3d& place) {
  std::printf("%s\t%g\t%g\t%g\n", name, place.x(), place.y(), place.z());
}

void print_limbs(const rig::RigTemplate& rig, const rig::BodyVolume& body) {
  const rig::SymmetryPlane plane = rig::find_symmetry_plane(body);
  rig::BodyTips tips = rig::find_tips(body);
  if (plane.share >= symmetric_body) rig::add_mirrored_tips(body, plane, tips);
  const rig::TipAssignment assignment = rig::assign_tips(rig, tips, plane);
  const rig::JointPlaces places = rig::place_limbs(rig, body, tips, assignment, plane);
  for (std::size_t j = 0; j < places.size(); ++j)
    if (places[j] && rig.words[j] == rig::JointWord::neck) print_place("NECK", *places[j]);
  for (const rig::FoundLimb& found : rig::found_limbs(rig, body, tips, assignment, plane)) {
    const rig::TemplateLimb& limb = rig.limbs[found.limb];
    if (limb.is_axial) continue;
    std::printf("LIMB\t%s\t%g\t%g\n",
                rig.joints[static_cast<std::size_t>(limb.joints[limb.root])].name.c_str(),
                found.exit, found.depth);
    for (const Vector3d& point : found.path->points) print_place("POINT", point);
  }
}

void print_file(const rig::RigTemplate& rig, const std::string& file) {
  const research::Body own = research::body_of(file);
  std::vector<Joint> joints;
  for (std::size_t j = 0; j < own.joints.size(); ++j)
    if (own.weighted[j]) joints.push_back(own.joints[j]);
  const MeshView mesh{own.positions, own.triangles};
  rig::BodyVolume body = rig::body_volume(mesh);
  const auto outside = static_cast<std::size_t>(std::ranges::count_if(joints, [&](const Joint& j) {
    return body.find(body.from_bind(j.position)) == rig::no_cell;
  }));
  if (2 * outside > joints.size()) {
    std::printf("SKIP\t%s\t%zu of %zu joints outside the body\n", file.c_str(), outside,
                joints.size());
    return;
  }
  rig::OrientationOptions known;
  known.up_is_known = own.stands;
  if (own.face) known.face_place = body.from_bind(*own.face);
  if (const Eigen::Matrix3d turn = rig::best_orientation(rig, body, known); !turn.isIdentity())
    body = rig::body_volume(mesh, {.turn = turn});
  const Vector3d low = (body.low.array() + 1).cast<double>();
  const Vector3d high = (body.low + body.extent).array().cast<double>() - 1.0;
  std::printf("FILE\t%s\t%g\t%g\t%g %g %g\t%g %g %g\n", file.c_str(), body.size(),
              rig::find_symmetry_plane(body).at, low.x(), low.y(), low.z(), high.x(), high.y(),
              high.z());
  for (const auto& [role, place] : places_by_role(own, body))
    print_place(("JOINT\t" + role).c_str(), place);
  print_limbs(rig, body);
}

}  // namespace
}  // namespace gvbind

int main(int count, char** files) {
  const gvbind::rig::RigTemplate rig =
      gvbind::rig::analyzed_template(gvbind::rig::builtin_template("biped").value());
  for (int i = 1; i < count; ++i) {
    try {
      gvbind::print_file(rig, files[i]);
    } catch (const std::exception& error) {
      std::printf("SKIP\t%s\t%s\n", files[i], error.what());
    }
    std::fflush(stdout);
  }
  return 0;
}
