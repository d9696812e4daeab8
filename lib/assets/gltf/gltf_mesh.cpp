#include "assets/gltf/gltf_mesh.h"

#include <algorithm>
#include <cmath>

namespace gvbind::gltf {
namespace {

constexpr std::size_t most_vertices = std::size_t{1} << 28;

enum class Mode : std::size_t { triangles = 4, strip = 5, fan = 6 };

void add_triangle(std::vector<Triangle>& out, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  out.push_back({a, b, c});
}

// Strips are stitched with triangles of no area; those of a list stay as the file has them.
void add_unless_flat(std::vector<Triangle>& out, std::uint32_t a, std::uint32_t b,
                     std::uint32_t c) {
  if (a != b && b != c && c != a) add_triangle(out, a, b, c);
}

void add_triangles(const std::vector<std::uint32_t>& corners, std::size_t mode,
                   std::vector<Triangle>& out) {
  if (mode == static_cast<std::size_t>(Mode::triangles))
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
      add_triangle(out, corners[i], corners[i + 1], corners[i + 2]);
  else if (mode == static_cast<std::size_t>(Mode::strip))
    for (std::size_t i = 0; i + 2 < corners.size(); ++i)
      add_unless_flat(out, corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]);
  else if (mode == static_cast<std::size_t>(Mode::fan))
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
      add_unless_flat(out, corners[0], corners[i], corners[i + 1]);
}

// Indices of one primitive, as vertices of the mesh.
std::vector<std::uint32_t> corners_of(const GltfDocument& document, const Json& primitive,
                                      const std::optional<DracoPrimitive>& draco,
                                      const PositionBlock& block, const Place& place) {
  std::vector<std::uint32_t> corners;
  const auto base = static_cast<std::uint32_t>(block.first);
  if (draco) {
    if (draco->vertex_count != block.count) fail(place, "differs in size from its compressed data");
    for (const std::uint32_t index : draco->indices) corners.push_back(base + index);
  } else if (const Json* accessor = find(primitive, "indices")) {
    const AccessorValues values = read_accessor(document, accessor->get<std::size_t>(), 1);
    corners.reserve(values.count);
    for (std::size_t i = 0; i < values.count; ++i) {
      if (!(values.values[i] >= 0 && values.values[i] < static_cast<double>(block.count)))
        fail(place, "index " + std::to_string(i) + " of a primitive is out of range (" +
                        std::to_string(block.count) + " vertices)");
      corners.push_back(base + static_cast<std::uint32_t>(values.values[i]));
    }
  } else {
    for (std::size_t i = 0; i < block.count; ++i)
      corners.push_back(base + static_cast<std::uint32_t>(i));
  }
  return corners;
}

void read_positions(const GltfDocument& document, const Json& primitive, MeshData& data,
                    std::size_t primitive_index, const Place& place) {
  const PositionBlock& block =
      data.layout.blocks[*data.layout.blocks_of_primitives[primitive_index]];
  const AccessorValues values =
      read_attribute(document, primitive, data.draco[primitive_index], "POSITION", 3);
  for (std::size_t i = 0; i < values.count; ++i) {
    const Eigen::Vector3d p(values.row(i)[0], values.row(i)[1], values.row(i)[2]);
    if (!p.allFinite())
      fail(place, "position " + std::to_string(i) + " of accessors[" +
                      std::to_string(block.accessor) + "] is not finite");
    data.positions.push_back(p);
  }
}

struct Slot {
  std::uint32_t joint;
  double weight;
};

void append_row(std::vector<Slot>& row, VertexWeights& out) {
  std::ranges::sort(row, {}, &Slot::joint);
  std::size_t kept = 0;
  for (const Slot& slot : row) {
    if (kept > 0 && row[kept - 1].joint == slot.joint)
      row[kept - 1].weight += slot.weight;
    else
      row[kept++] = slot;
  }
  row.resize(kept);
  std::ranges::stable_sort(row, std::greater<>{}, &Slot::weight);
  for (const Slot& slot : row) {
    out.influence.push_back(slot.joint);
    out.weight.push_back(static_cast<float>(slot.weight));
  }
  out.first.push_back(static_cast<std::uint32_t>(out.influence.size()));
  row.clear();
}

// The sets JOINTS_n with WEIGHTS_n of a primitive.
std::vector<std::pair<AccessorValues, AccessorValues>> weight_sets(
    const GltfDocument& document, const Json& primitive,
    const std::optional<DracoPrimitive>& draco) {
  std::vector<std::pair<AccessorValues, AccessorValues>> sets;
  for (std::size_t n = 0;; ++n) {
    const std::string joints = "JOINTS_" + std::to_string(n);
    const std::string weights = "WEIGHTS_" + std::to_string(n);
    if (!find(primitive["attributes"], joints.c_str()) ||
        !find(primitive["attributes"], weights.c_str()))
      return sets;
    sets.emplace_back(read_attribute(document, primitive, draco, joints, 4),
                      read_attribute(document, primitive, draco, weights, 4));
  }
}

}  // namespace

MeshLayout mesh_layout(const Json& root, std::size_t mesh) {
  MeshLayout layout;
  for (const Json& primitive : root["meshes"][mesh]["primitives"]) {
    const Json* position = find(primitive["attributes"], "POSITION");
    if (!position) {
      layout.blocks_of_primitives.emplace_back();
      continue;
    }
    PositionBlock block{position->get<std::size_t>(), {}, layout.vertex_count, 0};
    if (const Json* draco = extension(primitive, "KHR_draco_mesh_compression"))
      block.draco_view = (*draco)["bufferView"].get<std::size_t>();
    const auto same = std::ranges::find_if(layout.blocks, [&](const PositionBlock& b) {
      return b.accessor == block.accessor && b.draco_view == block.draco_view;
    });
    layout.blocks_of_primitives.emplace_back(
        static_cast<std::size_t>(same - layout.blocks.begin()));
    if (same != layout.blocks.end()) continue;
    block.count = accessor_shape(root, block.accessor).count;
    layout.vertex_count += block.count;
    if (block.count > most_vertices || layout.vertex_count > most_vertices)
      fail(Place{"meshes", mesh}, "has too many vertices");
    layout.blocks.push_back(block);
  }
  return layout;
}

AccessorValues read_attribute(const GltfDocument& document, const Json& primitive,
                              const std::optional<DracoPrimitive>& draco, const std::string& name,
                              std::size_t columns) {
  const std::size_t accessor = primitive["attributes"][name].get<std::size_t>();
  if (draco) {
    const auto found = draco->attributes.find(name);
    if (found != draco->attributes.end()) {
      AccessorValues values = found->second;
      const AccessorShape shape = accessor_shape(document.json, accessor);
      if (values.columns != columns || values.count != shape.count)
        fail(Place{"accessors", accessor}, "differs in size from its compressed data");
      normalize_integers(values, shape);
      return values;
    }
  }
  return read_accessor(document, accessor, columns);
}

MeshData read_mesh(const GltfDocument& document, std::size_t mesh) {
  const Place place{"meshes", mesh};
  const Json& primitives = document.json["meshes"][mesh]["primitives"];
  MeshData data;
  data.layout = mesh_layout(document.json, mesh);
  std::size_t blocks_read = 0;
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    data.draco.push_back(decode_draco(document, primitives[i]));
    const auto block = data.layout.blocks_of_primitives[i];
    if (!block) continue;
    if (*block == blocks_read) {
      read_positions(document, primitives[i], data, i, place);
      ++blocks_read;
    }
    const std::size_t mode = count_of(primitives[i], "mode", place, 4);
    add_triangles(
        corners_of(document, primitives[i], data.draco[i], data.layout.blocks[*block], place), mode,
        data.triangles);
  }
  return data;
}

VertexWeights read_weights(const GltfDocument& document, std::size_t mesh, const MeshData& data,
                           std::span<const int> joint_of_slot, std::size_t& dropped) {
  const Json& primitives = document.json["meshes"][mesh]["primitives"];
  VertexWeights out;
  std::vector<Slot> row;
  for (std::size_t b = 0; b < data.layout.blocks.size(); ++b) {
    const auto& users = data.layout.blocks_of_primitives;
    const auto primitive = static_cast<std::size_t>(std::ranges::find(users, b) - users.begin());
    const auto sets = weight_sets(document, primitives[primitive], data.draco[primitive]);
    for (std::size_t i = 0; i < data.layout.blocks[b].count; ++i) {
      for (const auto& [joints, weights] : sets) {
        if (i >= joints.count || i >= weights.count)
          fail(Place{"meshes", mesh}, "has fewer joints or weights than vertices");
        for (std::size_t c = 0; c < 4; ++c) {
          const double joint = joints.row(i)[c], weight = weights.row(i)[c];
          if (weight == 0) continue;
          const bool sound = joint >= 0 && joint < static_cast<double>(joint_of_slot.size()) &&
                             weight > 0 && std::isfinite(weight);
          if (sound)
            row.push_back(
                {static_cast<std::uint32_t>(joint_of_slot[static_cast<std::size_t>(joint)]),
                 weight});
          else
            ++dropped;
        }
      }
      append_row(row, out);
    }
  }
  return out;
}

}  // namespace gvbind::gltf
