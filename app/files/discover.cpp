#include "files/discover.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "character/selection.h"
#include "formats/document.h"
#include "formats/import/import.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "io/glob.h"
#include "platform/files.h"

namespace gvbind {

namespace {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (!part.empty() && part != ".") parts.push_back(part);
  }
  return parts;
}

namespace fs = std::filesystem;

/// Formats for exchanging meshes. Assimp reads many more, but with these extensions (.xml, .raw,
/// .blend, .bvh) directories of characters usually hold other kinds of files.
constexpr std::array<std::string_view, 13> mesh_extensions = {
    "3ds", "3mf", "ac", "dae", "lwo", "ms3d", "obj", "off", "ogex", "ply", "stl", "x", "x3d"};

bool is_imported(const std::string& extension) {
  static const std::unordered_set<std::string> all(import_extensions().begin(),
                                                   import_extensions().end());
  return all.contains(extension);
}

bool is_asset_name(const std::string& path) {
  const std::string extension = lower_extension(path);
  return is_written(path) ||
         (std::ranges::find(mesh_extensions, extension) != mesh_extensions.end() &&
          is_imported(extension));
}

/// A pattern with an explicit extension asks for that format, even if it is usually no mesh.
bool spells_extension(const std::string& pattern) {
  const std::string extension = lower_extension(pattern);
  return !has_wildcards(extension) && is_imported(extension);
}

bool names_hidden(const std::string& pattern) {
  return pattern.starts_with('.') || pattern.find("/.") != std::string::npos;
}

struct WalkOptions {
  std::filesystem::path skip;  ///< not entered, unless it is the root; may be empty
  bool hidden = false;         ///< enter hidden directories and accept hidden files
  std::size_t max_depth = std::numeric_limits<std::size_t>::max();  ///< 1: only files of the root
  std::function<bool(const std::string& relative)> wanted;          ///< filters files by their path
  Findings* unreadable = nullptr;                                   ///< see discover_inputs()
};

struct FoundFile {
  std::string relative;  ///< path below the root, with '/'
  bool is_link = false;
};

using DirectoryId = std::pair<std::uint64_t, std::uint64_t>;  // device and number

DirectoryId id_of(const fs::path& directory) {
  const auto status = platform::status_of(directory);
  return status ? DirectoryId(status->device, status->number) : DirectoryId();
}

struct Directory {
  std::string relative;  ///< empty, or with '/' at its end
  std::size_t depth = 1;
};

/// Files below a directory, and links to anything that is not a directory, in an order that depends
/// only on names. Links to directories are followed after all directories, except links to a
/// directory above the root; no directory is entered twice. Throws Error(input) for a directory
/// that cannot be listed, unless it is below the root and WalkOptions::unreadable takes it.
class Walk {
 public:
  Walk(const fs::path& root, const WalkOptions& options) : root_(root), options_(options) {
    // A link to a directory above the root would add everything next to the root.
    std::error_code error;
    for (fs::path above = fs::canonical(root, error).parent_path(); above.has_relative_path();
         above = above.parent_path())
      entered_.insert(id_of(above));
    entered_.insert(id_of("/"));
    entered_.erase(id_of(root));
    if (options.skip.empty()) return;
    const DirectoryId skip = id_of(options.skip);
    if (skip != DirectoryId{} && skip != id_of(root)) entered_.insert(skip);
  }

  std::vector<FoundFile> run() {
    directories_.push_back({});
    while (!directories_.empty() || !links_.empty()) {
      // Links last, so that files are found under their directory's own name instead of a link's.
      std::deque<Directory>& next = directories_.empty() ? links_ : directories_;
      const Directory directory = std::move(next.front());
      next.pop_front();
      if (entered_.insert(id_of(root_ / directory.relative)).second) list(directory);
    }
    return std::move(found_);
  }

 private:
  void list(const Directory& directory) {
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator at(root_ / directory.relative, error), end; !error && at != end;
         at.increment(error))
      entries.push_back(*at);
    if (error) return refuse(directory, error);
    std::ranges::sort(entries, {}, [](const auto& e) -> const fs::path::string_type& {
      return e.path().native();
    });
    for (const fs::directory_entry& entry : entries) take(directory, entry);
  }

  void refuse(const Directory& directory, const std::error_code& error) const {
    const std::string why =
        path_text(root_ / directory.relative) + ": cannot be listed: " + error.message();
    if (directory.relative.empty() || !options_.unreadable) throw Error(ErrorKind::input, why);
    options_.unreadable->push_back(
        {Severity::error, "folder-unreadable", why + "; no file in it is bound", ""});
  }

  void take(const Directory& directory, const fs::directory_entry& entry) {
    const std::string name = path_text(entry.path().filename());
    if (name.starts_with('.') && !options_.hidden) return;
    std::error_code error;
    const bool is_link = entry.is_symlink(error);
    if (entry.is_directory(error)) {
      if (directory.depth < options_.max_depth)
        (is_link ? links_ : directories_)
            .push_back({directory.relative + name + "/", directory.depth + 1});
      return;
    }
    // Dangling links are accepted, so that the bind reports them.
    if (!is_link && !entry.is_regular_file(error)) return;
    std::string relative = directory.relative + name;
    if (!options_.wanted || options_.wanted(relative))
      found_.push_back({std::move(relative), is_link});
  }

  fs::path root_;
  const WalkOptions& options_;
  std::set<DirectoryId> entered_;
  std::deque<Directory> directories_, links_;
  std::vector<FoundFile> found_;
};

/// Collects candidates; each input once, in the order in which it was first found.
class Collection {
 public:
  /// `shape_root`: shapes and the paths that rules match are relative to it, for inputs below it;
  /// empty: relative to the searched directory. `asset_root`: of all candidates; empty: the
  /// directory in which each was found.
  Collection(fs::path output, const std::string& shape_root, std::string asset_root,
             Findings* unreadable)
      : output_(std::move(output)),
        root_(shape_root),
        asset_root_(std::move(asset_root)),
        unreadable_(unreadable) {
    if (!root_.empty() && !root_.ends_with('/')) root_ += '/';
  }

  void add(const Search::Place& place) {
    const std::string &input = place.path, &location = place.location;
    std::error_code error;
    const fs::file_status status = fs::status(input, error);
    if (fs::is_directory(status))
      add_directory(input, location);
    else if (fs::exists(status) || fs::is_symlink(fs::symlink_status(input, error)))
      add_file(input);
    else if (has_wildcards(input.substr(place.literal)))
      add_glob(place);
    else
      throw Error(ErrorKind::input, location + input + ": no such file or folder");
  }

  void add_file(const fs::path& input) {
    const std::string key = absolute_text(input);
    insert({input,
            key,
            shape_of(key, path_text(input.filename())),
            rule_path(key),
            true,
            false,
            asset_root_,
            {}});
  }

  /// Adds a file that was listed by name; `entry` is its index in the list.
  void add_entry(const std::string& input, std::size_t entry) {
    const std::string key = absolute_text(input);
    const auto known = index_by_key_.find(key);
    // A file both found in a directory and listed by name is one asset and keeps its index.
    if (known != index_by_key_.end() && !candidates_[known->second].entry) {
      candidates_[known->second].entry = entry;
      candidates_[known->second].named = true;
      return;
    }
    candidates_.push_back({input, key, shape_of(key, path_text(fs::path(input).filename())),
                           rule_path(key), true, false, asset_root_, entry});
    index_by_key_.emplace(key, candidates_.size() - 1);
  }

  std::vector<Candidate> take() { return std::move(candidates_); }

 private:
  void add_directory(const std::string& directory, const std::string& location) {
    const std::size_t before = met_;
    add_below(directory, directory,
              {.skip = output_, .wanted = is_asset_name, .unreadable = unreadable_});
    if (met_ == before)
      throw Error(ErrorKind::input, location + directory + ": holds no file that bind reads");
  }

  void add_glob(const Search::Place& place) {
    const SplitGlob split = split_glob(place.path, place.literal);
    const bool any_format = spells_extension(split.pattern);
    WalkOptions options;
    options.skip = output_;
    options.unreadable = unreadable_;
    options.hidden = names_hidden(split.pattern);
    if (split.pattern.find("**") == std::string::npos)
      options.max_depth = static_cast<std::size_t>(std::ranges::count(split.pattern, '/')) + 1;
    options.wanted = [&](const std::string& path) {
      return (any_format || is_asset_name(path)) && matches_path(split.pattern, path);
    };
    const std::size_t before = met_;
    std::error_code error;
    if (fs::is_directory(split.base.empty() ? "." : split.base, error))
      add_below(split.base, "", options);
    if (met_ == before)
      throw Error(ErrorKind::usage,
                  place.location + "'" + place.path + "' matches no file that bind reads");
  }

  /// `directory_given`: as the user named it; empty for a glob.
  void add_below(const std::string& directory, const std::string& directory_given,
                 const WalkOptions& options) {
    std::string key_root = absolute_text(directory.empty() ? "." : directory);
    if (!key_root.ends_with('/')) key_root += '/';
    std::string prefix = directory;
    if (!prefix.empty() && !prefix.ends_with('/')) prefix += '/';
    for (FoundFile& file : Walk(directory.empty() ? "." : directory, options).run()) {
      ++met_;
      const std::string key = key_root + file.relative;
      insert({prefix + file.relative,
              key,
              shape_of(key, file.relative),
              rule_path(key),
              false,
              file.is_link,
              asset_root_.empty() ? directory_given : asset_root_,
              {}});
    }
  }

  std::string shape_of(const std::string& key, const std::string& otherwise) const {
    return !root_.empty() && key.starts_with(root_) ? key.substr(root_.size()) : otherwise;
  }

  std::string rule_path(const std::string& key) const {
    if (root_.empty()) return {};
    if (key.starts_with(root_)) return key.substr(root_.size());
    return fs::path(key).lexically_relative(root_).generic_string();
  }

  void insert(Candidate candidate) {
    const auto [at, is_new] = index_by_key_.emplace(candidate.key, candidates_.size());
    if (is_new)
      candidates_.push_back(std::move(candidate));
    else
      candidates_[at->second].named = candidates_[at->second].named || candidate.named;
  }

  fs::path output_;
  std::string root_;  ///< empty, or with '/' at its end
  std::string asset_root_;
  Findings* unreadable_;
  std::vector<Candidate> candidates_;
  std::unordered_map<std::string, std::size_t> index_by_key_;  ///< by absolute path
  std::size_t met_ = 0;
};

}  // namespace

bool has_wildcards(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

bool matches_path(std::string_view pattern, std::string_view path) {
  if (pattern.starts_with('/') != path.starts_with('/')) return false;
  const std::vector<std::string_view> wanted = parts_of(pattern), given = parts_of(path);
  std::size_t w = 0, g = 0;
  // Backtracking to the last ** is enough: the parts before it have already matched as early as
  // possible.
  std::optional<std::size_t> star;
  std::size_t star_end = 0;
  while (g < given.size()) {
    if (w < wanted.size() && wanted[w] == "**") {
      star = w++;
      star_end = g;
    } else if (w < wanted.size() && matches_glob(wanted[w], given[g])) {
      ++w;
      ++g;
    } else if (star) {
      w = *star + 1;
      g = ++star_end;
    } else {
      return false;
    }
  }
  while (w < wanted.size() && wanted[w] == "**") ++w;
  return w == wanted.size();
}

bool matches_rule(std::string_view pattern, std::string_view path) {
  if (pattern.find('/') != std::string_view::npos || pattern == "**")
    return matches_path(pattern, path);
  return matches_glob(pattern, path.substr(path.rfind('/') + 1));
}

SplitGlob split_glob(std::string_view glob, std::size_t literal) {
  const std::string_view fixed = glob.substr(0, glob.find_first_of("*?[\\", literal));
  const std::size_t slash = fixed.rfind('/');
  if (slash == std::string_view::npos) return {"", std::string(glob)};
  return {std::string(glob.substr(0, slash == 0 ? 1 : slash)), std::string(glob.substr(slash + 1))};
}

std::string output_name(const std::string& shape) {
  if (!is_imported(lower_extension(shape))) return shape;
  return shape.substr(0, shape.rfind('.')) + ".glb";
}

std::string absolute_text(const fs::path& path) {
  std::string text = fs::absolute(path).lexically_normal().generic_string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

std::vector<Candidate> discover_inputs(const Search& search, const fs::path& output,
                                       Findings* unreadable) {
  Collection collection(output, search.root, search.asset_root, unreadable);
  for (const Search::Place& place : search.places) collection.add(place);
  for (std::size_t i = 0; i < search.files.size(); ++i) collection.add_entry(search.files[i], i);
  return collection.take();
}

}  // namespace gvbind
