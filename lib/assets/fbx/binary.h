#pragma once

#include <cstdint>
#include <vector>

#include "assets/fbx/document.h"

namespace gvbind {

bool is_binary_fbx(const std::vector<std::uint8_t>& bytes);

/// Fills version, root and footer from document.bytes. Throws Error(input) without the path.
void parse_binary_fbx(FbxDocument& document);

/// The tree in binary. Throws Error(output) where it outgrows the offsets of its version.
std::vector<std::uint8_t> write_binary_fbx(const FbxDocument& document);

/// Whether write_binary_fbx would give document.bytes again.
bool writes_same_binary_fbx(const FbxDocument& document);

/// The footer that other writers put, for documents of our own.
FbxFooter make_fbx_footer(std::uint32_t version);

}  // namespace gvbind
