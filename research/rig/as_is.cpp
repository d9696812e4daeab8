// Skeletons of a user's own that already lie in the mesh: see docs/measurements/rig.md.
//
//   rig_as_is OTHER,... FILE...
//
// For each file and each template (its own skeleton exactly, at other proportions, and those of the
// other files): whether the template taken as it lies or the one that is placed is nearer to the
// artist's joints, and what bones_in_body() says of both. A line for each: file, template, way,
// inside, flesh, mean and largest distance of the size, joints.

#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "rig/bones_in_body.h"
#include "rig/rig_character.h"
#include "rig/rig_template.h"
#include "rig/skeleton_words.h"
#include "rig_body.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;

/// Least squares over scale and translation.
std::vector<Vector3d> moved_onto(const std::vector<Joint>& joints,
                                 const std::vector<Vector3d>& to) {
  Vector3d a = Vector3d::Zero(), b = Vector3d::Zero();
  for (std::size_t j = 0; j < to.size(); ++j) {
    a += joints[j].position / static_cast<double>(to.size());
    b += to[j] / static_cast<double>(to.size());
  }
  double with = 0.0, own = 0.0;
  for (std::size_t j = 0; j < to.size(); ++j) {
    with += (joints[j].position - a).dot(to[j] - b);
    own += (joints[j].position - a).squaredNorm();
  }
  std::vector<Vector3d> made;
  for (const Joint& joint : joints) made.push_back(b + with / own * (joint.position - a));
  return made;
}

struct Truth {
  std::map<std::string, Vector3d> by_name, by_role;
};

Truth truth_of(const research::Body& body) {
  Truth truth;
  const std::vector<std::string> roles = rig::skeleton_roles(body.joints);
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    if (!body.weighted[j]) continue;
    truth.by_name.emplace(body.joints[j].name, body.joints[j].position);
    if (!roles[j].empty() && !roles[j].starts_with("spine") && roles[j] != "chest")
      truth.by_role.emplace(roles[j], body.joints[j].position);
  }
  return truth;
}

void tell(const std::string& file, const std::string& from, const char* way,
          const research::Body& body, const rig::BodyVolume& volume,
          const std::vector<Joint>& skeleton, const std::vector<Vector3d>& places, bool by_role) {
  const Truth truth = truth_of(body);
  const std::vector<std::string> roles = rig::skeleton_roles(skeleton);
  std::vector<Vector3d> in_body;
  double sum = 0.0, most = 0.0;
  int count = 0;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    in_body.push_back(volume.from_bind(places[j]));
    const auto& known = by_role ? truth.by_role : truth.by_name;
    const auto found = known.find(by_role ? roles[j] : skeleton[j].name);
    if (found == known.end()) continue;
    const double off = (found->second - places[j]).norm() / body.size;
    sum += off;
    most = std::max(most, off);
    ++count;
  }
  const rig::BonesInBody fit = rig::bones_in_body(skeleton, volume, in_body);
  std::printf("%s\t%s\t%s\t%.4f\t%.5f\t%.4f\t%.4f\t%d\n", file.c_str(), from.c_str(), way,
              fit.inside, fit.flesh, sum / std::max(count, 1), most, count);
}

void run_template(const std::string& file, const std::string& from, const research::Body& body,
                  const rig::BodyVolume& volume, const std::vector<Joint>& skeleton, bool by_role) {
  rig::RigOptions options;
  if (body.stands) options.orient = rig::OrientRule::upright;
  const rig::RiggedCharacter rigged =
      rig::rig_character({body.positions, body.triangles}, skeleton, options);
  std::vector<Vector3d> places, given;
  for (const rig::RiggedJoint& joint : rigged.joints) places.push_back(joint.position);
  for (const Joint& joint : skeleton) given.push_back(joint.position);
  tell(file, from, "placed", body, volume, skeleton, places, by_role);
  tell(file, from, "given", body, volume, skeleton, given, by_role);
  tell(file, from, "moved", body, volume, skeleton, moved_onto(skeleton, places), by_role);
}

void run_file(const std::string& file, const std::vector<std::string>& others) {
  const research::Body body = research::body_of(file);
  if (body.joints.empty() || body.positions.empty()) return;
  const rig::BodyVolume volume = rig::body_volume({body.positions, body.triangles});
  run_template(file, "same", body, volume, body.joints, false);
  for (unsigned seed = 1; seed <= 2; ++seed)
    run_template(file, "changed" + std::to_string(seed), body, volume,
                 research::changed(body.joints, seed), false);
  for (const std::string& other : others)
    if (other != file)
      run_template(file, other.substr(other.rfind('/') + 1), body, volume,
                   research::body_of(other).joints, true);
}

}  // namespace
}  // namespace gvbind

int main(int count, char** arguments) {
  std::vector<std::string> others;
  std::istringstream list(count > 1 ? arguments[1] : "");
  for (std::string one; std::getline(list, one, ',');) others.push_back(one);
  for (int i = 2; i < count; ++i) {
    try {
      gvbind::run_file(arguments[i], others);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", arguments[i], error.what());
    }
    std::fflush(stdout);
  }
  return 0;
}
