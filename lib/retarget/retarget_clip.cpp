#include "retarget/retarget_clip.h"

#include <algorithm>
#include <cmath>

#include "character/frame_rate.h"
#include "character/pose_scene.h"
#include "character/reduce_keys.h"
#include "gvbind/error.h"
#include "retarget/limited_limbs.h"
#include "retarget/meet_hands.h"
#include "retarget/plant_feet.h"
#include "retarget/spread_twists.h"

namespace gvbind::retarget {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr std::size_t max_frames = 36000;             // 20 minutes at 30 frames a second
constexpr std::size_t max_poses = 20'000'000;         // of nodes: some 2 GB
constexpr double rotation_tolerance = M_PI / 1800.0;  // a tenth of a degree
constexpr double place_tolerance = 5e-4;              // of the leg
constexpr double same_turn = M_PI / 360.0;            // ends of a closed motion may differ by this

std::vector<double> frame_times(double end, double rate) {
  std::vector<double> times;
  const auto whole = static_cast<std::size_t>(std::floor(end * rate + 1e-3));
  for (std::size_t k = 0; k <= whole; ++k) times.push_back(static_cast<double>(k) / rate);
  if (end - times.back() > 0.02 / rate) times.push_back(end);
  return times;
}

double end_of(const Clip& clip) {
  double end = 0.0;
  for (const Channel& channel : clip.channels) {
    for (const double value : channel.values)
      if (!std::isfinite(value))
        throw Error(ErrorKind::input, "clip '" + clip.name + "': a key is not a finite number");
    for (const double time : channel.times)
      if (!std::isfinite(time))
        throw Error(ErrorKind::input, "clip '" + clip.name + "': a time is not a finite number");
    if (!channel.times.empty()) end = std::max(end, channel.times.back());
  }
  return end;
}

bool is_closed(const WorldMotion& poses) {
  if (poses.size() < 3) return false;
  for (std::size_t i = 0; i < poses.front().rotations.size(); ++i)
    if (poses.front().rotations[i].angularDistance(poses.back().rotations[i]) > same_turn)
      return false;
  return true;
}

/// The straight way on the ground from the first frame to the last.
Vector3d straight_way(std::size_t hips, const WorldMotion& motion) {
  if (motion.empty()) return Vector3d::Zero();
  Vector3d way = motion.back().positions[hips] - motion.front().positions[hips];
  way.y() = 0.0;
  return way;
}

/// Adds a straight way from the first frame to the last.
void add_way(const Vector3d& way, WorldMotion& motion) {
  for (std::size_t f = 1; f < motion.size(); ++f)
    for (Vector3d& position : motion[f].positions)
      position += static_cast<double>(f) / static_cast<double>(motion.size() - 1) * way;
}

/// Moves the joint above the hips along the ground with them; all others stay in the world.
void extract_root(std::size_t root, std::size_t hips, WorldMotion& motion) {
  if (motion.empty()) return;
  const Vector3d start = motion.front().positions[hips], at = motion.front().positions[root];
  for (WorldPose& pose : motion) {
    const Vector3d way = pose.positions[hips] - start;
    pose.positions[root].x() = at.x() + way.x();
    pose.positions[root].z() = at.z() + way.z();
  }
}

/// Throws Error(usage) without one.
std::size_t root_above_hips(const Retargeting& r, const NodeScene& hero) {
  const int root = r.mover < 0 ? -1 : root_node(r.hero.skeleton, r.hero.roles, hero);
  if (root < 0)
    throw Error(ErrorKind::usage,
                "--root extract: the character has no hips whose way a joint above them could "
                "take; --root keep leaves it as it is");
  return static_cast<std::size_t>(root);
}

/// By node, whether its translation changes.
std::vector<bool> moved_with(const Retargeting& r, const SharedJoints& shared) {
  std::vector<bool> moved = moved_nodes(r);
  for (std::size_t i = 0; i < shared.slides.size(); ++i) moved[i] = moved[i] || shared.slides[i];
  return moved;
}

Channel channel_of(const std::vector<double>& times, const std::vector<std::vector<Transform>>& all,
                   std::size_t node, Channel::Path path) {
  Channel out;
  out.node = static_cast<int>(node);
  out.path = path;
  out.times = times;
  for (const std::vector<Transform>& locals : all) {
    const Transform& local = locals[node];
    if (path == Channel::Path::rotation)
      out.values.insert(out.values.end(), local.rotation.coeffs().begin(),
                        local.rotation.coeffs().end());
    else
      out.values.insert(out.values.end(), local.translation.begin(), local.translation.end());
  }
  if (path == Channel::Path::rotation) align_rotations(out);
  return out;
}

double largest_scale(const std::vector<Transform>& locals, const std::vector<int>& parents,
                     std::size_t node) {
  double scale = 1.0;
  for (int at = parents[node]; at >= 0; at = parents[at])
    scale *= locals[at].scale.cwiseAbs().maxCoeff();
  return scale > 1e-12 ? scale : 1.0;
}

bool differs(const Transform& rest, const Channel& channel, double tolerance) {
  for (std::size_t k = 0; k < channel.times.size(); ++k)
    if ((Vector3d(channel.values.data() + 3 * k) - rest.translation).cwiseAbs().maxCoeff() >
        tolerance)
      return true;
  return false;
}

Clip make_clip(const Retargeting& r, const SampledMotion& clip, const WorldMotion& motion,
               const NodeScene& hero, const RetargetOptions& options) {
  const RestSkeleton& skeleton = r.hero.skeleton;
  std::vector<bool> moved = moved_with(r, shared_joints(r, clip.poses)), placed = placed_nodes(r);
  if (options.root == RootMotion::extract) {
    const std::size_t root = root_above_hips(r, hero);
    moved[root] = placed[root] = true;
  }
  std::vector<std::vector<Transform>> locals;
  for (const WorldPose& pose : motion)
    locals.push_back(local_pose(skeleton, pose, moved, options.limit));
  Clip out;
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    const bool other_rest =
        skeleton.locals[i].rotation.angularDistance(hero.nodes[i].local.rotation) > 1e-6;
    if (!placed[i] && !other_rest) continue;
    Channel turns = channel_of(clip.times, locals, i, Channel::Path::rotation);
    reduce_keys(turns, rotation_tolerance);
    out.channels.push_back(std::move(turns));
    Channel places = channel_of(clip.times, locals, i, Channel::Path::translation);
    const double tolerance =
        place_tolerance * r.leg / largest_scale(skeleton.locals, skeleton.parents, i);
    if (!moved[i] && !differs(hero.nodes[i].local, places, tolerance)) continue;
    reduce_keys(places, tolerance);
    out.channels.push_back(std::move(places));
  }
  return out;
}

/// The poses of a clip's channels at some times.
WorldMotion play(const NodeScene& scene, const Clip& clip, const std::vector<double>& times) {
  std::vector<int> parents;
  for (const Node& node : scene.nodes) parents.push_back(node.parent);
  WorldMotion out;
  for (const double seconds : times)
    out.push_back(world_pose(parents, pose_scene(scene, clip, seconds).locals));
  return out;
}

}  // namespace

int root_node(const RestSkeleton& skeleton, const BodyRoles& roles, const NodeScene& hero) {
  if (const int root = roles.first("root"); root >= 0) return root;
  int top = roles.first("hips");
  if (top < 0) return -1;
  const int above = skeleton.parents[top];
  if (above < 0) return -1;
  // A node that carries more than this skeleton and its skin is a group of the scene.
  for (std::size_t i = 0; i < hero.nodes.size(); ++i) {
    const Node& node = hero.nodes[i];
    const bool is_skin = node.mesh >= 0 && node.skin >= 0;
    if (node.parent == above && static_cast<int>(i) != top && !is_skin) return -1;
  }
  const Node& node = hero.nodes[above];
  return node.mesh < 0 && node.camera < 0 && node.light < 0 ? above : -1;
}

SampledMotion sample_motion(const NodeScene& scene, const Clip& clip) {
  SampledMotion out;
  constexpr double nearly_all = 0.95, usual = 30.0;
  out.rate = frame_rate_of(std::span(&clip, 1), nearly_all).value_or(usual);
  const double end = end_of(clip);
  if (end * out.rate > static_cast<double>(max_frames))
    throw Error(ErrorKind::input, "clip '" + clip.name + "': lasts " +
                                      std::to_string(static_cast<long long>(std::min(end, 1e12))) +
                                      " seconds; at most " + std::to_string(max_frames) +
                                      " frames are retargeted, so cut it first");
  out.times = frame_times(std::max(end, 0.0), out.rate);
  if (out.times.size() * scene.nodes.size() > max_poses)
    throw Error(ErrorKind::resource,
                "clip '" + clip.name + "': has too many frames for a file of " +
                    std::to_string(scene.nodes.size()) + " nodes, so cut it first");
  out.poses = play(scene, clip, out.times);
  out.closed = is_closed(out.poses);
  return out;
}

WorldMotion hero_motion(const Retargeting& r, const SampledMotion& clip, double shift,
                        const RetargetOptions& options) {
  WorldMotion motion;
  const SharedJoints shared = shared_joints(r, clip.poses);
  for (const WorldPose& pose : clip.poses) motion.push_back(transfer_pose(r, pose, shift, shared));
  keep_limits(r, moved_with(r, shared), options.limit, clip.rate, clip.closed, motion);
  if (options.hands) meet_hands(r, clip.poses, motion);
  if (options.feet) plant_feet(r, clip.poses, shift, clip.rate, clip.closed, motion);
  return motion;
}

RetargetedClip retarget_clip(const Retargeting& r, const NodeScene& scene, const Clip& clip,
                             const NodeScene& hero, const RetargetOptions& options) {
  const SampledMotion sampled = sample_motion(scene, clip);
  const double shift = ground_shift(r, sampled.poses);
  WorldMotion motion = hero_motion(r, sampled, shift, options);
  spread_twists(r, motion);
  const int hips = r.mover < 0 ? -1 : r.map.pairs[static_cast<std::size_t>(r.mover)].hero;
  Vector3d taken_out = Vector3d::Zero();
  if (options.root == RootMotion::in_place && hips >= 0)
    taken_out = straight_way(static_cast<std::size_t>(hips), motion);
  add_way(-taken_out, motion);
  if (options.root == RootMotion::extract) {
    const std::size_t root = root_above_hips(r, hero);
    extract_root(root, static_cast<std::size_t>(hips), motion);
  }
  RetargetedClip out;
  out.clip = make_clip(r, sampled, motion, hero, options);
  out.clip.name = clip.name;
  out.frames = motion.size();
  // The keys are measured as a player shows them, not the motion that they were made from.
  WorldMotion played = play(hero, out.clip, sampled.times);
  add_way(taken_out, played);
  out.figures = motion_figures(r, sampled.poses, shift, sampled.rate, played);
  return out;
}

}  // namespace gvbind::retarget
