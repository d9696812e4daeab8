// Tested by tests/app/convert_test.py.

#include <algorithm>
#include <cmath>

#include "assets/convert/fbx_source.h"

namespace gvbind::whole {
namespace {

/// What a Shape adds to each control point.
std::vector<Eigen::Vector3f> point_offsets(const FbxNode& shape, const char* key,
                                           std::size_t points, const Eigen::Matrix3d& turn) {
  const FbxNode *indices = find_child(shape, "Indexes"), *values = find_child(shape, key);
  std::vector<Eigen::Vector3f> out;
  if (!indices || !values) return out;
  const std::vector<std::int32_t> at = integers_of(*indices);
  const std::vector<double> v = doubles_of(*values);
  out.assign(points, Eigen::Vector3f::Zero());
  for (std::size_t i = 0; i < at.size() && 3 * i + 3 <= v.size(); ++i) {
    if (at[i] < 0 || static_cast<std::size_t>(at[i]) >= points) continue;
    const Eigen::Vector3f offset =
        (turn * Eigen::Map<const Eigen::Vector3d>(v.data() + 3 * i)).cast<float>();
    if (offset.allFinite()) out[static_cast<std::size_t>(at[i])] = offset;
  }
  return out;
}

std::vector<Eigen::Vector3f> spread_offsets(const std::vector<Eigen::Vector3f>& by_point,
                                            const SplitCorners& split) {
  std::vector<Eigen::Vector3f> out;
  if (!by_point.empty())
    for (const std::uint32_t point : split.point_of_vertex) out.push_back(by_point[point]);
  return out;
}

std::vector<const FbxObject*> channels_of(const FbxSource& source, std::int64_t geometry) {
  std::vector<const FbxObject*> out;
  for (const FbxObject* deformer : source.objects.children_of(geometry, "Deformer", "BlendShape"))
    for (const FbxObject* channel :
         source.objects.children_of(deformer->id, "Deformer", "BlendShapeChannel"))
      out.push_back(channel);
  return out;
}

double unchecked_weight(const FbxMorphTarget& target, double percent) {
  if (percent <= target.full || target.next <= target.full) {
    const double span = target.full - target.previous;
    const double weight = span > 0 ? (percent - target.previous) / span : percent / 100.0;
    return target.previous > 0 ? std::max(weight, 0.0) : weight;
  }
  return std::max(0.0, 1.0 - (percent - target.full) / (target.next - target.full));
}

}  // namespace

void add_fbx_morphs(const FbxSource& source, std::int64_t geometry, const SplitCorners& split,
                    std::size_t points, const Eigen::Matrix3d& to_mesh, Mesh& mesh) {
  const Eigen::Matrix3d across = to_mesh.inverse().transpose();
  for (const FbxObject* channel : channels_of(source, geometry)) {
    const auto shapes = source.objects.children_of(channel->id, "Geometry", "Shape");
    for (const FbxObject* shape : shapes) {
      const FbxNode& node = source.node(*shape);
      Morph morph;
      morph.name = shapes.size() == 1 && !channel->name.empty() ? channel->name : shape->name;
      morph.positions =
          spread_offsets(point_offsets(node, "Vertices", points, source.meters * to_mesh), split);
      if (morph.positions.empty())
        morph.positions.assign(split.point_of_vertex.size(), Eigen::Vector3f::Zero());
      if (!mesh.normals.empty())
        morph.normals = spread_offsets(point_offsets(node, "Normals", points, across), split);
      mesh.morphs.push_back(std::move(morph));
    }
  }
}

double morph_weight(const FbxMorphTarget& target, double percent) {
  const double weight = unchecked_weight(target, percent);
  return std::isfinite(weight) ? weight : 0.0;
}

std::vector<FbxMorphTarget> morph_targets(const FbxSource& source, std::int64_t geometry) {
  std::vector<FbxMorphTarget> out;
  for (const FbxObject* channel : channels_of(source, geometry)) {
    const std::size_t count = source.objects.children_of(channel->id, "Geometry", "Shape").size();
    const FbxNode* weights = find_child(source.node(*channel), "FullWeights");
    std::vector<double> full = weights ? doubles_of(*weights) : std::vector<double>();
    full.resize(count, 100.0);
    for (std::size_t i = 0; i < count; ++i)
      out.push_back(
          {channel->id, i > 0 ? full[i - 1] : 0.0, full[i], i + 1 < count ? full[i + 1] : 0.0});
  }
  return out;
}

double rest_percent(const FbxSource& source, std::int64_t channel) {
  const FbxNode& node = source.node(*source.objects.find(channel));
  const FbxNode* value = find_child(node, "DeformPercent");
  const double percent = value && !value->properties.empty()
                             ? number_of(value->properties[0]).value_or(0.0)
                             : number_property(node, nullptr, "DeformPercent", 0.0);
  return std::isfinite(percent) ? percent : 0.0;
}

}  // namespace gvbind::whole
