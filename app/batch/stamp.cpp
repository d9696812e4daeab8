#include "batch/stamp.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <system_error>

#include "batch/state_file.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int stamp_format = 1;
constexpr const char* stamp_extension = ".stamp";

ordered_json stamp_json(const FileContent& content) {
  return {{"size", content.size}, {"hash", content.hash}};
}

FileContent stamped_content(const ordered_json& json) {
  return {json.at("size").get<std::uintmax_t>(), json.at("hash").get<std::string>()};
}

ordered_json stamp_json(const std::vector<StampedOutput>& outputs) {
  ordered_json list = ordered_json::array();
  for (const StampedOutput& output : outputs) {
    ordered_json json = {{"path", output.path}};
    json.update(stamp_json(output.content));
    list.push_back(std::move(json));
  }
  return list;
}

std::vector<StampedOutput> outputs_of(const ordered_json& list) {
  std::vector<StampedOutput> outputs;
  for (const ordered_json& json : list)
    outputs.push_back({json.at("path").get<std::string>(), stamped_content(json)});
  return outputs;
}

ordered_json head_of(const Stamp& stamp) {
  ordered_json inputs = ordered_json::array();
  for (const StampedInput& input : stamp.inputs) {
    ordered_json json = {{"of", input.of}, {"path", input.path}};
    if (input.content) json.update(stamp_json(*input.content));
    inputs.push_back(std::move(json));
  }
  ordered_json head = {{"stamp", stamp_format}, {"status", stamp.status},
                       {"key", stamp.key},      {"worst", stamp.worst},
                       {"inputs", inputs},      {"outputs", stamp_json(stamp.outputs)}};
  if (!stamp.source.empty()) head["source"] = stamp.source;
  if (!stamp.earlier.empty()) head["earlier"] = stamp_json(stamp.earlier);
  for (const StampedDrawing& drawing : stamp.drawings) {
    ordered_json json = {{"what", drawing.what}, {"of", drawing.of}};
    json.update(stamp_json(drawing.content));
    head["drawings"].push_back(std::move(json));
  }
  return head;
}

Stamp stamp_of(const ordered_json& head) {
  Stamp stamp;
  stamp.status = head.at("status").get<std::string>();
  stamp.key = head.at("key").get<std::string>();
  stamp.worst = head.at("worst").get<std::string>();
  for (const ordered_json& json : head.at("inputs")) {
    StampedInput input{json.at("of").get<std::string>(), json.at("path").get<std::string>(), {}};
    if (json.contains("hash")) input.content = stamped_content(json);
    stamp.inputs.push_back(std::move(input));
  }
  stamp.outputs = outputs_of(head.at("outputs"));
  if (head.contains("source")) stamp.source = head.at("source").get<std::string>();
  if (head.contains("earlier")) stamp.earlier = outputs_of(head.at("earlier"));
  if (head.contains("drawings"))
    for (const ordered_json& json : head.at("drawings"))
      stamp.drawings.push_back({json.at("what").get<std::string>(),
                                json.at("of").get<std::string>(), stamped_content(json)});
  return stamp;
}

/// The settings whose lines differ, by the name that each line begins with.
std::string changed_settings(const std::string& before, const std::string& now) {
  const auto lines_of = [](const std::string& text) {
    std::set<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.insert(line);
    return lines;
  };
  const std::set<std::string> old_lines = lines_of(before), new_lines = lines_of(now);
  std::set<std::string> names;
  const auto name_of = [](const std::string& line) {
    return line.substr(0, line.find_first_of(" ="));
  };
  for (const std::string& line : old_lines)
    if (!new_lines.contains(line)) names.insert(name_of(line));
  for (const std::string& line : new_lines)
    if (!old_lines.contains(line)) names.insert(name_of(line));
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

fs::path path_of(const StampedInput& input, const AssetFiles& files) {
  const fs::path& whose = input.of == "skeleton" ? files.skeleton : files.input;
  return input.path.empty() ? whose : whose.parent_path() / input.path;
}

/// Its path is in no key, so that a skeleton of the same content may lie anywhere.
bool had_skeleton(const Stamp& stamp) {
  return std::ranges::any_of(stamp.inputs, [](const StampedInput& input) {
    return input.of == "skeleton" && input.path.empty();
  });
}

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

/// A name as it comes back from a stamp, where bytes that are not UTF-8 were replaced.
std::string stamped_name(const std::string& name) {
  constexpr auto replaced = ordered_json::error_handler_t::replace;
  return ordered_json::parse(ordered_json(name).dump(-1, ' ', false, replaced)).get<std::string>();
}

fs::path stamped_file(const fs::path& output, const std::string& path) {
  if (path == stamped_name(path_text(output.filename()))) return output;
  return output.parent_path() / path;
}

std::string judge(const fs::path& output, const std::string& path,
                  const std::optional<Stamp>& stamp) {
  const std::string name = path.empty() ? path_text(output.filename()) : path;
  const fs::path file = output.parent_path() / name;
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(file, ignored);
  if (!fs::exists(status) || fs::is_directory(status)) return "";
  const std::string thing = path.empty() ? "" : "its sidecar '" + path + "' ";
  if (const auto content = read_content(file)) {
    const StampedOutput found{stamped_name(name), *content};
    if (stamp && lists(*stamp, found)) return "";
    if (!path.empty() && any_stamp_lists(output, found)) return "";
  }
  if (stamp && names(*stamp, stamped_name(name)))
    return thing + "has changed since gvbind wrote it, and is kept; --force overwrites it";
  return thing + "was not written by a batch of gvbind, and is kept; --force overwrites it";
}

}  // namespace

std::string outputs_hash(const Stamp& stamp) {
  return hash_of(
      stamp_json(stamp.outputs).dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

fs::path stamp_path(const fs::path& output) { return state_path(output, stamp_extension); }
fs::path picture_path(const fs::path& output) { return state_path(output, ".png"); }

std::optional<Stamp> read_stamp_file(const fs::path& path) {
  const std::optional<std::string> text = read_state_file(path);
  if (!text) return std::nullopt;
  const std::size_t end = text->find('\n');
  try {
    const ordered_json json = ordered_json::parse(text->substr(0, end));
    if (json.at("stamp") != stamp_format) return std::nullopt;
    Stamp stamp = stamp_of(json);
    if (end != text->npos) stamp.entry = text->substr(end + 1, text->find('\n', end + 1) - end - 1);
    return stamp;
  } catch (const ordered_json::exception&) {
    return std::nullopt;  // at worst, the asset is bound again
  }
}

std::optional<Stamp> read_stamp(const fs::path& output) {
  return read_stamp_file(stamp_path(output));
}

std::vector<Stamp> read_stamps_beside(const fs::path& output) {
  std::vector<Stamp> stamps;
  std::error_code error;
  fs::directory_iterator it(stamp_path(output).parent_path(), error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    if (it->path().extension() != stamp_extension) continue;
    try {
      if (auto stamp = read_stamp_file(it->path())) stamps.push_back(std::move(*stamp));
    } catch (const Error&) {
      // Whose it is has to report it.
    }
  }
  return stamps;
}

void check_state(const fs::path& output) {
  for (const fs::path& path : {stamp_path(output), lock_path(output)}) check_state_file(path);
}

void remove_unfinished_state(const fs::path& output) {
  for (const fs::path& path : {stamp_path(output), picture_path(output)}) remove_unfinished(path);
}

void write_stamp(const fs::path& output, const Stamp& stamp, Durability durability) {
  const std::string head =
      head_of(stamp).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  write_state_file(stamp_path(output), head + "\n" + stamp.entry + "\n", durability);
}

std::string why_stale(const std::optional<Stamp>& stamp, const std::string& key,
                      const AssetFiles& files) {
  if (!stamp) return "new";
  if (stamp->status == "failed") return "failed before";
  if (stamp->status == "interrupted") return "was interrupted";
  if (stamp->key != key) return "changed: " + changed_settings(stamp->key, key);
  if (had_skeleton(*stamp) != !files.skeleton.empty()) return "changed: skeleton";
  for (const StampedInput& input : stamp->inputs) {
    const fs::path path = path_of(input, files);
    std::error_code ignored;
    const bool same =
        input.content ? has_content(path, *input.content) : !fs::exists(path, ignored);
    if (!same) return "changed: " + path_text(path);
  }
  for (const StampedOutput& output : stamp->outputs)
    if (!has_content(stamped_file(files.output, output.path), output.content))
      return "output changed: " + output.path;
  return "";
}

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
