#include "batch/kept_output.h"

#include <algorithm>
#include <system_error>

namespace gvbind {

namespace {

namespace fs = std::filesystem;

bool lists(const std::vector<StampedOutput>& outputs, const StampedOutput& wanted) {
  return std::ranges::find(outputs, wanted) != outputs.end();
}

bool lists(const Stamp& stamp, const StampedOutput& wanted) {
  return lists(stamp.outputs, wanted) || lists(stamp.earlier, wanted);
}

bool names(const Stamp& stamp, const std::string& path) {
  const auto has_path = [&](const StampedOutput& output) { return output.path == path; };
  return std::ranges::any_of(stamp.outputs, has_path) ||
         std::ranges::any_of(stamp.earlier, has_path);
}

/// Pictures that several outputs share are in the stamp of each, and one of them wrote it last.
bool any_stamp_lists(const fs::path& output, const StampedOutput& wanted) {
  return std::ranges::any_of(read_stamps_beside(output),
                             [&](const Stamp& stamp) { return lists(stamp, wanted); });
}

std::string judge(const fs::path& output, const std::string& path,
                  const std::optional<Stamp>& stamp) {
  const std::string name = path.empty() ? output.filename().string() : path;
  const fs::path file = output.parent_path() / name;
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(file, ignored);
  if (!fs::exists(status) || fs::is_directory(status)) return "";
  const std::string thing = path.empty() ? "" : "its sidecar '" + path + "' ";
  if (const auto content = read_content(file)) {
    const StampedOutput found{name, *content};
    if (stamp && lists(*stamp, found)) return "";
    if (!path.empty() && any_stamp_lists(output, found)) return "";
  }
  if (stamp && names(*stamp, name))
    return thing + "has changed since gvbind wrote it, and is kept; --force overwrites it";
  return thing + "was not written by a batch of gvbind, and is kept; --force overwrites it";
}

}  // namespace

std::vector<StampedOutput> known_contents(const std::optional<Stamp>& stamp) {
  std::vector<StampedOutput> known;
  if (!stamp) return known;
  for (const auto* list : {&stamp->outputs, &stamp->earlier})
    for (const StampedOutput& one : *list)
      if (!lists(known, one)) known.push_back(one);
  return known;
}

std::string why_keep(const fs::path& output, const std::string& path) {
  // Another batch may write and stamp between our looks at the one and the other.
  std::optional<Stamp> stamp = read_stamp(output);
  for (;;) {
    std::string why = judge(output, path, stamp);
    if (why.empty()) return why;
    std::optional<Stamp> again = read_stamp(output);
    if (again == stamp) return why;
    stamp = std::move(again);
  }
}

std::string why_keep_any(const fs::path& output, const std::optional<Stamp>& stamp,
                         const std::vector<std::string>& files) {
  std::string why = why_keep(output, "");
  for (const std::string& file : files)
    if (why.empty() && stamp && names(*stamp, file)) why = why_keep(output, file);
  return why;
}

}  // namespace gvbind
