// Prints signs that may tell the front of a body from its back, beside the front that its artist's
// names of left and right give it: see docs/measurements/rig.md.
//
//   rig_front_cues FILE...
//
// Lines, their fields between tabs; a cue is positive where it points to the front of the placed
// skeleton:
//
//   FILE   file, 1 where that is the artist's front and -1 where it is the back, else 0
//   CUE    name, value
//   SKIP   file, why

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "gvbind/error.h"
#include "rig/builtin_templates.h"
#include "rig/feet.h"
#include "rig/front_cues.h"
#include "rig/rig_character.h"
#include "rig/skeleton_words.h"
#include "rig_body.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;

using Places = std::map<std::string, Vector3d>;

/// From the artist's right to left; zero where names do not tell.
Vector3d left_of(const research::Body& body) {
  const std::vector<std::string> roles = rig::skeleton_roles(body.joints);
  Places places;
  for (std::size_t j = 0; j < body.joints.size(); ++j)
    if (!roles[j].empty() && body.weighted[j]) places.emplace(roles[j], body.joints[j].position);
  Vector3d left = Vector3d::Zero();
  for (const std::string word : {"thigh", "shin", "foot", "upper_arm", "forearm", "hand"})
    if (const auto l = places.find(word + ".L"), r = places.find(word + ".R");
        l != places.end() && r != places.end())
      left += l->second - r->second;
  return left;
}

void print_cue(const char* name, double value) { std::printf("CUE\t%s\t%.4f\n", name, value); }

/// The middle of both sides.
Vector3d both(const Places& places, const std::string& word) {
  return 0.5 * (places.at(word + ".L") + places.at(word + ".R"));
}

/// How far the middle joint is before the line between the others, relative to its length.
double bend(const Places& places, const char* from, const char* middle, const char* to) {
  const Vector3d a = both(places, from), line = both(places, to) - a,
                 way = both(places, middle) - a;
  const double t = way.dot(line) / std::max(line.squaredNorm(), 1e-9);
  return (way - t * line).z() / std::max(line.norm(), 1.0);
}

/// The mean of all cells between two heights.
Vector3d middle_between(const rig::BodyVolume& body, double low, double high) {
  Vector3d sum = Vector3d::Zero();
  double count = 0.0;
  for (std::uint32_t c = 0; c < body.cells.size(); ++c) {
    const Vector3d center = body.center(c);
    if (center.y() < low || center.y() >= high) continue;
    sum += center;
    ++count;
  }
  return sum / std::max(count, 1.0);
}

void print_cues(const rig::BodyVolume& body, const Places& places) {
  const rig::SymmetryPlane plane = rig::find_symmetry_plane(body);
  const rig::BodyTips tips = rig::find_tips(body);
  const double size = body.size(), head = places.at("head").y();
  const Eigen::Vector3i up = Eigen::Vector3i::UnitY();
  print_cue("soles before ankles",
            rig::combined_feet(rig::find_feet(body, up), plane, size).forward.z());
  print_cue("tail behind", -rig::tail_direction(body, tips, plane, up).z());
  print_cue("knees", bend(places, "thigh", "shin", "foot"));
  print_cue("elbows behind", -bend(places, "upper_arm", "forearm", "hand"));
  print_cue("hands before shoulders",
            (both(places, "hand") - both(places, "upper_arm")).z() / size);
  print_cue("hips before shoulders",
            (both(places, "thigh") - both(places, "upper_arm")).z() / size);
  print_cue(
      "head before neck",
      (middle_between(body, head, 0.5 * (head + tips.high.y())) - places.at("neck")).z() / size);
}

void print_file(const std::string& file) {
  const research::Body body = research::body_of(file);
  const std::vector<Joint> skeleton = rig::builtin_template("biped").value();
  rig::RigOptions options;
  if (body.stands) options.orient = rig::OrientRule::upright;
  options.face = body.face;
  const MeshView mesh{body.positions, body.triangles};
  const rig::RiggedCharacter rigged = rig::rig_character(mesh, skeleton, options);
  const rig::BodyVolume volume = rig::body_volume(mesh, {.turn = rigged.turn});
  const double along = (rigged.turn * left_of(body).cross(Vector3d::UnitY()).normalized()).z();
  std::printf("FILE\t%s\t%d\n", file.c_str(), along > 0.7 ? 1 : along < -0.7 ? -1 : 0);
  Places places;
  const std::vector<std::string> roles = rig::skeleton_roles(skeleton);
  for (std::size_t j = 0; j < skeleton.size(); ++j)
    if (!roles[j].empty()) places.emplace(roles[j], volume.from_bind(rigged.joints[j].position));
  print_cues(volume, places);
}

}  // namespace
}  // namespace gvbind

int main(int count, char** files) {
  for (int i = 1; i < count; ++i) {
    try {
      gvbind::print_file(files[i]);
    } catch (const std::exception& error) {
      std::printf("SKIP\t%s\t%s\n", files[i], error.what());
    }
    std::fflush(stdout);
  }
  return 0;
}
