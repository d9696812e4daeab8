// Tested by tests/command/convert_morphs_test.py.

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/fbx/read_source.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

/// A target of a channel.
struct TargetShape {
  const FbxNode* node = nullptr;
  std::string name;
  double full = 100.0;
  std::vector<double> shares = {};  ///< by entry of its Indexes, the factor of its offset; or none
};

/// A BlendShapeChannel; or, in files of 7.1, a Shape inside the geometry, driven by the geometry's
/// property with the same name.
struct MorphChannel {
  std::int64_t object = 0;
  std::string property = "DeformPercent";
  double rest = 0.0;
  std::vector<TargetShape> shapes = {};  ///< sorted by increasing full weight
};

/// The values of a node's array; empty if it is damaged or missing.
std::vector<double> sound_values(const FbxNode* node) {
  try {
    return node ? doubles_of(*node) : std::vector<double>();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return {};
  }
}

/// The offset of each control point in a Shape, empty if it has none; `damaged` if an entry is
/// unreadable or its index is out of range.
std::vector<Eigen::Vector3f> point_offsets(const TargetShape& shape, const char* key,
                                           std::size_t points, const Eigen::Matrix3d& turn,
                                           bool& damaged) {
  const FbxNode *indices = find_child(*shape.node, "Indexes"),
                *values = find_child(*shape.node, key);
  std::vector<Eigen::Vector3f> out;
  if (!indices || !values) return out;
  const std::vector<double> at = sound_values(indices), v = sound_values(values);
  damaged = damaged || v.size() != 3 * at.size();
  out.assign(points, Eigen::Vector3f::Zero());
  for (std::size_t i = 0; i < at.size() && 3 * i + 3 <= v.size(); ++i) {
    const double share = shape.shares.empty() ? 1.0 : shape.shares[i];
    const Eigen::Vector3f offset =
        (share * (turn * Eigen::Map<const Eigen::Vector3d>(v.data() + 3 * i))).cast<float>();
    const bool is_sound = at[i] >= 0.0 && at[i] < static_cast<double>(points) && offset.allFinite();
    if (is_sound) out[static_cast<std::size_t>(at[i])] = offset;
    damaged = damaged || !is_sound;
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

double finite_percent(std::optional<double> percent) {
  return percent && std::isfinite(*percent) ? *percent : 0.0;
}

double rest_of_channel(const FbxNode& channel) {
  const FbxNode* value = find_child(channel, "DeformPercent");
  return finite_percent(value && !value->properties.empty()
                            ? number_of(value->properties[0])
                            : number_property(channel, nullptr, "DeformPercent", 0.0));
}

/// In Blender's files FullWeights has a weight in percent for every entry of the only shape.
bool take_shares(const std::vector<double>& weights, bool of_blender,
                 std::vector<TargetShape>& shapes) {
  if (shapes.empty() || (!of_blender && weights.size() <= shapes.size())) return false;
  bool any = of_blender;
  for (TargetShape& shape : shapes) {
    const FbxNode* indices = find_child(*shape.node, "Indexes");
    if (weights.empty() || sound_values(indices).size() != weights.size()) continue;
    for (const double weight : weights) shape.shares.push_back(finite_percent(weight) / 100.0);
    any = true;
  }
  return any;
}

MorphChannel read_channel(const FbxSource& source, const FbxObject& channel) {
  const FbxNode& node = source.node(channel);
  MorphChannel out{channel.id};
  out.rest = rest_of_channel(node);
  const auto shapes = source.objects.children_of(channel.id, "Geometry", "Shape");
  for (const FbxObject* shape : shapes)
    out.shapes.push_back({&source.node(*shape), shapes.size() == 1 && !channel.name.empty()
                                                    ? channel.name
                                                    : shape->name});
  const FbxNode* weights = find_child(node, "FullWeights");
  const std::vector<double> full = sound_values(weights);
  if (!take_shares(full, blender_version(source.document) > 0, out.shapes))
    for (std::size_t i = 0; i < std::min(full.size(), out.shapes.size()); ++i)
      if (std::isfinite(full[i])) out.shapes[i].full = full[i];
  std::ranges::stable_sort(out.shapes, {}, &TargetShape::full);
  return out;
}

std::vector<MorphChannel> channels_of(const FbxSource& source, std::int64_t geometry) {
  std::vector<MorphChannel> out;
  for (const FbxObject* deformer : source.objects.children_of(geometry, "Deformer", "BlendShape"))
    for (const FbxObject* channel :
         source.objects.children_of(deformer->id, "Deformer", "BlendShapeChannel"))
      out.push_back(read_channel(source, *channel));
  const FbxNode& node = source.node(*source.objects.find(geometry));
  for (const FbxNode& part : node.children) {
    if (part.name != "Shape" || part.properties.empty()) continue;
    const std::string name = text_of(part.properties[0]);
    const std::vector<double> percent = property_numbers(node, nullptr, name);
    out.push_back(
        {geometry, name, finite_percent(percent.empty() ? 0.0 : percent[0]), {{&part, name}}});
  }
  return out;
}

}  // namespace

void add_fbx_morphs(const FbxSource& source, std::int64_t geometry, const SplitCorners& split,
                    std::size_t points, const Eigen::Matrix3d& to_mesh, Mesh& mesh) {
  const Eigen::Matrix3d across = to_mesh.inverse().transpose();
  for (const MorphChannel& channel : channels_of(source, geometry))
    for (const TargetShape& shape : channel.shapes) {
      Morph morph;
      morph.name = shape.name;
      bool damaged = false, damaged_normals = false;
      morph.positions = spread_offsets(
          point_offsets(shape, "Vertices", points, source.meters * to_mesh, damaged), split);
      if (morph.positions.empty())
        morph.positions.assign(split.point_of_vertex.size(), Eigen::Vector3f::Zero());
      if (!mesh.normals.empty())
        morph.normals =
            spread_offsets(point_offsets(shape, "Normals", points, across, damaged_normals), split);
      if (damaged || damaged_normals)
        source.losses.add("damaged blend shape", "damaged blend shapes");
      mesh.morphs.push_back(std::move(morph));
    }
}

double morph_weight(const FbxMorphTarget& target, double percent) {
  const std::vector<double>& full = target.full;
  const std::ptrdiff_t count = std::ssize(full);
  const std::ptrdiff_t positive = std::ranges::lower_bound(full, 0.0) - full.begin();
  std::ptrdiff_t previous = -1, next = percent > 0.0 ? positive : positive - 1;
  if (next < 0 || next >= count) {
    // No target on this side of zero: extrapolate the first one of the other side.
    next = percent > 0.0 ? positive - 1 : positive;
  } else {
    const std::ptrdiff_t step = percent > 0.0 ? 1 : -1;
    while (next + step >= 0 && next + step < count &&
           std::abs(full[static_cast<std::size_t>(next)]) <= std::abs(percent)) {
      previous = next;
      next += step;
    }
  }
  const double from = previous < 0 ? 0.0 : full[static_cast<std::size_t>(previous)];
  const double share = (percent - from) / (full[static_cast<std::size_t>(next)] - from);
  if (!std::isfinite(share)) return 0.0;
  const auto at = static_cast<std::ptrdiff_t>(target.at);
  return at == next ? share : at == previous ? 1.0 - share : 0.0;
}

double percent_at(const FbxStack& stack, const FbxMorphTarget& target, double seconds) {
  return number_at(stack, target.object, target.property, target.rest, seconds);
}

std::vector<FbxMorphTarget> morph_targets(const FbxSource& source, std::int64_t geometry) {
  std::vector<FbxMorphTarget> out;
  for (const MorphChannel& channel : channels_of(source, geometry)) {
    FbxMorphTarget target{channel.object, channel.property, channel.rest, {}};
    for (const TargetShape& shape : channel.shapes) target.full.push_back(shape.full);
    for (target.at = 0; target.at < target.full.size(); ++target.at) out.push_back(target);
  }
  return out;
}

}  // namespace gvbind
