#include "assets/import/assimp_binds.h"

#include <assimp/mesh.h>

#include <algorithm>
#include <cmath>

#include "assets/import/assimp_nodes.h"

namespace gvbind {
namespace {

bool invertible(const Eigen::Affine3d& transform) {
  const double size = transform.linear().norm();
  const double det = transform.linear().determinant();
  return transform.matrix().allFinite() && size > 0 && std::abs(det) > 1e-9 * size * size * size;
}

/// b * a^-1 * c, or c where `a` has no inverse.
Eigen::Affine3d carried(const Eigen::Affine3d& b, const Eigen::Affine3d& a,
                        const Eigen::Affine3d& c) {
  return invertible(a) ? b * a.inverse() * c : c;
}

class Binds {
 public:
  explicit Binds(const AssimpNodes& nodes)
      : nodes_(nodes), bind_(nodes.list.size()), known_(nodes.list.size(), false) {}

  /// Meshes of one skeleton have one space: that of the mesh that came first.
  void place(MeshUse& use) {
    int anchor = -1, anchor_bone = -1;
    for (std::size_t b = 0; b < use.bones.size(); ++b) {
      const int node = use.bones[b];
      if (!invertible(affine(use.mesh->mBones[b]->mOffsetMatrix))) continue;
      const bool better =
          anchor < 0 || (known_[node] != known_[anchor] ? known_[node] : node < anchor);
      if (better) anchor = node, anchor_bone = static_cast<int>(b);
    }
    const Eigen::Affine3d& world = nodes_.list[use.node].world;
    if (anchor < 0) {
      use.to_bind = world;
      return;
    }
    const Eigen::Affine3d& at = known_[anchor] ? bind_[anchor] : nodes_.list[anchor].world;
    use.to_bind = at * affine(use.mesh->mBones[anchor_bone]->mOffsetMatrix);
    for (std::size_t b = 0; b < use.bones.size(); ++b) {
      const Eigen::Affine3d offset = affine(use.mesh->mBones[b]->mOffsetMatrix);
      if (known_[use.bones[b]] || !invertible(offset)) continue;
      known_[use.bones[b]] = true;
      bind_[use.bones[b]] = use.to_bind * offset.inverse();
    }
  }

  /// Joints that no offset names follow the joint above them, else one below.
  void fill() {
    for (std::size_t i = 0; i < bind_.size(); ++i) {
      const int parent = nodes_.list[i].parent;
      if (known_[i] || parent < 0 || !known_[parent]) continue;
      follow(i, static_cast<std::size_t>(parent));
    }
    for (std::size_t i = bind_.size(); i-- > 0;) {
      const int parent = nodes_.list[i].parent;
      if (known_[i] && parent >= 0 && !known_[parent]) follow(static_cast<std::size_t>(parent), i);
    }
    for (std::size_t i = 0; i < bind_.size(); ++i) {
      const int parent = nodes_.list[i].parent;
      if (known_[i]) continue;
      if (parent >= 0)
        follow(i, static_cast<std::size_t>(parent));
      else
        bind_[i] = nodes_.list[i].world, known_[i] = true;
    }
  }

  std::vector<Eigen::Affine3d> take() { return std::move(bind_); }

 private:
  void follow(std::size_t i, std::size_t other) {
    bind_[i] = carried(bind_[other], nodes_.list[other].world, nodes_.list[i].world);
    known_[i] = true;
  }

  const AssimpNodes& nodes_;
  std::vector<Eigen::Affine3d> bind_;
  std::vector<bool> known_;
};

}  // namespace

std::vector<Eigen::Affine3d> place_in_bind_space(const AssimpNodes& nodes,
                                                 std::vector<MeshUse>& uses) {
  Binds binds(nodes);
  for (MeshUse& use : uses)
    if (!use.bones.empty()) binds.place(use);
  binds.fill();
  std::vector<Eigen::Affine3d> bind = binds.take();
  for (MeshUse& use : uses) {
    if (!use.bones.empty()) continue;
    int joint = use.node;
    while (joint >= 0 && !nodes.list[joint].joint) joint = nodes.list[joint].parent;
    const Eigen::Affine3d& world = nodes.list[use.node].world;
    use.to_bind = joint >= 0 ? carried(bind[joint], nodes.list[joint].world, world) : world;
  }
  return bind;
}

}  // namespace gvbind
