#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gvbind::fuzz {

/// glTF files with features that gvbind does not write, by file name: compressed, sparse and
/// quantized data, embedded buffers, extensions, nodes that share a mesh.
std::map<std::string, std::vector<std::uint8_t>> gltf_seeds();

}  // namespace gvbind::fuzz
