// Tested by tests/command/convert_test.py.

#include <algorithm>
#include <array>
#include <cmath>

#include "character/reduce_keys.h"
#include "formats/fbx/animation.h"
#include "formats/fbx/clip_times.h"
#include "formats/fbx/read_source.h"
#include "formats/fbx/stack.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

// Too small to be visible at the end of a chain of joints.
constexpr double rotation_tolerance = 2e-5, scale_tolerance = 2e-5, weight_tolerance = 1e-4;
constexpr double translation_tolerance = 2e-5;  // relative to the scene's size
// Relative to a channel's range: small motions are kept too, down to `noise` times the tolerances
// above.
constexpr double range_tolerance = 3e-4, noise = 0.05;

/// An animated property of a node, and its columns in the sampled poses.
struct Track {
  int node = -1;
  Channel::Path path = Channel::Path::translation;
  bool step = false;
  std::size_t first = 0;     ///< column
  std::vector<double> rest;  ///< by column, the node's value without the clip
  double tolerance = 0.0;
  std::vector<double> sampling = {}, reducing = {};  ///< tolerances by column, one for a rotation
};

struct ClipReader {
  FbxSource& source;
  const NodeScene& scene;
  const FbxStack& stack;
  std::vector<bool> moves;  ///< by node
  std::vector<Track> tracks = {};
  std::vector<std::vector<FbxMorphTarget>> morphs = {};  ///< of the weight tracks, in order
};

bool is_scaled(const FbxStack& stack, const FbxModel& model) {
  return stack.find(model.object->id, "Lcl Scaling");
}

bool is_placed(const FbxStack& stack, const FbxModel& model) {
  return is_scaled(stack, model) || stack.find(model.object->id, "Lcl Translation") ||
         stack.find(model.object->id, "Lcl Rotation");
}

/// Whether all curves of an object are stepped.
bool goes_by_steps(const FbxStack& stack, std::int64_t object) {
  const auto found = stack.curves.find(object);
  if (found == stack.curves.end()) return false;
  for (const auto& [property, curves] : found->second)
    for (const FbxLayerCurves& on_layer : curves) {
      if (stack.layers[on_layer.layer].percent) return false;
      for (const auto& axis : on_layer.axes)
        if (axis && !is_stepped(*axis)) return false;
    }
  return true;
}

/// Nodes that move: by their own curves, or by scaling that they inherit or compensate.
std::vector<bool> moving_nodes(const FbxSource& source, const FbxStack& stack) {
  std::vector<bool> out(source.models.size(), false), scaled(source.models.size(), false);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int parent = source.models[i].parent;
    const bool above = parent >= 0 && scaled[parent];
    scaled[i] = above || is_scaled(stack, source.models[i]);
    out[i] = is_placed(stack, source.models[i]) ||
             (above && source.models[i].transform.inherit_type != 1);
  }
  return out;
}

void add_track(ClipReader& reader, int node, Channel::Path path, bool step,
               std::vector<double> rest, double tolerance) {
  const std::size_t first =
      reader.tracks.empty() ? 0 : reader.tracks.back().first + reader.tracks.back().rest.size();
  reader.tracks.push_back({node, path, step, first, std::move(rest), tolerance});
}

void add_node_tracks(ClipReader& reader, const std::vector<double>& sizes) {
  for (std::size_t i = 0; i < reader.moves.size(); ++i) {
    if (!reader.moves[i]) continue;
    const int node = static_cast<int>(i), parent = reader.source.models[i].parent;
    const bool from_above =
        parent >= 0 && reader.moves[parent] && reader.source.models[i].transform.inherit_type != 1;
    const bool step =
        !from_above && goes_by_steps(reader.stack, reader.source.models[i].object->id);
    const Transform& rest = reader.scene.nodes[i].local;
    const Eigen::Vector4d turn = rest.rotation.coeffs();  // x, y, z, w
    add_track(reader, node, Channel::Path::translation, step,
              {rest.translation.begin(), rest.translation.end()}, translation_tolerance * sizes[i]);
    add_track(reader, node, Channel::Path::rotation, step, {turn.begin(), turn.end()},
              rotation_tolerance);
    add_track(reader, node, Channel::Path::scale, step, {rest.scale.begin(), rest.scale.end()},
              scale_tolerance);
  }
}

void add_morph_tracks(ClipReader& reader) {
  for (std::size_t i = 0; i < reader.source.models.size(); ++i) {
    const Node& node = reader.scene.nodes[i];
    if (node.mesh < 0) continue;
    const std::int64_t model = reader.source.models[i].object->id;
    const FbxObject* geometry = reader.source.objects.mesh_geometry(model);
    std::vector<FbxMorphTarget> targets = morph_targets(reader.source, geometry->id);
    const auto is_driven = [&](const FbxMorphTarget& target) {
      return reader.stack.find(target.object, target.property) != nullptr;
    };
    if (!std::ranges::any_of(targets, is_driven)) continue;
    const bool step = std::ranges::all_of(targets, [&](const FbxMorphTarget& target) {
      return !is_driven(target) || goes_by_steps(reader.stack, target.object);
    });
    add_track(reader, static_cast<int>(i), Channel::Path::weights, step, node.morph_weights,
              weight_tolerance);
    reader.morphs.push_back(std::move(targets));
  }
}

PoseRow pose_at(const ClipReader& reader, double seconds) {
  PoseRow out;
  const std::vector<Transform> locals = clip_transforms(reader.source, reader.stack, seconds);
  for (std::size_t i = 0; i < locals.size(); ++i) {
    if (!reader.moves[i]) continue;
    const Transform& local = locals[i];
    const Eigen::Vector4d turn = local.rotation.coeffs();
    out.insert(out.end(), local.translation.begin(), local.translation.end());
    out.insert(out.end(), turn.begin(), turn.end());
    out.insert(out.end(), local.scale.begin(), local.scale.end());
  }
  for (const std::vector<FbxMorphTarget>& targets : reader.morphs)
    for (const FbxMorphTarget& target : targets)
      out.push_back(morph_weight(target, percent_at(reader.stack, target, seconds)));
  return out;
}

/// Inserts the times at which a channel passes from one target to the next, where weights have a
/// kink.
void add_morph_bends(const ClipReader& reader, std::vector<double>& times) {
  for (const std::vector<FbxMorphTarget>& targets : reader.morphs)
    for (const FbxMorphTarget& target : targets) {
      if (target.at > 0 || target.full.size() < 2) continue;
      std::vector<double> stops = target.full;
      stops.push_back(0.0);
      add_crossings([&](double seconds) { return percent_at(reader.stack, target, seconds); },
                    stops, most_samples(reader.source), times);
    }
}

/// The range of a track's values by column; for a rotation a single value, the largest angle from
/// the first.
std::vector<double> ranges_of(const Track& track, const std::vector<PoseRow>& rows) {
  if (track.path == Channel::Path::rotation) {
    double largest = 0.0;
    const auto turn = [&](const PoseRow& row) {
      return Eigen::Quaterniond(Eigen::Vector4d(row.data() + track.first));
    };
    for (const PoseRow& row : rows)
      largest = std::max(largest, turn(rows[0]).angularDistance(turn(row)));
    return {largest};
  }
  std::vector<double> out;
  for (std::size_t c = track.first; c < track.first + track.rest.size(); ++c) {
    const auto [least, most] =
        std::ranges::minmax(rows, {}, [&](const PoseRow& row) { return row[c]; });
    out.push_back(most[c] - least[c]);
  }
  return out;
}

void set_tolerances(const std::vector<PoseRow>& rows, Track& track) {
  constexpr double most_turn = 1e-3;  // radians
  for (const double range : ranges_of(track, rows)) {
    const double share = range_tolerance * range;
    track.reducing.push_back(std::min(track.tolerance, std::max(share, noise * track.tolerance)));
    const bool turns = track.path == Channel::Path::rotation;
    track.sampling.push_back(std::max(track.tolerance, turns ? std::min(share, most_turn) : share));
  }
}

bool is_off(const ClipReader& reader, const PoseRow& before, const PoseRow& after,
            const PoseRow& between, double share) {
  return std::ranges::any_of(reader.tracks, [&](const Track& track) {
    if (track.step) return false;
    const auto at = [&](const PoseRow& row) { return row.data() + track.first; };
    return straight_error(track.path, at(before), at(after), at(between), share, track.sampling) >
           1.0;
  });
}

/// Whether the channel always has the node's rest value.
bool stands_still(const Channel& channel, const std::vector<double>& rest, double tolerance) {
  for (std::size_t i = 0; i < channel.values.size(); ++i) {
    const std::size_t c = i % rest.size();
    if (!(std::abs(channel.values[i] - rest[c]) <= tolerance)) return false;
  }
  return true;
}

void finish_channel(Channel channel, const Track& track, DroppedFeatures& losses, Clip& clip) {
  if (!std::ranges::all_of(channel.values, [](double value) { return std::isfinite(value); })) {
    losses.add("clip's channel that is not finite", "clips' channels that are not finite");
    return;
  }
  if (channel.path == Channel::Path::rotation) align_rotations(channel);
  if (stands_still(channel, track.rest, track.tolerance)) return;
  if (channel.step)
    reduce_steps(channel);
  else
    reduce_keys(channel, track.reducing);
  clip.channels.push_back(std::move(channel));
}

void add_channels(const ClipReader& reader, const std::vector<double>& times,
                  const std::vector<PoseRow>& rows, Clip& clip) {
  for (const Track& track : reader.tracks) {
    Channel channel;
    channel.node = track.node;
    channel.path = track.path;
    channel.step = track.step;
    for (std::size_t i = 0; i < times.size(); ++i) {
      channel.times.push_back(times[i] - times.front());
      const auto first = rows[i].begin() + static_cast<std::ptrdiff_t>(track.first);
      channel.values.insert(channel.values.end(), first,
                            first + static_cast<std::ptrdiff_t>(track.rest.size()));
    }
    finish_channel(std::move(channel), track, reader.source.losses, clip);
  }
}

/// A clip that leaves everything as it is at rest: a pose to start from, or to return to.
Channel resting_channel(const Track& track, const std::vector<double>& times) {
  Channel out;
  out.node = track.node;
  out.path = track.path;
  out.times = {0.0};
  out.values = track.rest;
  if (times.back() > times.front()) {
    out.times.push_back(times.back() - times.front());
    out.values.insert(out.values.end(), track.rest.begin(), track.rest.end());
  }
  return out;
}

Clip read_clip(FbxSource& source, const NodeScene& scene, const FbxStack& stack,
               const std::vector<double>& sizes, std::vector<double> times,
               const std::string& name) {
  ClipReader reader{source, scene, stack, moving_nodes(source, stack)};
  add_node_tracks(reader, sizes);
  add_morph_tracks(reader);
  add_morph_bends(reader, times);
  const auto pose = [&](double seconds) { return pose_at(reader, seconds); };
  std::vector<PoseRow> rows;
  for (const double seconds : times) rows.push_back(pose(seconds));
  for (Track& track : reader.tracks) set_tolerances(rows, track);
  const auto off = [&](const PoseRow& before, const PoseRow& after, const PoseRow& between,
                       double share) { return is_off(reader, before, after, between, share); };
  refine_times(source, pose, off, times, rows);
  Clip clip{name, {}};
  add_channels(reader, times, rows, clip);
  if (clip.channels.empty() && !reader.tracks.empty())
    clip.channels.push_back(resting_channel(reader.tracks.front(), times));
  return clip;
}

}  // namespace

void read_fbx_clips(FbxSource& source, NodeScene& scene) {
  const std::vector<double> sizes = sizes_below(scene);
  for (const FbxObject* object : animation_stacks(source.objects)) {
    const FbxStack stack = read_stack(source.objects, source.links, object->id);
    for (const std::string& property : stack.other_properties)
      source.losses.add("clip's curves of " + property, "clips' curves of " + property);
    source.losses.add("clip's damaged curve", "clips' damaged curves", stack.damage.curves);
    source.losses.add("clip's damaged key", "clips' damaged keys", stack.damage.keys);
    std::vector<double> times = clip_times(source, *object, stack);
    if (times.empty()) continue;
    Clip clip = read_clip(source, scene, stack, sizes, std::move(times), object->name);
    if (!clip.channels.empty()) scene.clips.push_back(std::move(clip));
  }
}

}  // namespace gvbind
