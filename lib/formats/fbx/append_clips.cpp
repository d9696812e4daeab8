#include "formats/fbx/append_clips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "character/frame_rate.h"
#include "character/reduce_keys.h"
#include "formats/fbx/clip_curves.h"
#include "formats/fbx/euler.h"
#include "formats/fbx/read_source.h"
#include "formats/fbx/transform.h"

namespace gvbind {
namespace {

constexpr double tolerance = 2e-4;  // radians between keys

/// The file's unit and axes, and the properties of the Models by id.
struct FileFrame {
  double meters = 0.01;
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  std::map<std::int64_t, FbxTransform> models = {};
};

FileFrame frame_of(const FbxDocument& document, const ReadOptions& reading) {
  Findings findings;
  DroppedFeatures losses;
  FbxSource source{document, reading, false, losses, findings, objects_of(document), {}};
  read_fbx_settings(source);
  FileFrame out{source.meters, source.turn};
  for (const FbxObject& object : source.objects.all)
    if (source.objects.is(object, "Model"))
      out.models.emplace(object.id,
                         read_transform(source.node(object), source.objects.model_template));
  return out;
}

/// The axes of an order of rotation, the first to turn first.
std::array<int, 3> axes_of(const FbxTransform& model) {
  static constexpr std::array<std::array<int, 3>, 6> axes = {
      {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}};
  const bool known = model.rotation_order >= 0 && model.rotation_order < 6;
  return axes[model.rotation_active && known ? static_cast<std::size_t>(model.rotation_order) : 0];
}

Eigen::Quaterniond quaternion_at(const Channel& channel, std::size_t key) {
  return Eigen::Quaterniond(Eigen::Vector4d(channel.values.data() + 4 * key));
}

/// A local rotation of the scene as what "Lcl Rotation" turns by, without the rotations before and
/// after it, with the axes exchanged so that the model's order becomes x, y, z.
struct OwnRotation {
  Eigen::Quaterniond before = Eigen::Quaterniond::Identity(), after = before;
  Eigen::Matrix3d exchange = Eigen::Matrix3d::Zero();
  std::array<int, 3> axes = {0, 1, 2};
  double sign = 1.0;  ///< an odd exchange mirrors, so angles change their sign

  OwnRotation(const FileFrame& frame, const FbxTransform& model, bool is_root)
      : axes(axes_of(model)) {
    if (model.rotation_active) {
      before = Eigen::Quaterniond(fbx_rotation(model.pre_rotation, 0));
      after = Eigen::Quaterniond(fbx_rotation(model.post_rotation, 0)).conjugate();
    }
    if (is_root) before = Eigen::Quaterniond(frame.turn) * before;
    for (int k = 0; k < 3; ++k) exchange(k, axes[static_cast<std::size_t>(k)]) = 1.0;
    sign = exchange.determinant();
  }

  Eigen::Quaterniond from_local(const Eigen::Quaterniond& local) const {
    const Eigen::Matrix3d own = (before.conjugate() * local * after.conjugate()).toRotationMatrix();
    return Eigen::Quaterniond(Eigen::Matrix3d(exchange * own * exchange.transpose())).normalized();
  }
  Eigen::Quaterniond to_local(const Eigen::Quaterniond& exchanged) const {
    const Eigen::Matrix3d own = exchange.transpose() * exchanged.toRotationMatrix() * exchange;
    return (before * Eigen::Quaterniond(own) * after).normalized();
  }
  /// Angles about the axes of the file, from angles about the exchanged axes.
  Eigen::Vector3d to_file(const Eigen::Vector3d& exchanged) const {
    return sign * (exchange.transpose() * exchanged);
  }
  /// The other way around.
  Eigen::Vector3d from_file(const Eigen::Vector3d& angles) const {
    return sign * (exchange * angles);
  }
};

/// The curves of "Lcl Rotation", in degrees.
Channel angles_of(const OwnRotation& own, const FbxTransform& model, Channel rotations) {
  for (std::size_t k = 0; k < rotations.times.size(); ++k) {
    const Eigen::Quaterniond q = own.from_local(quaternion_at(rotations, k));
    std::copy(q.coeffs().begin(), q.coeffs().end(),
              rotations.values.begin() + 4 * static_cast<std::ptrdiff_t>(k));
  }
  align_rotations(rotations);
  Channel out = euler_channel(rotations, own.from_file(model.rotation), tolerance);
  for (std::size_t k = 0; k < out.times.size(); ++k) {
    Eigen::Map<Eigen::Vector3d> angles(out.values.data() + 3 * k);
    angles = own.to_file(angles.eval());
  }
  return out;
}

bool has_pivots(const FbxTransform& model) {
  return !(model.rotation_pivot.isZero() && model.scaling_pivot.isZero() &&
           model.rotation_offset.isZero() && model.scaling_offset.isZero());
}

Eigen::Vector3d angles_at(const Channel& angles, double seconds) {
  std::size_t k = 0;
  while (k + 1 < angles.times.size() && angles.times[k + 1] <= seconds) ++k;
  const Eigen::Vector3d from(angles.values.data() + 3 * k);
  if (k + 1 == angles.times.size() || seconds <= angles.times[k]) return from;
  const Eigen::Vector3d to(angles.values.data() + 3 * (k + 1));
  return from + (seconds - angles.times[k]) / (angles.times[k + 1] - angles.times[k]) * (to - from);
}

/// The values of "Lcl Translation". `angles`: the curves of the model's "Lcl Rotation", or null.
Channel own_translations(const FileFrame& frame, const FbxTransform& model, bool is_root,
                         Channel channel, const Channel* angles) {
  for (std::size_t k = 0; k < channel.times.size(); ++k) {
    Eigen::Map<Eigen::Vector3d> value(channel.values.data() + 3 * k);
    if (is_root) value = frame.turn.transpose() * value.eval();
    value /= frame.meters;
    if (!has_pivots(model)) continue;
    FbxTransform without = model;
    without.translation.setZero();
    without.translation_limits = {};
    if (angles) without.rotation = angles_at(*angles, channel.times[k]);
    value -= local_transform(without).translation();
  }
  return channel;
}

struct NodeChannels {
  const Channel* rotation = nullptr;
  const Channel* translation = nullptr;
};

void add_node(FbxEditor& editor, const FileFrame& frame, const NodeScene& scene, int node,
              const NodeChannels& channels, std::int64_t layer, double rate) {
  const std::int64_t id = scene.nodes[node].source;
  const FbxTransform& model = frame.models.at(id);
  const bool is_root = scene.nodes[node].parent < 0;
  Channel angles;
  if (channels.rotation) {
    angles = angles_of(OwnRotation(frame, model, is_root), model, *channels.rotation);
    add_vector_curves(editor, {layer, id, "R", "Lcl Rotation"}, angles, 1.0, rate);
  }
  Channel places;
  if (channels.translation) places = *channels.translation;
  if (!channels.translation && channels.rotation && has_pivots(model)) {
    // Turning about a pivot moves the joint, which the clip does not.
    places.path = Channel::Path::translation;
    places.times = angles.times;
    for (std::size_t k = 0; k < places.times.size(); ++k) {
      const Eigen::Vector3d& rest = scene.nodes[node].local.translation;
      places.values.insert(places.values.end(), rest.begin(), rest.end());
    }
  }
  if (!places.times.empty())
    add_vector_curves(editor, {layer, id, "T", "Lcl Translation"},
                      own_translations(frame, model, is_root, std::move(places),
                                       channels.rotation ? &angles : nullptr),
                      1.0, rate);
}

}  // namespace

void append_clips(FbxDocument& document, const ReadOptions& options, const NodeScene& scene,
                  const std::vector<Clip>& clips) {
  with_path(document.path, [&] {
    const ReadOptions reading = with_root(options, document.path);
    const FileFrame frame = frame_of(document, reading);
    FbxEditor editor(document);
    for (const Clip& clip : clips) {
      const double rate = frame_rate_of(std::span(&clip, 1), 1.0).value_or(30.0);
      const std::int64_t layer = add_clip_layer(editor, clip, rate);
      std::map<int, NodeChannels> nodes;
      for (const Channel& channel : clip.channels) {
        const bool turns = channel.path == Channel::Path::rotation;
        (turns ? nodes[channel.node].rotation : nodes[channel.node].translation) = &channel;
      }
      for (const auto& [node, channels] : nodes)
        add_node(editor, frame, scene, node, channels, layer, rate);
    }
    editor.finish();
    if (FbxNode* takes = find_child(document.root, "Takes"))
      for (const Clip& clip : clips)
        append_child(*takes, make_node("Take", {make_text(clip.name)},
                                       {text_node("FileName", clip.name + ".tak")}));
  });
}

std::function<Eigen::Quaterniond(int node, const Eigen::Quaterniond& local)> rotation_limits(
    const FbxDocument& document, const NodeScene& scene) {
  const FileFrame frame = frame_of(document, {});
  struct Limited {
    FbxTransform model;
    OwnRotation own;
  };
  std::map<int, Limited> limited;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const auto found = frame.models.find(scene.nodes[i].source);
    if (found == frame.models.end()) continue;
    const FbxLimits& limits = found->second.rotation_limits;
    if (!limits.least.array().isFinite().any() && !limits.most.array().isFinite().any()) continue;
    limited.emplace(
        static_cast<int>(i),
        Limited{found->second, OwnRotation(frame, found->second, scene.nodes[i].parent < 0)});
  }
  if (limited.empty()) return {};
  return [limited](int node, const Eigen::Quaterniond& local) {
    const auto found = limited.find(node);
    if (found == limited.end()) return local;
    const auto& [model, own] = found->second;
    const Eigen::Vector3d angles =
        own.to_file(euler_angles(own.from_local(local), own.from_file(model.rotation)));
    const Eigen::Vector3d within =
        angles.cwiseMin(model.rotation_limits.most).cwiseMax(model.rotation_limits.least);
    if (within == angles) return local;
    return own.to_local(rotation_of(own.from_file(within)));
  };
}

}  // namespace gvbind
