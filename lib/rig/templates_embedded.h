#pragma once

#include <string_view>

/// Files of data/rig, embedded at build time.
namespace gvbind::embedded {

extern const std::string_view biped_gltf;
extern const std::string_view quadruped_gltf;
extern const std::string_view bird_gltf;
extern const std::string_view hand_gltf;
extern const std::string_view fish_gltf;
extern const std::string_view spider_gltf;

}  // namespace gvbind::embedded
