#include "commands/bind/field_request.h"

#include <algorithm>
#include <functional>
#include <system_error>

#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "io/file_io.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

fs::path directory_of(const fs::path& file) {
  std::error_code ignored;
  return fs::absolute(file, ignored).lexically_normal().parent_path();
}

std::string seen_from(const fs::path& directory, const fs::path& path) {
  std::error_code ignored;
  const fs::path whole = fs::absolute(path, ignored).lexically_normal();
  const fs::path relative = whole.lexically_relative(directory);
  return path_text(relative.empty() ? whole : relative);
}

/// Paths are stored relative to the file of distances.
fs::path seen_again(const fs::path& file, const std::string& path) {
  return (file.parent_path() / path).lexically_normal();
}

bool is_kept(const BindOption& option) {
  return !option.expands && (option.group != OptionGroup::running || option.name == "asset-root");
}

bool is_path_value(const BindOption& option, const std::string& value) {
  return option.is_path && !value.empty() &&
         std::ranges::find(option.words, value) == option.words.end();
}

std::vector<std::string> content_of_option(const BindOption& option, const BindSettings& settings) {
  return option.content ? std::vector<std::string>{option.content(settings)}
                        : option.values(settings);
}

/// The settings of the bind that saved the distances, restricted to options that `wants` accepts.
BindSettings kept_settings(const DistanceCache& field, const fs::path& file,
                           const std::function<bool(const BindOption&)>& wants) {
  BindSettings kept;
  for (const auto& [name, stored] : field.options) {
    const BindOption* option = find_bind_option(name);
    if (!option || !is_kept(*option) || stored.empty())
      throw Error(ErrorKind::input, path_text(file) + ": was made with an option '" + name +
                                        "' that this gvbind does not have; bind again");
    if (!wants(*option)) continue;
    std::vector<std::string> values = stored;
    for (std::string& value : values)
      if (is_path_value(*option, value)) value = path_text(seen_again(file, value));
    option->apply(kept, values);
  }
  return kept;
}

/// Throws Error(usage) if one of the options that `wants` accepts has changed.
void refuse_changes(const BindSettings& kept, const BindSettings& settings,
                    const std::function<bool(const BindOption&)>& fixed) {
  for (const BindOption& option : bind_options())
    if (is_kept(option) && fixed(option) && option.name != "asset-root" &&
        content_of_option(option, settings) != content_of_option(option, kept))
      throw Error(ErrorKind::usage, "--" + option.name +
                                        ": distances depend on it, and they are kept; bind again, "
                                        "with --save-distances");
}

/// Options that also make sense for other files. Mesh selections do not, since meshes differ
/// between files; edits do not, since they are already part of the solid.
bool shapes_volume_or_weights(const BindOption& option) {
  return option.group == OptionGroup::method && option.name != "existing" &&
         option.name != "volume" && option.name != "edits" && option.name != "give";
}

}  // namespace

FieldRequest field_request(const BindSettings& settings, const fs::path& input,
                           const fs::path& file) {
  const fs::path directory = directory_of(file);
  FieldRequest request{file, seen_from(directory, input), {}};
  for (const BindOption& option : bind_options()) {
    std::vector<std::string> values = option.values(settings);
    if (!is_kept(option) || values.empty()) continue;
    // Without --engine it reads as a number, and an engine that `tune` names would not raise it.
    if (option.name == "max-influences" && settings.auto_influences) values = {"auto"};
    for (std::string& value : values)
      value =
          is_path_value(option, value) ? seen_from(directory, value) : stored_value(option, value);
    request.options.emplace_back(stored_name(option), std::move(values));
  }
  return request;
}

DistanceCache read_field(const fs::path& file) {
  return naming(file, [&] { return decode_field(read_file(file)); });
}

fs::path input_of(const DistanceCache& field, const fs::path& file) {
  return seen_again(file, field.input);
}

BindSettings tuned_settings(const DistanceCache& field, const fs::path& file,
                            const GivenFlags& given) {
  const BindSettings kept = kept_settings(field, file, [](const BindOption&) { return true; });
  BindSettings settings = kept;
  apply_flags(given, settings);
  refuse_changes(kept, settings, [](const BindOption& option) { return !option.tunable; });
  return settings;
}

BindSettings settings_in_field(const DistanceCache& field, const fs::path& file,
                               const GivenFlags& given) {
  const BindSettings kept = kept_settings(field, file, shapes_volume_or_weights);
  BindSettings settings = kept;
  apply_flags(given, settings);
  refuse_changes(kept, settings, [](const BindOption& option) {
    return option.name == "edits" || (!option.tunable && shapes_volume_or_weights(option));
  });
  return settings;
}

}  // namespace gvbind
