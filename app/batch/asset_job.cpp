#include "batch/asset_job.h"

#include "batch/content_hash.h"
#include "batch/stamp.h"
#include "repeat_command.h"

namespace gvbind {

namespace {

/// All that the output's bytes depend on but its input's.
std::string key_of(const BatchAsset& asset) {
  return "gvbind " + std::to_string(bind_version) + "\n" + options_text(asset.settings) +
         "\noutput " + asset.output.extension().string();
}

Report options_json(const BindSettings& settings) {
  Report json = Report::object();
  for (const BindOption& option : bind_options())
    if (option.affects_output) json[option.name] = joined_values(option.values(settings));
  return json;
}

/// The path of the asset's picture from the output folder.
std::string picture_of(const BatchAsset& asset, const BatchCommand& command) {
  return picture_path(asset.output).lexically_relative(command.output).generic_string();
}

}  // namespace

AssetJob job_of(const BatchAsset& asset, const BatchCommand& command) {
  AssetJob job;
  job.request = request_of(asset.settings, asset.input, asset.output);
  job.request.overwrite = true;
  job.request.create_folders = true;
  job.request.staging_name = hash_of(asset.output.filename().string()).substr(0, 16);
  job.named = asset.named;
  job.picture = !command.html.empty();
  job.key = key_of(asset);
  return job;
}

Report first_entry(const BatchAsset& asset, const BatchCommand& command) {
  const BindSettings& settings = asset.settings;
  Report entry = new_asset(asset.name, asset.input.string(), asset.output.string(), "done");
  if (!settings.skeleton.empty()) put_member(entry, "skeleton", settings.skeleton);
  put_member(entry, "options", options_json(settings));
  put_member(entry, "command", repeat_command(asset.input, asset.output, settings));
  put_member(entry, "key", hash_of(key_of(asset)));
  if (!command.html.empty()) put_member(entry, "picture", picture_of(asset, command));
  return entry;
}

}  // namespace gvbind
