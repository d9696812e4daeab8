#include "batch/batch_plan.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "batch/manifest.h"
#include "cli/config_file.h"
#include "commands/bind/bind_report.h"
#include "files/discover.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "report/batch_report.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

struct Planned {
  BatchAsset asset;
  std::string input_key, output_key;  ///< absolute
  std::vector<std::size_t> rules;     ///< of the manifest that match it
  bool is_link = false;
};

std::string below(const std::string& directory, const std::string& path) {
  if (path.starts_with('/') || directory.empty()) return path;
  return directory.ends_with('/') ? directory + path : directory + "/" + path;
}

bool is_one_manifest(const std::vector<std::string>& inputs) {
  std::error_code error;
  const auto is_manifest = [&](const std::string& input) {
    return is_manifest_name(input) && !fs::is_directory(input, error);
  };
  const auto found = std::ranges::find_if(inputs, is_manifest);
  if (found == inputs.end()) return false;
  if (inputs.size() > 1)
    throw Error(ErrorKind::usage,
                *found + ": a manifest must be the only input; list the others under its 'inputs'");
  return true;
}

Search search_of(const Manifest& manifest) {
  const fs::path directory = manifest.path.parent_path();
  Search search;
  const std::string beside = path_text(directory / "");
  for (const ManifestInput& input : manifest.inputs)
    search.places.push_back({input.path, config_location(manifest.path, input.line) + ": ",
                             input.path.starts_with(beside) ? beside.size() : 0});
  for (const ManifestAsset& asset : manifest.assets) search.files.push_back(asset.input);
  search.root = absolute_text(fs::absolute(manifest.path).parent_path());
  search.asset_root = directory.empty() ? "." : path_text(directory);
  return search;
}

/// Its own entry in the manifest; null: none.
const ManifestAsset* entry_of(const Candidate& candidate, const Manifest& manifest) {
  return candidate.entry ? &manifest.assets[*candidate.entry] : nullptr;
}

std::vector<std::size_t> rules_of(const Candidate& candidate, const Manifest& manifest) {
  std::vector<std::size_t> rules;
  for (std::size_t r = 0; r < manifest.rules.size(); ++r)
    if (matches_rule(manifest.rules[r].match, candidate.rule_path)) rules.push_back(r);
  return rules;
}

ResolvedSettings settings_of(const Candidate& candidate, const Manifest& manifest,
                             const std::vector<std::size_t>& rules,
                             const SettingsLayer& command_line) {
  std::vector<const SettingsLayer*> layers = {&command_line};
  if (const ManifestAsset* own = entry_of(candidate, manifest)) layers.push_back(&own->settings);
  for (const std::size_t rule : rules) layers.push_back(&manifest.rules[rule].settings);
  layers.push_back(&manifest.defaults);
  return resolve_settings(layers);
}

fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  fs::path real = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal() : real;
}

/// Who may write a manifest need not be who may write everywhere.
void check_inside(const Planned& planned, const ManifestAsset& own, const fs::path& manifest,
                  const std::string& output) {
  const fs::path relative =
      resolved(planned.asset.output.parent_path()).lexically_relative(resolved(output));
  if (!relative.empty() && *relative.begin() != "..") return;
  throw Error(ErrorKind::usage, config_location(manifest, own.line) + ": the output '" +
                                    own.output + "' lies outside the output folder '" + output +
                                    "'; --allow-outside permits that");
}

/// Without --asset-root, all files under the directory of the batch may be read.
void take_asset_root(const Candidate& candidate, ResolvedSettings& resolved) {
  if (!resolved.settings.asset_root.empty() || candidate.asset_root.empty()) return;
  const auto normal = [](const fs::path& directory) { return (directory / "").lexically_normal(); };
  if (normal(candidate.asset_root) == normal(candidate.input.parent_path() / ".")) return;
  resolved.settings.asset_root = candidate.asset_root;
  static const auto option =
      static_cast<std::size_t>(find_bind_option("asset-root") - bind_options().data());
  resolved.origins[option] = folder_of_batch;
}

Planned plan_one(const Candidate& candidate, const Manifest& manifest, const std::string& output,
                 const std::string& output_root, const SettingsLayer& command_line) {
  std::vector<std::size_t> rules = rules_of(candidate, manifest);
  ResolvedSettings resolved = settings_of(candidate, manifest, rules, command_line);
  const ManifestAsset* own = entry_of(candidate, manifest);
  take_asset_root(candidate, resolved);
  std::string output_path = output_name(candidate.shape);
  if (own && !own->output.empty()) {
    const std::string file = output_path.substr(output_path.rfind('/') + 1);
    const std::string& wanted = own->output;
    output_path =
        path_text(fs::path(wanted.ends_with('/') ? wanted + file : wanted).lexically_normal());
  }
  Planned planned;
  planned.asset = {own && !own->name.empty() ? own->name : output_path,
                   candidate.input,
                   below(output, output_path),
                   candidate.named,
                   std::move(resolved.settings),
                   std::move(resolved.origins)};
  planned.input_key = candidate.key;
  planned.output_key = below(output_root, output_path);
  if (output_path.starts_with("..")) planned.output_key = absolute_text(planned.output_key);
  planned.rules = std::move(rules);
  planned.is_link = candidate.is_link;
  return planned;
}

/// Which of the assets are only there to give others their skeleton.
void drop_skeletons(std::vector<Planned>& assets) {
  std::set<std::string> skeletons;
  std::unordered_set<std::string> names;
  for (const Planned& p : assets) skeletons.insert(p.asset.settings.skeleton);
  skeletons.erase("");
  for (const std::string& skeleton : skeletons)
    names.insert(path_text(fs::path(skeleton).filename()));
  const auto is_skeleton = [&](const Planned& p) {
    // Asking the disk about each pair would take long; only a link can have another name.
    const std::string& input = p.input_key;
    if (p.asset.named || (!p.is_link && !names.contains(input.substr(input.rfind('/') + 1))))
      return false;
    std::error_code error;
    return std::ranges::any_of(skeletons, [&](const std::string& skeleton) {
      return fs::equivalent(p.asset.input, skeleton, error);
    });
  };
  std::erase_if(assets, is_skeleton);
}

[[noreturn]] void refuse_plan(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

void check_outputs(const std::vector<Planned>& assets) {
  std::unordered_map<std::string, const BatchAsset*> outputs;
  std::unordered_map<std::string_view, const BatchAsset*> names;
  std::unordered_set<std::string_view> inputs;
  for (const Planned& p : assets) {
    const BatchAsset& asset = p.asset;
    const auto [same_output, is_new] = outputs.emplace(fold_case(p.output_key), &asset);
    if (!is_new)
      refuse_plan("two assets would be written to " + path_text(asset.output) +
                  (asset.output == same_output->second->output ? "" : " in another case") + ": " +
                  path_text(same_output->second->input) + " and " + path_text(asset.input) +
                  "; an [[asset]] of a manifest with 'output' gives one another name");
    const auto [same_name, is_new_name] = names.emplace(asset.name, &asset);
    if (!is_new_name)
      refuse_plan("two assets have the name '" + asset.name +
                  "': " + path_text(same_name->second->input) + " and " + path_text(asset.input));
    inputs.insert(p.input_key);
  }
  for (const Planned& p : assets) {
    if (!inputs.contains(p.output_key)) continue;
    const std::string output = path_text(p.asset.output);
    if (p.output_key != p.input_key)
      refuse_plan(output + ": is an input of the batch and the output of " +
                  path_text(p.asset.input));
    if (!p.asset.settings.force)
      refuse_plan(output + ": would overwrite the input; --force does, or give another -o");
  }
}

/// Perhaps a directory was renamed: its assets then silently get other settings.
Findings idle_rules(const std::vector<Planned>& assets, const Manifest& manifest) {
  std::vector<bool> used(manifest.rules.size(), false);
  for (const Planned& p : assets)
    for (const std::size_t rule : p.rules) used[rule] = true;
  Findings findings;
  for (std::size_t r = 0; r < used.size(); ++r) {
    if (used[r]) continue;
    const ManifestRule& rule = manifest.rules[r];
    findings.push_back({Severity::warning, "rule-without-asset",
                        config_location(manifest.path, rule.line) + ": the [[rule]] '" +
                            rule.match + "' matches no asset",
                        ""});
  }
  return findings;
}

BatchPlan finish(std::vector<Planned> assets, const Manifest& manifest, const std::string& what) {
  drop_skeletons(assets);
  if (assets.empty()) throw Error(ErrorKind::input, what + ": holds nothing to bind");
  std::ranges::sort(assets, {},
                    [](const Planned& p) -> const std::string& { return p.asset.name; });
  check_outputs(assets);
  BatchPlan plan;
  plan.findings = idle_rules(assets, manifest);
  plan.assets.reserve(assets.size());
  for (Planned& p : assets) plan.assets.push_back(std::move(p.asset));
  return plan;
}

/// Files that were named one by one are no place: one that is gone is no longer asked for.
std::vector<SearchedPlace> searched_places(const Search& search) {
  std::vector<SearchedPlace> places;
  std::error_code ignored;
  for (const Search::Place& place : search.places) {
    const bool is_directory = fs::is_directory(place.path, ignored);
    if (!is_directory && !has_wildcards(place.path.substr(place.literal))) continue;
    const SplitGlob glob =
        is_directory ? SplitGlob{place.path, ""} : split_glob(place.path, place.literal);
    const std::string base = absolute_text(glob.base.empty() ? "." : glob.base);
    places.push_back({base, glob.pattern, search.root.empty() ? base : search.root});
  }
  return places;
}

/// JSON's texts are TOML's basic strings.
std::string toml_text(const std::string& text) { return printable_json(json_line(text)); }

std::string toml_value(const BindOption& option, const std::vector<std::string>& values) {
  if (option.repeatable) {
    std::string list;
    for (const std::string& value : values)
      list.append(list.empty() ? "" : ", ").append(toml_text(value));
    return std::string("[").append(list).append("]");
  }
  const std::string value = values.empty() ? "" : values.front();
  return option.is_flag || is_number_value(option, value) ? value : toml_text(value);
}

std::string config_line(const std::string& key, const std::string& value,
                        const std::string& origin) {
  std::string line = key + " = " + value;
  if (line.size() < 40) line.resize(40, ' ');
  return line + "  # " + one_line(origin) + "\n";
}

}  // namespace

std::string manifest_output(const std::vector<std::string>& inputs) {
  return is_one_manifest(inputs) ? read_manifest(inputs.front()).output : "";
}

BatchPlan plan_batch(const std::vector<std::string>& inputs, const fs::path& output,
                     const SettingsLayer& command_line, Outside outside) {
  Manifest manifest;
  Search search;
  std::string directory = path_text(output);
  if (is_one_manifest(inputs)) {
    manifest = read_manifest(inputs.front());
    if (directory.empty()) directory = manifest.output;
    search = search_of(manifest);
  } else {
    for (const std::string& input : inputs) search.places.push_back({input, ""});
  }
  Findings unreadable;
  const std::vector<Candidate> candidates = discover_inputs(search, directory, &unreadable);
  if (directory.empty()) refuse_plan("--output is required: the folder for the outputs");
  const std::string root = absolute_text(directory);
  std::vector<Planned> assets;
  assets.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    assets.push_back(plan_one(candidate, manifest, directory, root, command_line));
    const ManifestAsset* own = entry_of(candidate, manifest);
    if (outside == Outside::refused && own && !own->output.empty())
      check_inside(assets.back(), *own, manifest.path, directory);
  }
  BatchPlan plan =
      finish(std::move(assets), manifest, inputs.empty() ? "the batch" : inputs.front());
  std::ranges::move(unreadable, std::back_inserter(plan.findings));
  plan.places = searched_places(search);
  return plan;
}

std::string config_text(const BatchAsset& asset) {
  std::string text = "# ";
  text += one_line(asset.name);
  text += "\ninput = ";
  text += toml_text(path_text(asset.input));
  text += "\noutput = ";
  text += toml_text(path_text(asset.output));
  text += "\n";
  const auto options = bind_options();
  for (std::size_t o = 0; o < options.size(); ++o)
    text += config_line(options[o].name, toml_value(options[o], options[o].values(asset.settings)),
                        asset.origins[o]);
  const std::string command = repeat_command(asset.input, asset.output, asset.settings);
  if (printable(command) == command) text.append("# ").append(command).append("\n");
  return text;
}

}  // namespace gvbind
