#pragma once

#include <filesystem>

namespace gvbind {

/// Formats that gvbind writes. `other`: what Assimp reads, or nothing that is known.
enum class Format { gltf, glb, vrm, fbx, other };

/// By the extension, in any case. The content may be of another format, see read_document().
Format format_of_name(const std::filesystem::path& path);

/// VRM is binary glTF with data of its own, which a patch keeps.
constexpr bool is_gltf(Format format) {
  return format == Format::gltf || format == Format::glb || format == Format::vrm;
}

}  // namespace gvbind
