// Tested by tests/command/convert_nodes_test.py.

#include <algorithm>
#include <utility>

#include "formats/fbx/read_source.h"

/// Converts FBX's inheritance types of scaling to nodes that inherit everything.
namespace gvbind {
namespace {

bool is_uniform(const Eigen::Vector3d& scaling) {
  const double size = scaling.cwiseAbs().maxCoeff();
  return (scaling.array() - scaling.x()).abs().maxCoeff() <= 1e-9 * size;
}

/// Translation, rotation and scale from the properties, even with a scale of zero.
Transform plain_transform(const FbxTransform& t) {
  FbxTransform unscaled = t;
  unscaled.scaling.setOnes();
  unscaled.scaling_limits = {};
  Transform out;
  out.translation = local_transform(t).translation();
  out.rotation = Eigen::Quaterniond(local_transform(unscaled).linear()).normalized();
  out.scale = limited_scaling(t);
  return out;
}

struct Above {
  FbxWorld world;
  Eigen::Vector3d scaling = Eigen::Vector3d::Ones();  ///< of the Model itself
  bool is_apart = false;
};

/// The transform of the Model `t` with world transform `world`: relative to its parent or, if the
/// parent's scaling is apart and the Model does not inherit the whole scaling, relative to the node
/// without scaling.
Transform transform_below(const Above& parent, const FbxTransform& t, const FbxWorld& world,
                          bool& sheared) {
  Transform out = plain_transform(t);
  sheared = false;
  if (t.inherit_type == 1) return out;
  if (parent.is_apart) {
    out.translation = out.translation.cwiseProduct(parent.world.scaling);
    out.scale = world.scaling;
    return out;
  }
  const bool undoes = t.inherit_type == 2;
  if (is_uniform(parent.world.scaling) && (!undoes || is_uniform(parent.scaling))) {
    sheared = undoes && parent.scaling.x() == 0.0;
    if (undoes && !sheared) out.scale /= parent.scaling.x();
    return out;
  }
  sheared = (parent.world.scaling.array() == 0.0).any();
  if (sheared) return out;
  Eigen::Affine3d matrix = Eigen::Affine3d::Identity();
  matrix.linear() = parent.world.scaling.cwiseInverse().asDiagonal() *
                    out.rotation.toRotationMatrix() * world.scaling.asDiagonal();
  matrix.translation() = out.translation;
  Transform split;
  sheared = !split_matrix(matrix, split);
  return split.rotation.coeffs().allFinite() && split.scale.allFinite() ? split : out;
}

/// Whether the node is a child of the part of its parent without scaling.
bool hangs_from_unscaled(const FbxSource& source, std::size_t i) {
  const int parent = source.models[i].parent;
  return parent >= 0 && source.models[i].transform.inherit_type != 1 && source.apart[parent];
}

}  // namespace

std::vector<Transform> local_transforms(FbxSource& source,
                                        const std::vector<FbxTransform>& transforms) {
  std::vector<Transform> out(transforms.size());
  std::vector<FbxWorld> worlds(transforms.size());
  source.sheared.resize(transforms.size());
  const Eigen::Quaterniond turn(source.turn);
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    Above parent;
    const int above = source.models[i].parent;
    if (above >= 0) {
      const auto p = static_cast<std::size_t>(above);
      parent = {worlds[p], limited_scaling(transforms[p]),
                !source.apart.empty() && source.apart[p]};
    }
    worlds[i] = compose(parent.world, transforms[i]);
    bool sheared = false;
    out[i] = transform_below(parent, transforms[i], worlds[i], sheared);
    if (sheared) source.sheared[i] = true;
    out[i].translation *= source.meters;
    if (above >= 0) continue;
    out[i].translation = source.turn * out[i].translation;
    out[i].rotation = turn * out[i].rotation;
  }
  return out;
}

std::vector<Transform> rest_transforms(FbxSource& source) {
  std::vector<FbxTransform> transforms;
  for (const FbxModel& model : source.models) transforms.push_back(model.transform);
  return local_transforms(source, transforms);
}

std::vector<Transform> clip_transforms(FbxSource& source, const FbxStack& stack, double seconds) {
  std::vector<FbxTransform> transforms;
  for (const FbxModel& model : source.models) {
    transforms.push_back(model.transform);
    place_transform(stack, model.object->id, seconds, transforms.back());
  }
  return local_transforms(source, transforms);
}

bool choose_split_scalings(FbxSource& source) {
  if (std::ranges::none_of(source.sheared, [](bool sheared) { return sheared; })) return false;
  source.apart.assign(source.models.size(), false);
  for (std::size_t i = source.models.size(); i-- > 0;) {
    const FbxModel& model = source.models[i];
    // A node without scaling of its own is free of shear only below another one without scaling.
    const bool needs = source.sheared[i] || source.apart[i];
    if (needs && model.parent >= 0 && model.transform.inherit_type != 1)
      source.apart[model.parent] = true;
  }
  return true;
}

void split_scalings(const FbxSource& source, NodeScene& scene) {
  const std::size_t models = source.models.size();
  std::vector<Node> nodes;
  std::vector<int> whole(scene.nodes.size()), unscaled(models, -1);
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    Node node = std::move(scene.nodes[i]);
    if (node.parent >= 0) {
      const auto p = static_cast<std::size_t>(node.parent);
      node.parent = i < models && hangs_from_unscaled(source, i) ? unscaled[p] : whole[p];
    }
    if (i < models && source.apart[i]) {
      // Translation and rotation move to the new node, so that children can skip the scaling.
      Node above;
      above.name = node.name + " unscaled";
      above.parent = node.parent;
      above.local = {node.local.translation, node.local.rotation, Eigen::Vector3d::Ones()};
      above.is_joint = node.is_joint;
      above.hidden = std::exchange(node.hidden, false);
      unscaled[i] = node.parent = static_cast<int>(nodes.size());
      node.local = {Eigen::Vector3d::Zero(), Eigen::Quaterniond::Identity(), node.local.scale};
      nodes.push_back(std::move(above));
    }
    whole[i] = static_cast<int>(nodes.size());
    nodes.push_back(std::move(node));
  }
  scene.nodes = std::move(nodes);
  for (Skin& skin : scene.skins)
    for (int& joint : skin.joints) joint = whole[joint];
  for (Clip& clip : scene.clips)
    for (Channel& channel : clip.channels) {
      const auto i = static_cast<std::size_t>(channel.node);
      const bool places =
          channel.path == Channel::Path::translation || channel.path == Channel::Path::rotation;
      channel.node = places && i < models && source.apart[i] ? unscaled[i] : whole[i];
    }
}

}  // namespace gvbind
