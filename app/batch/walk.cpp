#include "batch/walk.h"

#include <sys/stat.h>

#include <algorithm>
#include <deque>
#include <set>
#include <system_error>
#include <utility>

#include "gvbind/error.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

using DirectoryId = std::pair<dev_t, ino_t>;

DirectoryId id_of(const fs::path& directory) {
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

struct Directory {
  std::string relative;  ///< empty, or with '/' at its end
  std::size_t depth = 1;
};

class Walk {
 public:
  Walk(const fs::path& root, const WalkOptions& options) : root_(root), options_(options) {
    // A link to a directory above would bring in all that lies beside the root.
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
      // Links last, so that a directory is known by its own name rather than by a link's.
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
    if (error)
      throw Error(ErrorKind::input,
                  (root_ / directory.relative).string() + ": cannot be listed: " + error.message());
    std::ranges::sort(entries, {},
                      [](const auto& e) -> const std::string& { return e.path().native(); });
    for (const fs::directory_entry& entry : entries) take(directory, entry);
  }

  void take(const Directory& directory, const fs::directory_entry& entry) {
    const std::string& whole = entry.path().native();
    const std::string name = whole.substr(whole.rfind('/') + 1);
    if (name.starts_with('.') && !options_.hidden) return;
    std::error_code error;
    const bool is_link = entry.is_symlink(error);
    if (entry.is_directory(error)) {
      if (directory.depth < options_.max_depth)
        (is_link ? links_ : directories_)
            .push_back({directory.relative + name + "/", directory.depth + 1});
      return;
    }
    // A link that leads nowhere is taken: that is something to be told about.
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

}  // namespace

std::vector<FoundFile> walk_directory(const fs::path& root, const WalkOptions& options) {
  return Walk(root.empty() ? fs::path(".") : root, options).run();
}

}  // namespace gvbind
