// Weights of found skeletons beside those of artists: see docs/measurements/rig.md.
//
//   rig_weights_beside TEMPLATE FILE...
//
// Joints of two skeletons are compared by role: each belongs to the nearest joint at or above it
// whose role both skeletons have, or to the trunk, which hips, spine and chest are one role of.
//
// A line for each file: name, vertices with weights, roles in common; then how far the weights of
// the rigged mesh are from the artist's (the mean over vertices of the sum of differences over
// roles, 0 to 2) and at how many percent of vertices the same role is the largest; then both for
// the artist's own skeleton, bound.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gvbind/bind_skin.h"
#include "gvbind/error.h"
#include "rig/builtin_templates.h"
#include "rig/joint_words.h"
#include "rig/rig_character.h"
#include "skinned_body.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;

constexpr std::size_t least_roles = 8;
constexpr int resolution = 128;

struct Body : test::SkinnedBody {
  std::vector<bool> in_use;  ///< joints with weight at or below them
};

/// Of each joint, the role that it belongs to.
using RoleOfJoint = std::vector<std::size_t>;

/// Rows of roles, one after the other; zeros where a vertex has no weights.
struct RoleWeights {
  std::size_t roles;
  std::vector<double> weight;
};

struct Difference {
  double mean = 0.0;          ///< of the sum over roles, 0 to 2
  double same_largest = 0.0;  ///< share of vertices
};

/// Joints without weight at or below them are controls and ends, whose names would count as roles.
Body body_of(const std::string& file) {
  Body body{test::skinned_body(file), {}};
  for (const double weight : body.joint_weight) body.in_use.push_back(weight > 0.0);
  for (std::size_t j = body.joints.size(); j-- > 0;)
    if (body.in_use[j] && body.joints[j].parent >= 0)
      body.in_use[static_cast<std::size_t>(body.joints[j].parent)] = true;
  return body;
}

/// Riggers split the trunk where they like.
std::string shared_role(const std::string& joint) {
  const std::string role = rig::joint_role(joint);
  return role == "hips" || role == "spine" || role == "chest" ? "trunk" : role;
}

std::set<std::string> roles_of(const std::vector<Joint>& joints, const std::vector<bool>& counts) {
  std::set<std::string> roles;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (counts[j]) roles.insert(shared_role(joints[j].name));
  roles.erase("");
  return roles;
}

/// Sorted. The trunk is always among them, as it takes joints without another role.
std::vector<std::string> common_roles(const Body& body, const std::vector<Joint>& made) {
  const std::set<std::string> own = roles_of(body.joints, body.in_use);
  const std::set<std::string> ours = roles_of(made, std::vector<bool>(made.size(), true));
  std::vector<std::string> both;
  std::ranges::set_intersection(own, ours, std::back_inserter(both));
  const auto trunk = std::ranges::lower_bound(both, "trunk");
  if (trunk == both.end() || *trunk != "trunk") both.insert(trunk, "trunk");
  return both;
}

RoleOfJoint role_of_joints(const std::vector<Joint>& joints,
                           const std::vector<std::string>& roles) {
  const auto index_of = [&](const std::string& role) {
    return static_cast<std::size_t>(std::ranges::find(roles, role) - roles.begin());
  };
  RoleOfJoint role_of;
  for (const Joint& joint : joints) {
    const std::size_t own = index_of(shared_role(joint.name));
    if (own < roles.size())
      role_of.push_back(own);
    else if (joint.parent >= 0)
      role_of.push_back(role_of[static_cast<std::size_t>(joint.parent)]);
    else
      role_of.push_back(index_of("trunk"));
  }
  return role_of;
}

RoleWeights by_role(const SkinWeights& weights, const RoleOfJoint& role_of, std::size_t roles) {
  RoleWeights made{roles, std::vector<double>(weights.vertex_count() * roles, 0.0)};
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    // An artist's rows need not sum to one.
    double sum = 0.0;
    for (const Influence& entry : weights.row(v)) sum += static_cast<double>(entry.weight);
    if (sum <= 0.0) continue;
    for (const Influence& entry : weights.row(v))
      made.weight[v * roles + role_of[entry.joint]] += static_cast<double>(entry.weight) / sum;
  }
  return made;
}

/// Over the vertices that the artist has given weights.
Difference difference(const RoleWeights& made, const RoleWeights& artist) {
  Difference sum;
  std::size_t count = 0;
  for (std::size_t first = 0; first < artist.weight.size(); first += artist.roles) {
    const auto at = static_cast<std::ptrdiff_t>(first);
    const auto end = at + static_cast<std::ptrdiff_t>(artist.roles);
    const auto wanted = std::max_element(artist.weight.begin() + at, artist.weight.begin() + end);
    if (*wanted <= 0.0) continue;
    const auto largest = std::max_element(made.weight.begin() + at, made.weight.begin() + end);
    for (std::size_t i = first; i < first + artist.roles; ++i)
      sum.mean += std::abs(made.weight[i] - artist.weight[i]);
    sum.same_largest += largest - made.weight.begin() == wanted - artist.weight.begin() ? 1.0 : 0.0;
    ++count;
  }
  const double share = count > 0 ? 1.0 / static_cast<double>(count) : 0.0;
  return {sum.mean * share, sum.same_largest * share};
}

std::size_t weighted_vertices(const SkinWeights& weights) {
  std::size_t count = 0;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) count += !weights.row(v).empty();
  return count;
}

/// The joints that `gvbind rig` writes: those that deform, where they were found.
std::vector<Joint> rigged_joints(const Body& body, const std::vector<Joint>& skeleton) {
  rig::RigOptions options;
  options.resolution = resolution;
  const rig::RiggedCharacter rigged =
      rig::rig_character({body.positions, body.triangles}, skeleton, options);
  std::vector<int> index(skeleton.size(), -1);
  std::vector<Joint> made;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    if (!skeleton[j].deforms) continue;
    index[j] = static_cast<int>(made.size());
    const int parent = skeleton[j].parent;
    made.push_back({rigged.joints[j].position,
                    parent < 0 ? -1 : index[static_cast<std::size_t>(parent)], true,
                    skeleton[j].name});
  }
  return made;
}

RoleWeights bound_by_role(const Body& body, const std::vector<Joint>& joints,
                          const std::vector<std::string>& roles) {
  BindOptions options;
  options.resolution = resolution;
  const BindResult bound = bind_skin({body.positions, body.triangles}, joints, options);
  return by_role(bound.weights, role_of_joints(joints, roles), roles.size());
}

void compare_file(const std::string& file, const std::vector<Joint>& skeleton) {
  const Body body = body_of(file);
  if (body.positions.empty()) throw Error(ErrorKind::cannot_bind, "no skin");
  const std::vector<std::string> roles = common_roles(body, skeleton);
  if (roles.size() < least_roles) {
    std::printf("few names\n");
    return;
  }
  const RoleWeights artist =
      by_role(body.weights, role_of_joints(body.joints, roles), roles.size());
  std::printf("%zu\t%zu", weighted_vertices(body.weights), roles.size());
  for (const bool rigs : {true, false}) {
    const std::vector<Joint> joints = rigs ? rigged_joints(body, skeleton) : body.joints;
    const Difference found = difference(bound_by_role(body, joints, roles), artist);
    std::printf("\t%.3f\t%.1f", found.mean, 100.0 * found.same_largest);
  }
  std::printf("\n");
}

}  // namespace
}  // namespace gvbind

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: rig_weights_beside TEMPLATE FILE...\n");
    return 2;
  }
  const auto skeleton = gvbind::rig::builtin_template(arguments[1]);
  if (!skeleton) {
    std::fprintf(stderr, "no template '%s'\n", arguments[1]);
    return 2;
  }
  for (int i = 2; i < count; ++i) {
    const std::string file = arguments[i];
    std::printf("%s\t", file.substr(file.rfind('/') + 1).c_str());
    try {
      gvbind::compare_file(file, *skeleton);
    } catch (const std::exception& error) {
      std::printf("error: %s\n", error.what());
    }
    std::fflush(stdout);
  }
  return 0;
}
