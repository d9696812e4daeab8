#pragma once

#include <filesystem>

#include "gvbind/asset.h"

namespace gvbind {

/// Draws what `gvbind preview` draws, as a PNG: the weights in colors by joint from three sides,
/// and two bent poses. `width`: pixels. An existing file is replaced. Throws Error: cannot_bind (no
/// mesh), output.
void draw_preview(const Asset& asset, const std::filesystem::path& png, int width = 1200);

}  // namespace gvbind
