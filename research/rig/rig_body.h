#pragma once

// Characters for the measurements of rig: their meshes, and their artists' skeletons.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rig/human_joints.h"
#include "rig/joint_words.h"
#include "rig/rig_template.h"
#include "rig/skeleton_words.h"
#include "skinned_body.h"

namespace gvbind::research {

struct Body {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
  std::vector<Joint> joints;
  std::vector<bool> weighted;
  double size = 0.0;
  std::optional<Eigen::Vector3d> face = {};  ///< the middle of parts named as of a face
  bool stands = false;  ///< its skeleton tells the up axis, as the file alone would
};

/// The bind pose of many converted files lies: their meshes stand in the space of an armature.
/// False where names of joints do not tell.
inline bool turn_upright(test::SkinnedBody& body) {
  const std::vector<std::string> roles = rig::skeleton_roles(body.joints);
  if (std::ranges::find(roles, "thigh.L") == roles.end()) return false;
  const Eigen::Matrix3d turn = rig::upright_turn(body.joints);
  for (Eigen::Vector3d& p : body.positions) p = turn * p;
  for (Joint& joint : body.joints) joint.position = turn * joint.position;
  return rig::is_human(rig::analyzed_template(body.joints));
}

/// Of a body that is read; changes it.
inline Body body_of(test::SkinnedBody skinned, bool stands) {
  Body body{skinned.positions, skinned.triangles, {}, {}, 0.0};
  body.stands = stands;
  body.face = rig::surface_center(skinned.positions, skinned.face);
  const std::span<const Triangle> own(skinned.triangles.data(), skinned.skinned);
  std::vector<bool> wanted(skinned.joints.size(), false);
  for (std::size_t j = wanted.size(); j-- > 0;) {
    if (skinned.joint_weight[j] > 0.0) wanted[j] = true;
    if (wanted[j] && skinned.joints[j].parent >= 0)
      wanted[static_cast<std::size_t>(skinned.joints[j].parent)] = true;
  }
  std::vector<int> index(wanted.size(), -1);
  for (std::size_t j = 0; j < wanted.size(); ++j) {
    if (!wanted[j]) continue;
    index[j] = static_cast<int>(body.joints.size());
    Joint joint = skinned.joints[j];
    joint.deforms = true;
    if (joint.parent >= 0) joint.parent = index[static_cast<std::size_t>(joint.parent)];
    body.joints.push_back(joint);
    body.weighted.push_back(skinned.joint_weight[j] > 0.0);
  }
  if (body.positions.empty()) return body;
  Eigen::AlignedBox3d box;
  for (const Triangle& t : own)
    for (const std::uint32_t v : t) box.extend(body.positions[v]);
  body.size = box.sizes().maxCoeff();
  return body;
}

inline Body body_of(const std::string& file) {
  test::SkinnedBody skinned = test::skinned_body(file);
  const bool stands = turn_upright(skinned);
  return body_of(std::move(skinned), stands);
}

inline std::vector<std::size_t> parents_first(const std::vector<int>& parents) {
  std::vector<std::size_t> order;
  std::vector<bool> done(parents.size(), false);
  for (std::size_t before = 1; before != order.size();) {
    before = order.size();
    for (std::size_t j = 0; j < parents.size(); ++j) {
      if (done[j] || (parents[j] >= 0 && !done[static_cast<std::size_t>(parents[j])])) continue;
      done[j] = true;
      order.push_back(j);
    }
  }
  return order;
}

/// Other proportions and another pose: each bone is as long as before times 0.75 to 1.33, and
/// turned by up to 10 degrees. Joints that mirror each other by name stay alike.
inline std::vector<Joint> changed(const std::vector<Joint>& joints, unsigned seed) {
  std::vector<Joint> made = joints;
  std::map<std::string, std::pair<double, Eigen::Vector3d>> known;
  std::mt19937 random(seed);
  const auto next = [&] { return static_cast<double>(random()) / 4294967296.0 * 2.0 - 1.0; };
  std::vector<Eigen::Matrix3d> turns(joints.size(), Eigen::Matrix3d::Identity());
  std::vector<double> scales(joints.size(), 1.0);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent < 0) continue;
    std::string key = rig::joint_role(joints[j].name);
    const int side = rig::joint_side(joints[j].name);
    key = side != 0 && !key.empty() ? key.substr(0, key.size() - 2) : joints[j].name;
    const double scale = std::pow(4.0 / 3.0, next());
    const Eigen::Vector3d turn = Eigen::Vector3d(next(), next(), next()) * (10.0 / 57.3 / 1.7);
    const auto& [own_scale, own_turn] = known.emplace(key, std::pair(scale, turn)).first->second;
    Eigen::Vector3d by = own_turn;
    if (side < 0) by.tail<2>() *= -1.0;
    if (side == 0) by.tail<2>().setZero();
    const double angle = by.norm();
    scales[j] = own_scale;
    if (rig::joint_word(joints[j].name) != rig::JointWord::helper && angle > 0.0)
      turns[j] = Eigen::AngleAxisd(angle, by / angle).toRotationMatrix();
    else
      turns[j] = turns[static_cast<std::size_t>(joints[j].parent)];
  }
  // Of the parts of the body, as in flat rigs a hand would leave its arm.
  const std::vector<int> parents = rig::attached_parents(joints, rig::skeleton_words(joints));
  for (const std::size_t j : parents_first(parents))
    if (const int parent = parents[j]; parent >= 0)
      made[j].position =
          made[static_cast<std::size_t>(parent)].position +
          scales[j] *
              (turns[j] * (joints[j].position - joints[static_cast<std::size_t>(parent)].position));
  return made;
}

}  // namespace gvbind::research
