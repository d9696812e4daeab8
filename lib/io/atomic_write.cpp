#include "io/atomic_write.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/encoded_file.h"
#include "io/file_io.h"
#include "io/staging_cleanup.h"
#include "io/staging_folder.h"
#include "platform/files.h"
#include "platform/system.h"

namespace gvbind {
namespace {

using platform::Rename;
using platform::rename_file;

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw Error(ErrorKind::output, path_text(path) + ": " + what);
}

[[noreturn]] void fail_with(const fs::path& path, const std::string& what, int error) {
  fail(path, what + ": " + std::generic_category().message(error));
}

/// Stuck: the previous file was moved to the staging folder and cannot be moved back.
enum class Step { waiting, kept, created, exchanged, replaced, stuck };

struct Item {
  fs::path relative;
  fs::path staged;
  fs::path final;
  std::span<const std::uint8_t> bytes;
  OpenFile unsynced;  ///< the staged file until its sync
  Step step = Step::waiting;
};

bool holds_bytes(const fs::path& path, const fs::path& other) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error || size != fs::file_size(other, error) || error) return false;
  try {
    std::ifstream a(path, std::ios::binary), b(other, std::ios::binary);
    return a && b &&
           std::equal(std::istreambuf_iterator<char>(a), std::istreambuf_iterator<char>(),
                      std::istreambuf_iterator<char>(b));
  } catch (const std::ios_base::failure&) {
    return false;  // as far as the system reports
  }
}

/// Sidecar names come from documents, so they are untrusted.
void check_names(const std::vector<EncodedFile>& files, const fs::path& path) {
  if (!path.has_filename() || path.filename() == "." || path.filename() == "..")
    fail(path, "names no file");
  std::set<fs::path> names = {path.filename()};
  std::size_t mains = 0;
  for (const EncodedFile& file : files) {
    if (file.relative_path.empty()) {
      ++mains;
      continue;
    }
    const fs::path relative(file.relative_path);
    bool leaves = relative.is_absolute() || !relative.has_filename();
    for (const fs::path& part : relative)
      leaves = leaves || part == ".." || path_text(part).find('\0') != std::string::npos;
    if (leaves) fail(path, "its sidecar '" + file.relative_path + "' would leave its folder");
    if (!names.insert(relative.lexically_normal()).second)
      fail(path, "two of its files would be '" + file.relative_path + "'");
  }
  if (mains != 1) throw Error(ErrorKind::internal, path_text(path) + ": needs one main file");
}

fs::path directory_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Adds each directory that it creates to `made`, so that it can be removed again.
void make_directories(const fs::path& directory, const fs::path& path,
                      std::vector<fs::path>& made) {
  std::error_code error;
  if (directory.empty() || fs::is_directory(directory, error)) return;
  make_directories(directory.parent_path(), path, made);
  const int why = platform::make_folder(directory);
  if (why == 0)
    made.push_back(directory);
  else if (why != EEXIST || !fs::is_directory(directory, error))
    fail_with(path, "cannot create the folder '" + path_text(directory) + "'", why);
}

void remove_directories(std::vector<fs::path>& made) {
  for (; !made.empty(); made.pop_back()) platform::remove_folder(path_text(made.back()).c_str());
}

/// An existing destination must be a file that may be replaced.
void check_destination(const Item& item, const fs::path& path, const WriteOptions& options) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(item.final, error);
  const std::string thing =
      item.relative.empty() ? "" : "its sidecar '" + path_text(item.relative) + "' ";
  if (status.type() == fs::file_type::not_found) return;
  if (error && status.type() == fs::file_type::none) fail(path, thing + error.message());
  if (fs::is_directory(status)) fail(path, thing + "is a folder");
  if (!fs::is_regular_file(status) && !fs::is_symlink(status)) fail(path, thing + "is not a file");
  if (!options.overwrite) fail(path, thing + "exists already");
  if (!options.why_keep) return;
  const std::string why = options.why_keep(item.relative.generic_string());
  if (!why.empty()) fail(path, why);
}

/// Detects whether a file was replaced or written to. Ignores the time of change, which renaming
/// updates.
struct FileIdentity {
  platform::FileStatus status;

  explicit FileIdentity(const fs::path& path)
      : status(platform::status_of_link(path).value_or(platform::FileStatus())) {}
  bool operator==(const FileIdentity& other) const {
    return status.is_same_file(other.status) && status.size == other.status.size &&
           status.written.tv_sec == other.status.written.tv_sec &&
           status.written.tv_nsec == other.status.written.tv_nsec;
  }
};

/// Starts writeback early, so that sync has less to wait for.
void write_item(Item& item, const fs::path& path) {
  OpenFile file(platform::open_file(item.staged, platform::OpenFor::creating));
  if (file.get() < 0) fail_with(path, "cannot be written", errno);
  if (const auto old = platform::status_of(item.final))
    if (const int why = platform::set_permissions(file.get(), old->permissions))
      fail_with(path, "cannot be written", why);
  if (!write_all(file.get(), std::as_bytes(item.bytes)))
    fail_with(path, "cannot be written", errno);
  platform::begin_sync(file.get());
  item.unsynced = std::move(file);
}

void sync(Item& item, const fs::path& path) {
  if (item.unsynced.get() < 0) return;
  // Some network disks report only now that they are full.
  if (const int why = platform::sync_file(item.unsynced.get()))
    fail_with(path, "cannot be written", why);
  if (!item.unsynced.closes()) fail_with(path, "cannot be written", errno);
}

bool unsupported(int error) { return error == EINVAL || error == ENOSYS || error == ENOTSUP; }

/// Renames without replacing. Returns 0 or errno.
int rename_new(const fs::path& from, const fs::path& to) {
  const int error = rename_file(from, to, Rename::no_replace);
  if (!unsupported(error)) return error;
  const int not_linked = platform::link_file(from, to);
  if (not_linked == 0 || not_linked == EEXIST) return not_linked;
  // On a file system without links either, the check and the renaming are not atomic.
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(to, ignored))) return EEXIST;
  return rename_file(from, to, Rename::replace);
}

void take_back(Item& item) {
  if (item.step == Step::created) platform::remove_file(path_text(item.final).c_str());
  const bool stuck =
      item.step == Step::stuck ||
      (item.step == Step::exchanged && rename_file(item.staged, item.final, Rename::exchange) != 0);
  item.step = stuck ? Step::stuck : Step::waiting;
}

void put_item_in_place(Item& item, const fs::path& path, const WriteOptions& options) {
  const bool sidecar = !item.relative.empty();
  if (sidecar && holds_bytes(item.final, item.staged)) {
    item.step = Step::kept;
    return;
  }
  const FileIdentity before(item.final);
  check_destination(item, path, options);
  int error = rename_new(item.staged, item.final);
  if (error == 0) {
    item.step = Step::created;
    return;
  }
  if (error == EEXIST && options.overwrite) {
    error = rename_file(item.staged, item.final, Rename::exchange);
    if (error == 0) {
      item.step = Step::exchanged;
      // Another worker may have written the same image there meanwhile.
      if (!options.why_keep || FileIdentity(item.staged) == before ||
          holds_bytes(item.staged, item.final))
        return;
      take_back(item);
      fail(path, "was saved by another process while it was written, and is kept");
    }
    if (unsupported(error) &&
        (error = rename_file(item.staged, item.final, Rename::replace)) == 0) {
      item.step = Step::replaced;
      return;
    }
  }
  fail_with(path, "cannot be written", error);
}

}  // namespace

void check_path_length(const fs::path& path) {
  for (const fs::path& part : path)
    if (const std::size_t size = path_text(part).size(); size > platform::max_name_bytes)
      fail(path, "a name of " + std::to_string(size) + " bytes is too long for a file; at most " +
                     std::to_string(platform::max_name_bytes) + " are possible");
  if (!platform::status_of_link(path) && errno == ENAMETOOLONG)
    fail(path, "the path is too long for a file");
}

void refuse_existing(const fs::path& path, bool overwrite) {
  std::error_code ignored;
  if (!overwrite && fs::exists(path, ignored)) fail(path, "exists already; --force overwrites it");
}

void refuse_other_input(const fs::path& output, const fs::path& input, const fs::path& read,
                        const std::string& what) {
  std::error_code ignored;
  if (fs::equivalent(output, read, ignored) && !fs::equivalent(input, read, ignored))
    fail(output, "is " + what + ", which is read too; choose another output");
}

struct StagedFiles::State {
  fs::path path;
  WriteOptions options;
  std::vector<Item> items;  ///< sidecars, then the main file
  StagingFolder folder;
  std::vector<fs::path> made;         ///< created for the output's path
  std::vector<fs::path> made_inside;  ///< created for its sidecars
  std::unique_ptr<StagedPaths> paths = std::make_unique<StagedPaths>();
  std::optional<StagingEntry> entry;
  bool committed = false;

  void list_items(const std::vector<EncodedFile>& files);
  void list_paths();
  void stage();
  void put_in_place();
  void settle();
  void clean_up();
};

void StagedFiles::State::list_items(const std::vector<EncodedFile>& files) {
  folder = new_staging_folder(path, options.staging_name);
  for (const EncodedFile& file : files) {
    Item item;
    item.bytes = file.bytes;
    if (file.relative_path.empty()) {
      item.staged = folder.path / path.filename();
      item.final = path;
    } else {
      item.relative = fs::path(file.relative_path).lexically_normal();
      item.staged = folder.path / item.relative;
      item.final = directory_of(path) / item.relative;
    }
    items.push_back(std::move(item));
  }
  std::stable_partition(items.begin(), items.end(),
                        [](const Item& item) { return !item.relative.empty(); });
}

void StagedFiles::State::list_paths() {
  std::set<fs::path> directories = {folder.path};
  for (const Item& item : items) {
    paths->files.push_back(path_text(item.staged));
    for (fs::path up = item.staged.parent_path(); up != folder.path; up = up.parent_path())
      directories.insert(up);
  }
  // A directory sorts before its contents.
  for (auto up = directories.rbegin(); up != directories.rend(); ++up)
    paths->directories.push_back(path_text(*up));
  if (!folder.shared.empty()) paths->directories.push_back(path_text(folder.shared));
  for (auto up = made.rbegin(); up != made.rend(); ++up)
    paths->directories.push_back(path_text(*up));
}

void StagedFiles::State::stage() {
  const fs::path parent = directory_of(path);
  std::error_code error;
  if (options.create_directories) make_directories(parent, path, made);
  if (!fs::is_directory(parent, error))
    fail(path, "its folder '" + path_text(parent) + "' does not exist");
  for (const Item& item : items)
    if (item.relative.empty()) check_destination(item, path, options);

  if (!options.staging_name.empty()) remove_dead_staging(path, options.staging_name);
  list_paths();
  entry.emplace(paths.get());
  if (const int why = make_staging_folder(folder))
    fail_with(path, "its folder cannot be written to", why);
  for (Item& item : items) {
    fs::create_directories(item.staged.parent_path(), error);
    write_item(item, path);
    // There can be many sidecars, and open files are limited.
    if (!item.relative.empty()) sync(item, path);
    if (item.relative.empty() || holds_bytes(item.final, item.staged)) continue;
    check_destination(item, path, options);
  }
}

void StagedFiles::State::put_in_place() {
  for (Item& item : items) {
    make_directories(item.final.parent_path(), path, made_inside);
    put_item_in_place(item, path, options);
  }
}

/// From here on nothing is rolled back.
void StagedFiles::State::settle() {
  committed = true;
  std::set<fs::path> directories;
  for (const Item& item : items) directories.insert(directory_of(item.final));
  for (const fs::path& directory : directories) platform::sync_folder(directory);
  clean_up();
}

void StagedFiles::State::clean_up() {
  if (!committed) {
    for (auto item = items.rbegin(); item != items.rend(); ++item) take_back(*item);
    remove_directories(made_inside);
  }
  if (entry) {
    for (const Item& item : items)
      if (item.step != Step::stuck) platform::remove_file(path_text(item.staged).c_str());
    if (!platform::removes_open_folders) folder.lock = OpenFile();
    for (std::size_t i = 0; i + made.size() < paths->directories.size(); ++i)
      platform::remove_folder(paths->directories[i].c_str());
    // A signal handler may still read them, and the process ends after it.
    if (!entry->release()) static_cast<void>(paths.release());
    entry.reset();
  }
  if (!committed) remove_directories(made);
}

StagedFiles::StagedFiles(const std::vector<EncodedFile>& files, std::filesystem::path path,
                         const WriteOptions& options)
    : state_(std::make_unique<State>()) {
  check_names(files, path);
  state_->path = std::move(path);
  state_->options = options;
  state_->list_items(files);
  try {
    state_->stage();
  } catch (...) {
    state_->clean_up();
    throw;
  }
}

StagedFiles::~StagedFiles() { state_->clean_up(); }

std::filesystem::path StagedFiles::staged_main() const {
  return state_->committed ? state_->path : state_->items.back().staged;
}

void StagedFiles::commit() {
  StagedFiles* const alone[] = {this};
  commit_together(alone);
}

void commit_together(std::span<StagedFiles* const> outputs) {
  std::vector<StagedFiles::State*> states;
  for (StagedFiles* const output : outputs)
    if (output) states.push_back(output->state_.get());
  // Outside the commit scope: a signal need not wait for a slow disk.
  for (StagedFiles::State* const state : states)
    for (Item& item : state->items) sync(item, state->path);
  const CommitScope scope;
  try {
    for (StagedFiles::State* const state : states) state->put_in_place();
  } catch (const Error& error) {
    for (auto state = states.rbegin(); state != states.rend(); ++state) (*state)->clean_up();
    for (const StagedFiles::State* const state : states)
      for (const Item& item : state->items)
        if (item.step == Step::stuck)
          throw Error(error.kind(), std::string(error.what()) + "; the previous file is now " +
                                        path_text(item.staged) + " and cannot be put back");
    throw;
  }
  for (StagedFiles::State* const state : states) state->settle();
}

void write_files(const std::vector<EncodedFile>& files, const std::filesystem::path& path,
                 const WriteOptions& options) {
  StagedFiles(files, path, options).commit();
}

}  // namespace gvbind
