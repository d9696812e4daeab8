#pragma once

// Tested by tests/command/preview_test.py.

#include <string>
#include <vector>

#include "bind/input_file.h"
#include "cli/file_command.h"
#include "preview/preview.h"
#include "preview/textures.h"

namespace gvbind {

/// What the command line asks of preview.
struct PreviewCommand : FileCommand {
  std::vector<std::string> inputs;
  std::string output;        ///< a PNG, "-", or a folder; empty: a turntable alone
  std::string turntable;     ///< a .gif or .webp; empty: none
  std::string other;         ///< --compare; empty: none
  std::string target;        ///< --reference, of a comparison; empty: none
  std::string joint;         ///< --joint; empty: all
  std::string pose;          ///< --pose; empty: the bent poses
  PreviewOptions options;    ///< width, bend, views and legend are set
  TurntableOptions turning;  ///< frames is set
  bool has_width = false;    ///< else sheets and turntables have their own
  bool textured = false;     ///< base colors instead of weights
};

/// A file as preview needs it.
struct PreviewInput : InputFile {
  TextureSet textures = {};  ///< of read_textured()
};

/// Throws Error: as read_document; cannot_bind for a file without a mesh.
PreviewInput read_preview(const std::string& path, const ReadLimits& limits);

/// The same with its base colors: an FBX is read as the glTF that it would be converted to. Throws
/// Error(usage) for other formats.
PreviewInput read_textured(const std::string& path, const ReadLimits& limits);

/// Prints how far the skins of two files are apart and draws both. Throws Error(cannot_bind), with
/// the file's name, where one has no skin or the two have nothing in common.
Image draw_comparison(const PreviewCommand& command, const PreviewInput& input);

}  // namespace gvbind
