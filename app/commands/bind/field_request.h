#pragma once

// Tested by tests/command/tune_test.py.

#include <filesystem>
#include <string>

#include "bind/distance_cache.h"
#include "cli/bind_options.h"
#include "cli/options.h"
#include "commands/bind/bind_file.h"

namespace gvbind {

/// What a file of distances says of the bind that made it. Paths are put down as seen from the
/// file's directory, so that they hold where all of them move together.
FieldRequest field_request(const BindSettings& settings, const std::filesystem::path& input,
                           const std::filesystem::path& file);

/// Throws Error(input), with the path, for a file that is damaged or none of distances.
DistanceCache read_field(const std::filesystem::path& file);

/// The input that the distances in `file` were made from.
std::filesystem::path input_of(const DistanceCache& field, const std::filesystem::path& file);

/// The settings of that bind, and over them those given now. Throws Error(usage) for one that
/// distances depend on.
BindSettings tuned_settings(const DistanceCache& field, const std::filesystem::path& file,
                            const GivenFlags& given);

/// The settings for other files in the same volume: of that bind what shapes weights, and all that
/// is given now. Throws as tuned_settings().
BindSettings settings_in_field(const DistanceCache& field, const std::filesystem::path& file,
                               const GivenFlags& given);

}  // namespace gvbind
