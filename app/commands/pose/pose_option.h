#pragma once

// Tested by tests/command/pose_test.py.

#include <string>
#include <string_view>
#include <vector>

#include "formats/document.h"

namespace gvbind {

/// A file that is to be posed.
struct PosedFile {
  const std::string& path;
  const Document& document;
  const Scene& scene;
};

inline constexpr std::string_view clip_prefix = "clip:";

/// By joint, bind space -> posed space, as "NAME@SECONDS" asks; without a name the first clip.
/// `flag` stands in messages. Throws Error: usage for what is not there, input for a damaged file.
std::vector<Eigen::Affine3d> clip_option(const std::string& flag, std::string_view text,
                                         const PosedFile& file);

/// The same of "clip:NAME@SECONDS", or of a file of turns.
std::vector<Eigen::Affine3d> pose_option(const std::string& text, const PosedFile& file);

}  // namespace gvbind
