#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/bind_options.h"

namespace gvbind {

/// A value given for an option.
struct GivenOption {
  std::size_t option = 0;  ///< index into bind_options()
  std::vector<std::string> values;
  std::string origin;  ///< "command line", "m.toml:12 rule 'props/**'"
};

/// The options of one source: the command line, an asset, a rule, the defaults. Each option at most
/// once.
using SettingsLayer = std::vector<GivenOption>;

/// The settings of an asset, and the origin of each.
struct ResolvedSettings {
  BindSettings settings;
  std::vector<std::string>
      origins;  ///< by option of bind_options(); "built in" where none was given
};

/// The first layer that gives an option wins. Throws Error(usage) for a value that is out of range.
ResolvedSettings resolve_settings(const std::vector<const SettingsLayer*>& layers);

/// The canonical text of all that the output's bytes depend on, for the key of a cache: the same
/// however and in whatever order it was written, and without options of the run (--fail-on,
/// --force). Not in it, since their content counts and not their name: the input and the skeleton.
/// A file of weights is in it by its hash. The output's format is not: its extension says it.
std::string options_text(const BindSettings& settings);

}  // namespace gvbind
