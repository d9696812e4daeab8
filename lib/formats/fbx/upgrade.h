#pragma once

// Tested by tests/unit/formats/fbx/upgrade_test.cpp.

#include "formats/fbx/document.h"

namespace gvbind {

/// FBX 6.0 and 6.1, from 2006 on, which neither Assimp nor Blender opens.
constexpr std::uint32_t oldest_fbx = 6000, first_fbx_with_ids = 7000;

/// The same objects, connections and clips as a document of 7.1, in the encoding of `old`. Older
/// documents link objects by name instead of by id, keep geometry and attributes inside Models,
/// textures in the faces of a mesh and clips in Takes, and have no arrays. The cameras that every
/// such file has for its program's views, the Relations (which repeat the objects) and the settings
/// of viewers (Version5, except the frame rate) are left out. Throws Error(input) without the path
/// if a text array is damaged; such files have none.
FbxDocument upgraded_fbx(const FbxDocument& old);

/// A node without its place in the text, with all nodes below: Properties60 become Properties70,
/// and lists of numbers that 7.1 has as arrays become arrays.
FbxNode upgraded_node(const FbxNode& old);

}  // namespace gvbind
