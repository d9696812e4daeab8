#include "cli/written_files.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "common/certificate.h"
#include "formats/gltf/files.h"
#include "gvbind/base/path_text.h"
#include "io/format.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 10> written_flags = {
    "--report",     "--html",       "--junit", "--log",    "--save-distances",
    "--save-stale", "--keep-cells", "--sheet", "--source", "--turntable"};
/// Commands whose --output is a text or a picture. A document may take the place of its input.
constexpr std::array<std::string_view, 6> text_commands = {"weights", "preview", "view",
                                                           "voxels",  "fit",     "merge"};

template <typename Names>
bool has(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_given(const CLI::App& command, const std::string& flag) {
  const CLI::Option* option = command.get_option_no_throw(flag);
  return option && option->count() > 0;
}

std::string flag_of(const CLI::Option& option) {
  const auto& names = option.get_lnames();
  return names.empty() ? option.get_name() : "--" + names.front();
}

bool names_written_file(const CLI::App& command, const NamedFile& file) {
  if (has(written_flags, file.by)) return true;
  if (file.by == "--view") return command.get_name() != "preview";
  if (file.by != "--output") return false;
  if (command.get_name() == "pose") return format_of_name(file.path) == Format::other;
  return has(text_commands, command.get_name()) && !is_given(command, "--set");
}

/// The values of all options that are files, or will be.
std::vector<NamedFile> named_files(const CLI::App& command) {
  std::vector<NamedFile> files;
  std::error_code ignored;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_items_expected_max() == 0) continue;
    const std::string flag = flag_of(*option);
    for (const std::string& value : option->reduced_results())
      if (flag == "--output" || names_written_file(command, {flag, value}) ||
          fs::exists(value, ignored))
        files.push_back({flag, value});
  }
  if (is_given(command, "--certificate"))
    for (std::size_t i = 0, count = files.size(); i < count; ++i)
      if (files[i].by == "--output")
        files.push_back({"--certificate", path_text(certificate_path(files[i].path))});
  return files;
}

std::string what_is(const std::string& flag) {
  return flag.starts_with("--") ? "the file of " + flag : "an input";
}

}  // namespace

void check_written_files(const CLI::App& command) {
  const std::vector<NamedFile> files = named_files(command);
  for (const NamedFile& file : files) {
    if (!names_written_file(command, file)) continue;
    std::vector<NamedFile> others;
    for (const NamedFile& other : files) {
      if (other.by == file.by) continue;
      others.push_back({what_is(other.by), other.path});
      if (other.by != "--output") add_files_beside(other.path, others);
    }
    refuse_shared(file, others);
  }
}

void add_files_beside(const fs::path& document, std::vector<NamedFile>& files) {
  if (const auto named = read_gltf_files(document))
    for (const GltfFiles::Uri& uri : named->uris)
      files.push_back({"a file that " + path_text(document) + " names",
                       path_text(document.parent_path() / uri.file)});
}

std::vector<fs::path> buffers_of(const fs::path& document) {
  std::vector<fs::path> buffers;
  if (const auto files = read_gltf_files(document))
    for (const GltfFiles::Uri& uri : files->uris)
      if (uri.buffer) buffers.push_back(document.parent_path() / uri.file);
  return buffers;
}

std::vector<NamedFile> files_of(const BindSettings& settings) {
  std::vector<NamedFile> files;
  for (const BindOption& option : bind_options())
    if (option.is_path)
      for (const std::string& value : option.values(settings))
        files.push_back({"the file of --" + option.name, value});
  return files;
}

}  // namespace gvbind
