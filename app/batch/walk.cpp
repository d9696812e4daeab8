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

using FolderId = std::pair<dev_t, ino_t>;

FolderId id_of(const fs::path& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

struct Folder {
  std::string relative;  ///< empty, or with '/' at its end
  std::size_t depth = 1;
};

class Walk {
 public:
  Walk(const fs::path& root, const WalkOptions& options) : root_(root), options_(options) {
    // A link to a folder above would bring in all that lies beside the root.
    std::error_code error;
    for (fs::path above = fs::canonical(root, error).parent_path(); above.has_relative_path();
         above = above.parent_path())
      entered_.insert(id_of(above));
    entered_.insert(id_of("/"));
    entered_.erase(id_of(root));
    if (options.skip.empty()) return;
    const FolderId skip = id_of(options.skip);
    if (skip != FolderId{} && skip != id_of(root)) entered_.insert(skip);
  }

  std::vector<FoundFile> run() {
    folders_.push_back({});
    while (!folders_.empty() || !links_.empty()) {
      // Links last, so that a folder is known by its own name rather than by a link's.
      std::deque<Folder>& next = folders_.empty() ? links_ : folders_;
      const Folder folder = std::move(next.front());
      next.pop_front();
      if (entered_.insert(id_of(root_ / folder.relative)).second) list(folder);
    }
    return std::move(found_);
  }

 private:
  void list(const Folder& folder) {
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator at(root_ / folder.relative, error), end; !error && at != end;
         at.increment(error))
      entries.push_back(*at);
    if (error)
      throw Error(ErrorKind::input,
                  (root_ / folder.relative).string() + ": cannot be listed: " + error.message());
    std::ranges::sort(entries, {},
                      [](const auto& e) -> const std::string& { return e.path().native(); });
    for (const fs::directory_entry& entry : entries) take(folder, entry);
  }

  void take(const Folder& folder, const fs::directory_entry& entry) {
    const std::string& whole = entry.path().native();
    const std::string name = whole.substr(whole.rfind('/') + 1);
    if (name.starts_with('.') && !options_.hidden) return;
    std::error_code error;
    const bool is_link = entry.is_symlink(error);
    if (entry.is_directory(error)) {
      if (folder.depth < options_.max_depth)
        (is_link ? links_ : folders_).push_back({folder.relative + name + "/", folder.depth + 1});
      return;
    }
    // A link that leads nowhere is taken: that is something to be told about.
    if (!is_link && !entry.is_regular_file(error)) return;
    std::string relative = folder.relative + name;
    if (!options_.wanted || options_.wanted(relative))
      found_.push_back({std::move(relative), is_link});
  }

  fs::path root_;
  const WalkOptions& options_;
  std::set<FolderId> entered_;
  std::deque<Folder> folders_, links_;
  std::vector<FoundFile> found_;
};

}  // namespace

std::vector<FoundFile> walk_folder(const fs::path& root, const WalkOptions& options) {
  return Walk(root.empty() ? fs::path(".") : root, options).run();
}

}  // namespace gvbind
