#include "batch/orphans.h"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_set>
#include <vector>

#include "batch/stamp.h"
#include "batch/state_file.h"
#include "common/certificate.h"
#include "files/discover.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

struct Orphan {
  fs::path output, input;
};

/// Absolute paths of files that the plan reads or writes.
using PlannedFiles = std::unordered_set<std::string>;

PlannedFiles planned_files(const BatchPlan& plan) {
  PlannedFiles files;
  for (const BatchAsset& asset : plan.assets) {
    files.insert(absolute_text(asset.input));
    files.insert(absolute_text(asset.output));
  }
  return files;
}

bool stands_there(const fs::path& file) {
  std::error_code error;
  return fs::symlink_status(file, error).type() != fs::file_type::not_found;
}

/// Whether the batch would make the output, below its output directory, of the input.
bool would_make(const BatchPlan& plan, const std::string& input, const std::string& output) {
  const auto makes = [&](const SearchedPlace& place) {
    const std::string below = path_text(fs::path(input).lexically_relative(place.base));
    if (below.empty() || below.starts_with("..")) return false;
    if (!place.pattern.empty() && !matches_path(place.pattern, below)) return false;
    return output_name(path_text(fs::path(input).lexically_relative(place.root))) == output;
  };
  return std::ranges::any_of(plan.places, makes);
}

/// The output that a stamp is of.
std::optional<fs::path> stamped_output(const fs::path& stamp_file, const Stamp& stamp) {
  const fs::path directory = stamp_file.parent_path().parent_path();
  for (const StampedOutput& known : known_contents(stamp))
    if (stamp_path(directory / known.path) == stamp_file) return directory / known.path;
  return std::nullopt;
}

/// The stamp's outputs that still exist.
std::vector<StampedOutput> standing_files(const fs::path& output, const Stamp& stamp) {
  std::vector<StampedOutput> standing = known_contents(stamp);
  std::erase_if(standing, [&](const StampedOutput& known) {
    return !stands_there(output.parent_path() / known.path);
  });
  return standing;
}

std::optional<Orphan> orphan_of(const fs::path& stamp_file, const BatchPlan& plan,
                                const fs::path& root, const PlannedFiles& planned) {
  const std::optional<Stamp> stamp = read_stamp_file(stamp_file);
  const std::optional<fs::path> output = stamp ? stamped_output(stamp_file, *stamp) : std::nullopt;
  if (!output || stamp->source.empty() || planned.contains(absolute_text(*output)))
    return std::nullopt;
  const std::string input = absolute_text(output->parent_path() / stamp->source);
  if (stands_there(input) || !would_make(plan, input, path_text(output->lexically_relative(root))))
    return std::nullopt;
  return Orphan{*output, input};
}

/// Directories that are links are not entered: they may belong to another batch.
std::vector<Orphan> find_orphans(const BatchPlan& plan, const fs::path& root,
                                 const PlannedFiles& planned) {
  std::vector<Orphan> orphans;
  std::error_code error;
  fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    const fs::path& file = it->path();
    if (file.extension() != ".stamp" || file.parent_path().filename() != ".gvbind") continue;
    try {
      if (auto orphan = orphan_of(file, plan, root, planned)) orphans.push_back(*orphan);
    } catch (const Error&) {
      // A stamp that cannot be read proves nothing to be ours.
    }
  }
  std::ranges::sort(orphans, {}, &Orphan::output);
  return orphans;
}

/// Whether the path leads from the directory to a place in it, through no link.
bool leads_inside(const fs::path& directory, const fs::path& path) {
  if (path.is_absolute() || path.lexically_normal() != path || *path.begin() == "..") return false;
  std::error_code error;
  const fs::path real = fs::canonical(directory, error);
  const fs::path parent = fs::canonical((directory / path).parent_path(), error);
  return !error && parent == (real / path).parent_path();
}

/// Why a file must stay; empty: it is as we wrote it.
std::string why_stay(const fs::path& directory, const std::string& path, const Stamp& stamp) {
  const fs::path file = directory / path;
  std::error_code error;
  if (!leads_inside(directory, path) || !fs::is_regular_file(fs::symlink_status(file, error)))
    return "'" + path + "' is no longer the file that gvbind wrote";
  for (const StampedOutput& known : known_contents(stamp))
    if (known.path == path && has_content(file, known.content)) return "";
  return "'" + path + "' has changed since gvbind wrote it";
}

bool is_shared(const fs::path& output, const std::string& path, const Stamp& own) {
  return std::ranges::any_of(read_stamps_beside(output), [&](const Stamp& stamp) {
    return stamp != own && std::ranges::any_of(known_contents(stamp), [&](const auto& known) {
             return known.path == path;
           });
  });
}

/// Whether a whole certificate of this output lies beside it.
bool has_certificate(const fs::path& output) {
  const fs::path path = certificate_path(output);
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(path, error))) return false;
  try {
    const Certificate certificate = read_certificate(path);
    return !certificate.files.empty() && certificate.files.front().path == output.filename();
  } catch (const Error&) {
    return false;
  }
}

/// Returns why the orphan stays; empty: it is gone.
std::string remove_orphan(const Orphan& orphan, const PlannedFiles& planned) {
  const AssetLock lock(orphan.output);
  if (!lock.held()) return "another process is binding to it";
  const std::optional<Stamp> stamp = read_stamp(orphan.output);
  if (!stamp || stands_there(orphan.input)) return "another process has bound it";
  const fs::path directory = orphan.output.parent_path();
  const std::vector<StampedOutput> files = standing_files(orphan.output, *stamp);
  for (const StampedOutput& file : files)
    if (std::string why = why_stay(directory, file.path, *stamp); !why.empty()) return why;
  std::error_code error;
  const auto remove = [&](const fs::path& file) {
    fs::remove(file, error);
    return error ? path_text(file) + " cannot be removed: " + error.message() : std::string();
  };
  for (const StampedOutput& file : files) {
    const fs::path path = directory / file.path;
    if (planned.contains(absolute_text(path)) || is_shared(orphan.output, file.path, *stamp))
      continue;
    if (std::string why = remove(path); !why.empty()) return why;
  }
  if (has_certificate(orphan.output))
    if (std::string why = remove(certificate_path(orphan.output)); !why.empty()) return why;
  if (std::string why = remove(picture_path(orphan.output)); !why.empty()) return why;
  return remove(stamp_path(orphan.output));
}

/// From the working directory where it lies below that.
std::string shown_path(const fs::path& path) {
  const fs::path near = path.lexically_relative(absolute_text("."));
  return near.empty() || *near.begin() == ".." ? path_text(path) : path_text(near);
}

/// The finding about an orphan after it was handled; none if none of its files existed.
std::optional<Finding> settle(const Orphan& orphan, const PlannedFiles& planned, bool remove) {
  const std::string gone =
      shown_path(orphan.output) + ": its input " + shown_path(orphan.input) + " is gone; ";
  const std::optional<Stamp> stamp = read_stamp(orphan.output);
  const bool is_empty = stamp && standing_files(orphan.output, *stamp).empty();
  const std::string why = remove ? remove_orphan(orphan, planned) : "";
  if (!why.empty())
    return Finding{Severity::warning, "orphan-output", gone + "it stays: " + why, ""};
  if (is_empty) return std::nullopt;
  if (remove)
    return Finding{Severity::note, "orphan-removed", gone + "removed with all that belonged to it",
                   ""};
  return Finding{Severity::warning, "orphan-output", gone + "--delete-orphans removes it", ""};
}

}  // namespace

Findings settle_orphans(const BatchPlan& plan, const BatchCommand& command) {
  Findings findings;
  if (command.shard.index != 1) return findings;
  const PlannedFiles planned = planned_files(plan);
  const bool remove = command.delete_orphans && !command.dry_run;
  for (const Orphan& orphan : find_orphans(plan, absolute_text(command.output), planned))
    if (auto finding = settle(orphan, planned, remove)) findings.push_back(std::move(*finding));
  return findings;
}

}  // namespace gvbind
