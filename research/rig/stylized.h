#pragma once

// Bodies of other proportions, with their joints: a character whose bones grow and shrink with its
// own weights. Stands in for stylized bodies, of which the corpora have few.

#include <Eigen/Geometry>
#include <map>
#include <string>
#include <vector>

#include "rig_body.h"

namespace gvbind::research {

/// Of a bone: how much longer, and how much thicker. A foot or a head has one number for both.
struct BoneScale {
  double length = 1.0, width = 1.0;
};

/// By the word of the joint that moves the bone. Joints without one have the scale of their parent.
using BodyStyle = std::map<rig::JointWord, BoneScale>;

inline const std::map<std::string, BodyStyle>& body_styles() {
  using enum rig::JointWord;
  static const std::map<std::string, BodyStyle> styles = {
      {"chibi",
       {{head, {2.2, 2.2}},
        {neck, {0.5, 1.0}},
        {thigh, {0.5, 1.0}},
        {shin, {0.5, 1.0}},
        {foot, {1.0, 1.0}},
        {upper_arm, {0.65, 1.0}},
        {forearm, {0.65, 1.0}},
        {hand, {1.0, 1.0}},
        {spine, {0.75, 1.0}},
        {chest, {0.8, 1.0}}}},
      {"big_head", {{head, {1.8, 1.8}}, {neck, {0.7, 1.0}}}},
      {"stout",
       {{thigh, {0.7, 1.5}},
        {shin, {0.7, 1.5}},
        {foot, {1.2, 1.2}},
        {upper_arm, {0.75, 1.5}},
        {forearm, {0.75, 1.5}},
        {hand, {1.3, 1.3}},
        {spine, {0.9, 1.4}},
        {chest, {1.0, 1.4}},
        {hips, {1.0, 1.3}},
        {neck, {0.4, 1.3}},
        {head, {1.2, 1.2}}}},
      {"lanky",
       {{thigh, {1.4, 0.85}},
        {shin, {1.4, 0.85}},
        {foot, {1.0, 1.0}},
        {upper_arm, {1.3, 0.85}},
        {forearm, {1.3, 0.85}},
        {hand, {1.0, 1.0}},
        {head, {0.8, 0.8}}}},
      {"brute",
       {{thigh, {0.6, 1.0}},
        {shin, {0.6, 1.0}},
        {foot, {1.0, 1.0}},
        {upper_arm, {1.3, 1.5}},
        {forearm, {1.3, 1.8}},
        {hand, {1.8, 1.8}},
        {chest, {1.1, 1.3}},
        {neck, {0.3, 1.2}},
        {head, {0.8, 0.8}}}},
  };
  return styles;
}

/// Changes positions and joints. Joints that have no parent stay.
inline void stylize(const BodyStyle& style, test::SkinnedBody& body) {
  using Eigen::Matrix3d;
  using Eigen::Vector3d;
  const rig::SkeletonWords named = rig::skeleton_words(body.joints);
  const std::vector<int> parents = rig::attached_parents(body.joints, named);
  const std::vector<std::size_t> order = parents_first(parents);
  const std::vector<Joint> was = body.joints;
  std::vector<BoneScale> scales(was.size());
  std::vector<Matrix3d> moves(was.size(), Matrix3d::Identity());
  std::vector<Vector3d> along(was.size(), Vector3d::Zero());
  for (const std::size_t j : order) {
    if (const int p = parents[j]; p >= 0) {
      scales[j] = scales[static_cast<std::size_t>(p)];
      if (along[static_cast<std::size_t>(p)].isZero() && named.words[j] != rig::JointWord::helper &&
          named.words[j] != rig::JointWord::none)
        along[static_cast<std::size_t>(p)] =
            (was[j].position - was[static_cast<std::size_t>(p)].position).normalized();
    }
    if (const auto own = style.find(named.words[j]); own != style.end())
      scales[j] = own->second;
    else if (named.words[j] != rig::JointWord::none && named.words[j] != rig::JointWord::helper &&
             named.words[j] != rig::JointWord::finger && named.words[j] != rig::JointWord::toe &&
             named.words[j] != rig::JointWord::face && named.words[j] != rig::JointWord::end)
      scales[j] = {};
  }
  for (const std::size_t j : order) {
    moves[j] = scales[j].width * Matrix3d::Identity() +
               (scales[j].length - scales[j].width) * along[j] * along[j].transpose();
    if (const int p = parents[j]; p >= 0)
      body.joints[j].position = body.joints[static_cast<std::size_t>(p)].position +
                                moves[static_cast<std::size_t>(p)] *
                                    (was[j].position - was[static_cast<std::size_t>(p)].position);
  }
  for (std::size_t v = 0; v < body.positions.size(); ++v) {
    Vector3d sum = Vector3d::Zero();
    double all = 0.0;
    for (const Influence& entry : body.weights.row(v)) {
      sum += entry.weight * (body.joints[entry.joint].position +
                             moves[entry.joint] * (body.positions[v] - was[entry.joint].position));
      all += entry.weight;
    }
    if (all > 0.0) body.positions[v] = sum / all;
  }
}

}  // namespace gvbind::research
