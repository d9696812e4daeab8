#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

struct ImportedScene {
  Scene scene;
  Findings findings;
};

/// For the transfer from a child process to its parent on the same machine.
std::vector<std::uint8_t> encode_scene(const ImportedScene& imported);

/// The bytes come from a process that a hostile file may have taken over: every count and index is
/// checked, and names become valid UTF-8. Throws Error(input) with the mesh or joint and its error.
ImportedScene decode_scene(std::span<const std::uint8_t> bytes);

}  // namespace gvbind
