#pragma once

#include <filesystem>
#include <string>

#include "bind_options.h"

namespace gvbind {

/// The line that binds this input alone once more, quoted for a POSIX shell. It overwrites the
/// output.
std::string repeat_command(const std::filesystem::path& input, const std::filesystem::path& output,
                           const BindSettings& settings);

}  // namespace gvbind
