#pragma once

// Tested by tests/command/batch_outputs_test.py.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batch/state_file.h"
#include "common/content_hash.h"

namespace gvbind {

/// A file that a bind read, as it was then.
struct StampedInput {
  std::string of;                      ///< "input" or "skeleton": whose file it is
  std::string path;                    ///< from the directory of that file; empty: the file itself
  std::optional<FileContent> content;  ///< none: the file was missing

  bool operator==(const StampedInput&) const = default;
};

/// A file that a bind wrote.
struct StampedOutput {
  std::string path;  ///< from the output's directory
  FileContent content;

  bool operator==(const StampedOutput&) const = default;
};

/// A picture or a page that was made of an output.
struct StampedDrawing {
  std::string what;  ///< "picture" or "page"
  std::string of;    ///< outputs_hash() then
  FileContent content;

  bool operator==(const StampedDrawing&) const = default;
};

/// The record of an asset from run to run. It lies beside the output, in
/// `.gvbind/NAME.stamp`, and names no absolute path and no time, so that it holds for a copy of the
/// outputs elsewhere too.
struct Stamp {
  /// "done", "skipped" (nothing there to bind), "failed", or "interrupted": before the first bind
  /// has come to its end.
  std::string status;
  std::string source;  ///< the input, from the output's directory; empty: not known
  std::string key;     ///< all settings that shape the output, a line each
  std::string worst;   ///< severity of the worst finding; empty: none
  std::vector<StampedInput> inputs;
  std::vector<StampedOutput> outputs;  ///< of the bind, where it is "done"
  /// Other contents under the outputs' names that are ours too: from earlier binds, and from one
  /// under way, which lists its files here before it writes them.
  std::vector<StampedOutput> earlier;
  std::vector<StampedDrawing> drawings;
  std::string entry;  ///< the asset's entry in the report, JSON on one line

  bool operator==(const Stamp&) const = default;
};

/// Of the names and contents of all files of the output.
std::string outputs_hash(const Stamp& stamp);

std::filesystem::path stamp_path(const std::filesystem::path& output);
/// The picture for the HTML page.
std::filesystem::path picture_path(const std::filesystem::path& output);

/// None where there is no stamp, or a damaged one. Throws Error(output) where one cannot be read.
std::optional<Stamp> read_stamp(const std::filesystem::path& output);
/// The same by the name of the stamp.
std::optional<Stamp> read_stamp_file(const std::filesystem::path& path);
/// All stamps of outputs in the same directory as this one, as far as they can be read.
std::vector<Stamp> read_stamps_beside(const std::filesystem::path& output);

/// Whole or not at all. Makes the directory. Throws Error(output).
void write_stamp(const std::filesystem::path& output, const Stamp& stamp,
                 Durability durability = Durability::cached);

/// Throws Error(output) where something else stands in the place of the stamp or the lock, so
/// that it would be found only after the bind. The picture is not needed: a bind without one is
/// done.
void check_state(const std::filesystem::path& output);

/// Removes the leftovers of a process that was killed while it wrote the stamp or the picture.
void remove_unfinished_state(const std::filesystem::path& output);

/// The files of an asset, as they are now.
struct AssetFiles {
  std::filesystem::path input;
  std::filesystem::path skeleton;  ///< empty: none
  std::filesystem::path output;
};

/// Why the asset has to be bound, in a few words; empty: it is up to date. Only contents and
/// settings count.
std::string why_stale(const std::optional<Stamp>& stamp, const std::string& key,
                      const AssetFiles& files);

// A batch overwrites files that a batch has written and that have not changed since: a file is ours
// if a stamp lists its content under its name. All else is kept, unless --force is given.

/// All contents that the stamp knows as ours, each once. The next stamp has to list them
/// too.
std::vector<StampedOutput> known_contents(const std::optional<Stamp>& stamp);

/// Why the file that stands there must not be overwritten, to be put after the output's path and
/// ": "; empty: none stands there, or it is ours. `path`: from the output's directory; empty:
/// the output itself. Directories are left to whoever writes.
std::string why_keep(const std::filesystem::path& output, const std::string& path);

/// The first reason among the output itself and those of its files that the stamp knows: others are
/// not of this output, so its plan leaves them alone.
std::string why_keep_any(const std::filesystem::path& output, const std::optional<Stamp>& stamp,
                         const std::vector<std::string>& files);

}  // namespace gvbind
