#pragma once

// Tested by tests/app/batch_outputs_test.py.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batch/stamp.h"

namespace gvbind {

// A batch overwrites what a batch has written, as far as nobody has changed it since: a file is
// ours if a stamp lists its content under its name. All else is kept, unless --force is given.

/// All contents that the stamp knows as ours, each once: what the stamp that takes its place has to
/// go on listing.
std::vector<StampedOutput> known_contents(const std::optional<Stamp>& stamp);

/// Why the file that stands there must not be overwritten, to be put after the output's path and
/// ": "; empty: nothing stands there, or what is ours. `path`: from the output's directory; empty:
/// the output itself. Directories are left to whoever writes.
std::string why_keep(const std::filesystem::path& output, const std::string& path);

/// The first reason among the output itself and those of its files that the stamp knows: others are
/// not of this output, so its plan leaves them alone.
std::string why_keep_any(const std::filesystem::path& output, const std::optional<Stamp>& stamp,
                         const std::vector<std::string>& files);

}  // namespace gvbind
