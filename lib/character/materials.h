#pragma once

// Tested by tests/unit/formats/convert/convert_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

namespace gvbind {

/// A PNG or JPEG, byte for byte.
struct ImageFile {
  std::string name, mime;
  std::vector<std::uint8_t> bytes;
};

enum class Wrap { repeat, clamp, mirror };

/// Coordinates begin at the upper left. They are scaled, rotated and then moved before the lookup.
struct Texture {
  int image = -1;       ///< -1: none
  std::string missing;  ///< why an image that the file names is left out
  int uv = 0;
  std::string uv_name;  ///< name of the set that it uses; empty: the first
  Wrap wrap_u = Wrap::repeat, wrap_v = Wrap::repeat;
  Eigen::Vector2d offset = Eigen::Vector2d::Zero(), scale = Eigen::Vector2d::Ones();
  double rotation = 0.0;  ///< radians, as KHR_texture_transform has it
};

enum class AlphaMode { opaque, mask, blend };

/// Metallic-roughness material, as in glTF.
struct Material {
  std::string name;
  Eigen::Vector4d base_color = Eigen::Vector4d::Ones();  ///< linear
  Eigen::Vector3d emissive = Eigen::Vector3d::Zero();    ///< linear, may exceed 1
  double metallic = 0.0, roughness = 1.0, alpha_cutoff = 0.5;
  double normal_scale = 1.0, occlusion_strength = 1.0;
  AlphaMode alpha = AlphaMode::opaque;
  bool double_sided = false, unlit = false;
  Texture color_map, emissive_map, normal_map, metal_rough_map, occlusion_map;
};

}  // namespace gvbind
