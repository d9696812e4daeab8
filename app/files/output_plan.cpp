#include "files/output_plan.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "common/content_hash.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "io/format.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;
using FileKind = OutputFile::Kind;

/// Files that the glTF documents in a directory refer to. Each directory is read once, on first
/// use.
class NamedFiles {
 public:
  /// Whether a document in the directory, other than those in `except`, refers to the file `name`.
  /// All names in lower case.
  bool named_by_other(const std::filesystem::path& directory, const std::string& name,
                      const std::set<std::string>& except);

  /// Whether `document`, in lower case, refers to the file.
  bool named_by(const std::filesystem::path& directory, const std::string& document,
                const std::string& name);

 private:
  using Documents = std::set<std::string>;
  const std::map<std::string, Documents>& of(const std::filesystem::path& directory);

  std::map<std::filesystem::path, std::map<std::string, Documents>> directories_;
};

const std::map<std::string, NamedFiles::Documents>& NamedFiles::of(const fs::path& directory) {
  const auto [at, is_new] = directories_.try_emplace(directory);
  if (!is_new) return at->second;
  std::error_code error;
  fs::directory_iterator it(directory.empty() ? "." : directory, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    if (!is_gltf(format_of_name(it->path()))) continue;
    const auto files = read_gltf_files(it->path());
    if (!files) continue;
    const std::string document = fold_case(path_text(it->path().filename()));
    for (const GltfFiles::Uri& uri : files->uris) at->second[fold_case(uri.file)].insert(document);
  }
  return at->second;
}

bool NamedFiles::named_by_other(const fs::path& directory, const std::string& name,
                                const std::set<std::string>& except) {
  const auto& files = of(directory);
  const auto documents = files.find(name);
  return documents != files.end() &&
         std::ranges::any_of(documents->second,
                             [&](const std::string& one) { return !except.contains(one); });
}

bool NamedFiles::named_by(const fs::path& directory, const std::string& document,
                          const std::string& name) {
  const auto& files = of(directory);
  const auto documents = files.find(name);
  return documents != files.end() && documents->second.contains(document);
}

/// A file beside an output's document. `attempt` selects its name.
struct Member {
  std::size_t asset = 0;
  OutputFile file;
  int attempt = 0;
};

/// Directories are in lower case, to compare paths as case-insensitive file systems do.
struct PlannedFiles {
  std::string directory;  ///< of the output, absolute, ending with '/'
  std::string main;       ///< name of the output
  std::vector<Member> members;
  bool exact = true;  ///< listed from the input itself, not from the stamp
};

struct Planning {
  std::span<const OutputAsset> assets;
  std::vector<PlannedFiles> planned;
  std::unordered_set<std::string> mains;                         ///< paths of all output documents
  std::unordered_map<std::string, std::vector<Member*>> groups;  ///< by path
  std::unordered_map<std::string, std::optional<FileContent>> contents;
  NamedFiles named;
};

std::string folded_directory(const fs::path& output) {
  std::string directory = path_text(fs::absolute(output).parent_path().lexically_normal());
  if (!directory.ends_with('/')) directory += '/';
  return fold_case(directory);
}

/// Attempt 0 is the file's own name.
std::string name_of_attempt(const std::string& name, const fs::path& output, int attempt) {
  if (attempt == 0) return name;
  std::string prefix = path_text(attempt == 1 ? output.stem() : output.filename());
  if (attempt > 2) prefix += "." + std::to_string(attempt - 1);
  const fs::path path(name);
  const std::string stem = prefix + "." + path_text(path.stem());
  return (path.parent_path() / fitting_name(stem, path_text(path.extension()))).generic_string();
}

std::string name_of(const Planning& plan, const Member& member) {
  return name_of_attempt(member.file.name, plan.assets[member.asset].output, member.attempt);
}

std::string key_of(const Planning& plan, const Member& member) {
  return plan.planned[member.asset].directory + fold_case(name_of(plan, member));
}

bool is_made_name(std::string_view name, const std::string& stem) {
  if (name == fitting_name(stem, ".bin") || name == fitting_name(stem + ".gvbind", ".bin"))
    return true;
  if (!name.starts_with(stem) || !name.ends_with(".bin")) return false;
  name.remove_prefix(stem.size());
  name.remove_suffix(4);
  if (name.empty()) return true;
  return name.starts_with(".gvbind") &&
         std::ranges::all_of(name.substr(7), [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::vector<OutputFile> files_by_stamp(const OutputAsset& asset) {
  std::vector<OutputFile> files;
  const std::string stem = path_text(asset.output.stem());
  const auto& named = asset.known->named;
  for (const std::string& name : asset.known->written)
    if (is_made_name(name, stem) && std::ranges::find(named, name) == named.end())
      files.push_back({FileKind::made, name, name, {}});
  if (folded_directory(asset.input) == folded_directory(asset.output)) return files;
  for (const std::string& file : named)
    files.push_back(
        {FileKind::buffer, file, output_name_of(file), asset.input.parent_path() / file});
  return files;
}

void list_members(Planning& plan, std::size_t a, bool exact) {
  const OutputAsset& asset = plan.assets[a];
  PlannedFiles& planned = plan.planned[a];
  planned.exact = exact;
  planned.members.clear();
  for (OutputFile& file :
       exact ? output_files(read_gltf_files(asset.input), asset.input, asset.output)
             : files_by_stamp(asset))
    planned.members.push_back({a, std::move(file)});
}

void group(Planning& plan) {
  plan.groups.clear();
  for (PlannedFiles& planned : plan.planned)
    for (Member& member : planned.members) plan.groups[key_of(plan, member)].push_back(&member);
}

/// A stamp does not record which files are buffers, nor which were merged into a .glb. If names
/// collide, the inputs are read.
void look_closer_at_shared_names(Planning& plan) {
  group(plan);
  std::set<std::size_t> inexact;
  for (const auto& [key, members] : plan.groups)
    if (members.size() > 1 || plan.mains.contains(key))
      for (const Member* member : members)
        if (!plan.planned[member->asset].exact) inexact.insert(member->asset);
  for (const std::size_t a : inexact) list_members(plan, a, true);
}

const std::optional<FileContent>& content_of(Planning& plan, const fs::path& path) {
  const auto [at, is_new] = plan.contents.try_emplace(path_text(path));
  if (is_new) at->second = read_content(path);
  return at->second;
}

bool same_source(Planning& plan, const Member& a, const Member& b) {
  if (a.file.kind == FileKind::missing || b.file.kind == FileKind::missing)
    return a.file.kind == b.file.kind;
  std::error_code ignored;
  if (fs::equivalent(a.file.source, b.file.source, ignored)) return true;
  const auto& content = content_of(plan, a.file.source);
  return content && content == content_of(plan, b.file.source);
}

bool may_share(Planning& plan, const Member& a, const Member& b) {
  if (a.file.kind == FileKind::made || b.file.kind == FileKind::made) return false;
  const bool buffers = a.file.kind == FileKind::buffer || b.file.kind == FileKind::buffer;
  return (!buffers || a.asset == b.asset) && name_of(plan, a) == name_of(plan, b) &&
         same_source(plan, a, b);
}

/// Members that have to give up the shared name.
std::vector<Member*> losers_of(Planning& plan, const std::string& key,
                               const std::vector<Member*>& members) {
  if (plan.mains.contains(key)) return members;
  if (std::ranges::all_of(
          members, [&](Member* m) { return m == members[0] || may_share(plan, *members[0], *m); }))
    return {};
  const auto is_made = [](const Member* member) { return member->file.kind == FileKind::made; };
  const bool one_asset = std::ranges::all_of(
      members, [&](const Member* member) { return member->asset == members[0]->asset; });
  const Member* keeper = one_asset ? members[0] : nullptr;
  if (std::ranges::count_if(members, is_made) == 1)
    keeper = *std::ranges::find_if(members, is_made);
  std::vector<Member*> losers = members;
  std::erase(losers, keeper);
  return losers;
}

void give_names(Planning& plan) {
  constexpr int max_rounds = 100;
  for (int round = 0;; ++round) {
    group(plan);
    std::vector<Member*> losers;
    for (const auto& [key, members] : plan.groups)
      if (members.size() > 1 || plan.mains.contains(key))
        for (Member* member : losers_of(plan, key, members)) losers.push_back(member);
    if (losers.empty()) return;
    if (round == max_rounds)
      throw Error(ErrorKind::usage, path_text(plan.assets[losers[0]->asset].output) +
                                        ": no name can be found for its sidecar '" +
                                        losers[0]->file.name + "', which other outputs use too");
    for (Member* member : losers) ++member->attempt;
  }
}

bool belongs(Planning& plan, const Member& member, const std::string& name) {
  const OutputAsset& asset = plan.assets[member.asset];
  return asset.own.contains(name) ||
         plan.named.named_by(asset.output.parent_path(), plan.planned[member.asset].main,
                             fold_case(name));
}

/// Whether the name is in use on disk: referred to by another document, or by a file that is not
/// ours.
bool is_taken(Planning& plan, const Member& member, const std::vector<Member*>& sharers) {
  const OutputAsset& asset = plan.assets[member.asset];
  const fs::path directory = asset.output.parent_path();
  const std::string name = name_of(plan, member);
  std::set<std::string> except = {plan.planned[member.asset].main};
  for (const Member* sharer : sharers)
    if (plan.planned[sharer->asset].directory == plan.planned[member.asset].directory)
      except.insert(plan.planned[sharer->asset].main);
  std::error_code ignored;
  const bool there = fs::exists(fs::symlink_status(directory / name, ignored));
  // Not from the cache, which holds only sources.
  const bool same = there && member.file.kind != FileKind::made &&
                    read_content(directory / name) == content_of(plan, member.file.source);
  if (same && member.file.kind == FileKind::picture) return false;
  if (plan.named.named_by_other(directory, fold_case(name), except)) return true;
  if (!there || same || belongs(plan, member, name)) return false;
  return std::ranges::none_of(sharers, [&](Member* one) { return belongs(plan, *one, name); });
}

void avoid_taken_names(Planning& plan, Member& member) {
  if (member.file.kind == FileKind::missing) return;
  std::vector<Member*> sharers = plan.groups[key_of(plan, member)];
  while (is_taken(plan, member, sharers)) {
    std::string key;
    do {
      ++member.attempt;
      key = key_of(plan, member);
    } while (plan.groups.contains(key) || plan.mains.contains(key));
    sharers.clear();
    plan.groups[key] = {&member};
  }
}

OutputPlan result_of(Planning& plan, std::size_t a) {
  const OutputAsset& asset = plan.assets[a];
  OutputPlan result;
  for (const Member& member : plan.planned[a].members) {
    OutputFile file = member.file;
    file.name = name_of(plan, member);
    if (file.name != member.file.name) result.names[file.key] = file.name;
    const bool was_there = asset.binds && member.file.kind != FileKind::missing;
    if (was_there && belongs(plan, member, file.name)) result.replaceable.insert(file.name);
    result.files.push_back(std::move(file));
  }
  return result;
}

bool holds_given_up_name(const Planning& plan, std::size_t a) {
  const OutputAsset& asset = plan.assets[a];
  return !asset.binds && asset.known &&
         std::ranges::any_of(plan.planned[a].members, [&](const Member& member) {
           return member.attempt > 0 && asset.known->written.contains(member.file.name);
         });
}

}  // namespace

std::vector<OutputPlan> plan_outputs(std::span<const OutputAsset> assets) {
  Planning plan{assets, std::vector<PlannedFiles>(assets.size()), {}, {}, {}, {}};
  bool any = false;
  for (std::size_t a = 0; a < assets.size(); ++a) {
    if (!is_gltf(format_of_name(assets[a].output))) continue;
    list_members(plan, a, !assets[a].known);
    any = any || !plan.planned[a].members.empty();
  }
  std::vector<OutputPlan> results(assets.size());
  if (!any) return results;
  for (std::size_t a = 0; a < assets.size(); ++a) {
    plan.planned[a].directory = folded_directory(assets[a].output);
    plan.planned[a].main = fold_case(path_text(assets[a].output.filename()));
    plan.mains.insert(plan.planned[a].directory + plan.planned[a].main);
  }
  look_closer_at_shared_names(plan);
  give_names(plan);
  for (std::size_t a = 0; a < assets.size(); ++a) {
    const bool renames = holds_given_up_name(plan, a);
    if (assets[a].binds || renames)
      for (Member& member : plan.planned[a].members) avoid_taken_names(plan, member);
    results[a] = result_of(plan, a);
    results[a].renames = renames;
  }
  return results;
}

}  // namespace gvbind
