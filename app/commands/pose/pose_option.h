#pragma once

// Tested by tests/command/pose_test.py.

#include <string>
#include <string_view>
#include <vector>

#include "formats/document.h"

namespace gvbind {

/// A file to be posed.
struct PosedFile {
  const std::string& path;
  const Document& document;
  const Scene& scene;
};

inline constexpr std::string_view clip_prefix = "clip:";

struct ClipTime {
  std::size_t clip = 0;  ///< index into clip_names()
  double seconds = 0.0;
};

/// "NAME@SECONDS"; without a name, the first clip. Messages name `flag`. Throws Error: usage for a
/// missing clip or time.
ClipTime clip_option(const std::string& flag, std::string_view text, const PosedFile& file);

/// Per joint, bind space -> posed space, for "clip:NAME@SECONDS" or a file of rotations. Throws
/// Error: as clip_option(); input for a damaged file.
std::vector<Eigen::Affine3d> pose_option(const std::string& text, const PosedFile& file);

}  // namespace gvbind
