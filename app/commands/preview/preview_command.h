#pragma once

// Tested by tests/command/preview_test.py.

#include <string>
#include <vector>

#include "bind/input_file.h"
#include "cli/file_command.h"
#include "preview/preview.h"
#include "preview/textures.h"

namespace gvbind {

/// The parsed command line of `gvbind preview`.
struct PreviewCommand : FileCommand {
  std::vector<std::string> inputs;
  std::string output;                 ///< a PNG, "-", or a folder; empty: only a turntable
  std::string turntable;              ///< a .gif or .webp; empty: none
  std::string other;                  ///< --compare; empty: none
  std::string target;                 ///< --reference, for comparisons; empty: none
  std::string joint;                  ///< --joint; empty: all
  std::string pose;                   ///< --pose; empty: the bent poses
  preview::PreviewOptions options;    ///< width, bend, views and legend
  preview::TurntableOptions turning;  ///< frames
  bool has_width = false;             ///< otherwise sheets and turntables use their own defaults
  bool has_bend = false, has_frames = false;  ///< given, if only as their defaults
  bool textured = false;                      ///< base colors instead of weights
};

/// A file with the textures that preview draws.
struct PreviewInput : InputFile {
  preview::TextureSet textures = {};  ///< of read_textured()
};

/// Throws Error: as read_document; cannot_bind for a file without a mesh.
PreviewInput read_preview(const std::string& path, const ReadLimits& limits);

/// As read_preview(), with base colors. Throws Error(usage) for formats other than glTF and FBX.
PreviewInput read_textured(const std::string& path, const ReadLimits& limits);

/// Prints the difference between the skins of two files and draws both. Throws Error(cannot_bind),
/// naming the file, if one has no skin or they share nothing.
preview::Image draw_comparison(const PreviewCommand& command, const PreviewInput& input);

}  // namespace gvbind
