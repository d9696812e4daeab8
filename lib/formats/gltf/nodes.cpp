#include "formats/gltf/nodes.h"

#include <cmath>

namespace gvbind::gltf {

Eigen::Affine3d local_transform(const Json& node) {
  Eigen::Affine3d local = Eigen::Affine3d::Identity();
  const auto number = [](const Json& values, std::size_t i) { return values[i].get<double>(); };
  if (const Json* m = find(node, "matrix")) {
    for (std::size_t column = 0; column < 4; ++column)
      for (std::size_t row = 0; row < 3; ++row)
        local.matrix()(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
            number(*m, column * 4 + row);
    return local;
  }
  if (const Json* t = find(node, "translation"))
    local.translation() = Eigen::Vector3d(number(*t, 0), number(*t, 1), number(*t, 2));
  if (const Json* r = find(node, "rotation")) {
    Eigen::Quaterniond q(number(*r, 3), number(*r, 0), number(*r, 1), number(*r, 2));
    if (q.norm() > 0) local.linear() = q.normalized().toRotationMatrix();
  }
  if (const Json* s = find(node, "scale"))
    local.linear() *= Eigen::Vector3d(number(*s, 0), number(*s, 1), number(*s, 2)).asDiagonal();
  return local;
}

namespace {

Json json_of(const Eigen::Vector3d& v) { return Json::array({v.x(), v.y(), v.z()}); }

}  // namespace

NodeTree node_tree(const Json& root) {
  const Json& nodes = list(root, "nodes");
  NodeTree tree;
  tree.parent.assign(nodes.size(), no_node);
  tree.depth.assign(nodes.size(), 0);
  tree.world.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (const Json* children = find(nodes[i], "children"))
      for (const Json& child : *children) tree.parent[child.get<std::size_t>()] = i;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (tree.parent[i] == no_node) tree.order.push_back(i);
  for (std::size_t k = 0; k < tree.order.size(); ++k) {
    const std::size_t i = tree.order[k], above = tree.parent[i];
    tree.world[i] = local_transform(nodes[i]);
    if (above != no_node) {
      tree.world[i] = tree.world[above] * tree.world[i];
      tree.depth[i] = tree.depth[above] + 1;
    }
    if (const Json* children = find(nodes[i], "children"))
      for (const Json& child : *children) tree.order.push_back(child.get<std::size_t>());
  }
  return tree;
}

std::vector<std::size_t> nearest_marked(const NodeTree& tree, const std::vector<bool>& marked) {
  std::vector<std::size_t> nearest(tree.parent.size(), no_node);
  for (const std::size_t i : tree.order) {
    if (marked[i])
      nearest[i] = i;
    else if (tree.parent[i] != no_node)
      nearest[i] = nearest[tree.parent[i]];
  }
  return nearest;
}

void write_transform(Json& node, const Eigen::Affine3d& local) {
  const Eigen::Vector3d t = local.translation();
  Eigen::Vector3d s = local.linear().colwise().norm();
  Eigen::Matrix3d r = Eigen::Matrix3d::Identity();
  const bool scaled = s.minCoeff() > 0;
  if (scaled) {
    if (local.linear().determinant() < 0) s.x() = -s.x();
    r = local.linear() * s.cwiseInverse().asDiagonal();
  }
  if (!scaled || !(r.transpose() * r).isIdentity(1e-6)) {
    Json values = Json::array();
    for (Eigen::Index i = 0; i < 16; ++i) values.push_back(local.matrix().data()[i]);
    node["matrix"] = std::move(values);
    return;
  }
  const Eigen::Quaterniond q = Eigen::Quaterniond(r).normalized();
  if (!t.isZero(0)) node["translation"] = json_of(t);
  if (!r.isIdentity(1e-12)) node["rotation"] = Json::array({q.x(), q.y(), q.z(), q.w()});
  if (!s.isOnes(1e-9)) node["scale"] = json_of(s);
}

}  // namespace gvbind::gltf
