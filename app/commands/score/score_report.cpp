#include "commands/score/score_report.h"

#include <algorithm>
#include <map>

#include "gvbind/base/utf8.h"

namespace gvbind {

namespace {

struct Means {
  double precision = 0.0, recall = 0.0, l1 = 0.0, mean_distance = 0.0;
};

Means means_of(const check::SkinScore& score) {
  return {score.precision, score.recall, score.l1, score.mean_distance};
}

Means mean_of(const std::vector<Means>& all) {
  Means mean;
  const double part = 1.0 / static_cast<double>(std::max<std::size_t>(all.size(), 1));
  for (const Means& m : all) {
    mean.precision += part * m.precision;
    mean.recall += part * m.recall;
    mean.l1 += part * m.l1;
    mean.mean_distance += part * m.mean_distance;
  }
  return mean;
}

struct Groups {
  Means of_files, of_groups;
  std::map<std::string, std::vector<Means>> members;
  std::size_t files = 0;
};

Groups groups_of(const std::vector<ScoredFile>& files) {
  Groups made;
  std::vector<Means> all, by_group;
  for (const ScoredFile& file : files) {
    if (!file.reason.empty()) continue;
    all.push_back(means_of(file.score));
    made.members[file.group].push_back(all.back());
  }
  for (const auto& [group, means] : made.members) by_group.push_back(mean_of(means));
  made.files = all.size();
  made.of_files = mean_of(all);
  made.of_groups = mean_of(by_group);
  return made;
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// A line of the table, aligned with the header of score_lines().
std::string row(const std::string& name, std::size_t width, const Means& m,
                const std::string& vertices, const std::string& left_out) {
  return name + std::string(width - std::min(width, name.size()), ' ') +
         right(fixed(m.precision, 3), 11) + right(fixed(m.recall, 3), 8) +
         right(fixed(m.l1, 3), 7) + right(fixed(m.mean_distance, 1), 7) +
         (vertices.empty() ? "" : right(vertices, 11) + right(left_out, 10));
}

const char* plural_of(ScoreGroup by) { return by == ScoreGroup::folder ? "folders" : "authors"; }

Json json_of(const Means& m) {
  return {{"precision", m.precision},
          {"recall", m.recall},
          {"l1", m.l1},
          {"mean_distance", m.mean_distance}};
}

Json json_of(const ScoredFile& file) {
  if (!file.reason.empty())
    return {{"file", file.name}, {"reason", file.reason}, {"failed", file.error.has_value()}};
  Json json = {{"file", file.name}};
  if (!file.group.empty()) json["group"] = file.group;
  json.update(json_of(means_of(file.score)));
  json["max_distance"] = file.score.max_distance;
  json["vertices"] = file.score.vertices;
  json["vertices_left_out"] = file.score.left_out;
  return json;
}

}  // namespace

std::vector<std::string> score_lines(const ScoreCommand& command,
                                     const std::vector<ScoredFile>& files) {
  const Groups groups = groups_of(files);
  if (groups.files == 0) return {};
  const std::string of_files = "mean of " + counted(groups.files, "file", "files");
  const std::string of_groups =
      "mean of " + grouped(groups.members.size()) + " " + plural_of(command.by);
  std::size_t width = std::max(of_files.size(), of_groups.size());
  for (const ScoredFile& file : files)
    if (file.reason.empty()) width = std::max(width, file.name.size());
  std::vector<std::string> lines = {"file" + std::string(width - 4, ' ') +
                                    "  precision  recall     L1   dAvg   vertices  left out"};
  for (const ScoredFile& file : files)
    if (file.reason.empty())
      lines.push_back(row(file.name, width, means_of(file.score), grouped(file.score.vertices),
                          grouped(file.score.left_out)));
  lines.push_back(row(of_files, width, groups.of_files, "", ""));
  if (command.by != ScoreGroup::file)
    lines.push_back(row(of_groups, width, groups.of_groups, "", ""));
  return lines;
}

Json score_json(const ScoreCommand& command, const std::vector<ScoredFile>& files) {
  const Groups groups = groups_of(files);
  Json scored = Json::array(), left_out = Json::array();
  for (const ScoredFile& file : files)
    (file.reason.empty() ? scored : left_out).push_back(json_of(file));
  Json json = {{"files", std::move(scored)}, {"left_out", std::move(left_out)}};
  if (groups.files == 0) return json;
  json["mean_of_files"] = json_of(groups.of_files);
  if (command.by == ScoreGroup::file) return json;
  Json means = Json::object();
  for (const auto& [group, members] : groups.members) means[group] = json_of(mean_of(members));
  json["groups"] = std::move(means);
  json["mean_of_groups"] = json_of(groups.of_groups);
  return json;
}

}  // namespace gvbind
