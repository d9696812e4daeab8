#include "batch/asset_job.h"

#include "batch/stamp.h"
#include "commands/bind/bind_report.h"
#include "common/content_hash.h"
#include "common/resources.h"
#include "files/discover.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/format.h"

namespace gvbind {

namespace {

BindRequest batch_request(const BatchAsset& asset, const BatchCommand& command) {
  try {
    BindRequest request = request_of(asset.settings, asset.input, asset.output);
    request.max_memory = memory_of(command);
    return request;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    throw Error(ErrorKind::usage, path_text(asset.input) + ": " + error.what());
  }
}

/// The root that the user gave, from the input's directory; empty: none.
std::string given_root(const BatchAsset& asset) {
  static const auto option =
      static_cast<std::size_t>(find_bind_option("asset-root") - bind_options().data());
  const std::string& root = asset.settings.asset_root;
  if (root.empty() || option >= asset.origins.size() || asset.origins[option] == folder_of_batch)
    return "";
  const std::filesystem::path input = absolute_text(asset.input);
  return path_text(
      std::filesystem::path(absolute_text(root)).lexically_relative(input.parent_path()));
}

/// All that the output's bytes depend on but its input's.
std::string key_of(const BindRequest& request, const BatchAsset& asset) {
  std::string key = "gvbind " + std::to_string(bind_version) + "\n" + options_text(asset.settings) +
                    "\noutput " + path_text(request.output.extension());
  // A glTF with a file outside the root fails; an FBX leaves the picture out.
  const bool is_fbx = format_of_name(asset.input) == Format::fbx;
  if (const std::string root = is_fbx ? given_root(asset) : ""; !root.empty())
    key += "\nasset-root " + root;
  if (request.auto_resolution)
    key += "\nresolution up to " + std::to_string(planned_resolution(request));
  return key;
}

/// The path of the asset's picture from the output directory.
std::string picture_of(const BatchAsset& asset, const BatchCommand& command) {
  return picture_path(asset.output).lexically_relative(command.output).generic_string();
}

}  // namespace

std::uint64_t memory_of(const BatchCommand& command) { return memory_limit(command.max_memory); }

std::filesystem::path asset_page(const BatchAsset& asset, const BatchCommand& command) {
  if (command.pages.empty()) return {};
  const std::filesystem::path inside = asset.output.lexically_relative(command.output);
  const bool leaves = inside.empty() || *inside.begin() == "..";
  const std::filesystem::path name = leaves ? asset.output.relative_path() : inside;
  return std::filesystem::path(command.pages) / (path_text(name) + ".html");
}

AssetJob job_of(const BatchAsset& asset, const BatchCommand& command) {
  AssetJob job;
  job.request = batch_request(asset, command);
  job.request.overwrite = true;
  job.request.create_directories = true;
  job.request.staging_name = hash_of(path_text(asset.output.filename())).substr(0, 16);
  job.force = asset.settings.force;
  job.named = asset.named;
  job.picture = !command.html.empty();
  job.page = asset_page(asset, command);
  job.certificate = command.certificate;
  job.key = key_of(job.request, asset);
  return job;
}

AssetEntry first_entry(const BatchAsset& asset, const BatchCommand& command) {
  const BindSettings& settings = asset.settings;
  AssetEntry entry =
      new_asset(asset.name, path_text(asset.input), path_text(asset.output), AssetStatus::done);
  if (!settings.skeleton.empty()) entry.skeleton = settings.skeleton;
  for (const BindOption& option : bind_options())
    if (option.affects_output)
      entry.options.emplace_back(option.name, joined_values(option.values(settings)));
  entry.command = repeat_command(asset.input, asset.output, settings);
  entry.key = hash_of(key_of(batch_request(asset, command), asset));
  entry.fail_on = fail_on_of(settings);
  if (!command.html.empty()) entry.picture = picture_of(asset, command);
  if (!command.pages.empty())
    entry.page =
        std::filesystem::proximate(asset_page(asset, command), command.output).generic_string();
  return entry;
}

}  // namespace gvbind
