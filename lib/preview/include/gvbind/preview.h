#pragma once

#include <filesystem>

#include "gvbind/asset.h"

namespace gvbind::preview {

/// Writes the image of `gvbind preview` as a PNG: weights in joint colors from three sides, and two
/// bent poses. `width`: pixels. Replaces an existing file. Throws Error: cannot_bind (no mesh),
/// output.
void draw_preview(const Asset& asset, const std::filesystem::path& png, int width = 1200);

}  // namespace gvbind::preview
