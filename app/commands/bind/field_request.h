#pragma once

// Tested by tests/command/tune_test.py.

#include <filesystem>
#include <string>

#include "bind/distance_cache.h"
#include "cli/bind_options.h"
#include "cli/options.h"
#include "commands/bind/bind_file.h"

namespace gvbind {

/// The record of the bind in a file of distances. Paths are relative to that file, so they stay
/// valid when all files move together.
FieldRequest field_request(const BindSettings& settings, const std::filesystem::path& input,
                           const std::filesystem::path& file);

/// Throws Error(input), with the path, for a damaged file or another kind of file.
DistanceCache read_field(const std::filesystem::path& file);

/// The input that the distances in `file` were computed from.
std::filesystem::path input_of(const DistanceCache& field, const std::filesystem::path& file);

/// The settings of that bind, overridden by the current ones. Throws Error(usage) if an option that
/// the distances depend on has changed.
BindSettings tuned_settings(const DistanceCache& field, const std::filesystem::path& file,
                            const GivenFlags& given);

/// The settings for other files in the same volume: the settings of that bind that shape weights,
/// overridden by the current ones. Throws as tuned_settings().
BindSettings settings_in_field(const DistanceCache& field, const std::filesystem::path& file,
                               const GivenFlags& given);

}  // namespace gvbind
