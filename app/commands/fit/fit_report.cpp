#include "commands/fit/fit_report.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "common/content_hash.h"
#include "gvbind/base/utf8.h"
#include "io/file_io.h"
#include "report/asset_lines.h"

namespace gvbind {

namespace {

const char* group_word(GroupBy by) {
  switch (by) {
    case GroupBy::author:
      return "author";
    case GroupBy::folder:
      return "folder";
    case GroupBy::file:
      break;
  }
  return "file";
}

std::string group_plural(GroupBy by) { return std::string(group_word(by)) + "s"; }

std::string mean_text(const fit::MeanL1& mean) {
  return "L1 " + fixed(mean.fitted, 3) + ", by falloff " + fixed(mean.falloff, 3);
}

std::map<std::string, std::vector<fit::CharacterVerdict>> verdicts_by_group(
    const fit::FitResult& result) {
  std::map<std::string, std::vector<fit::CharacterVerdict>> groups;
  for (const fit::CharacterVerdict& verdict : result.verdicts)
    groups[verdict.group].push_back(verdict);
  return groups;
}

std::size_t group_count(const FitInputs& inputs) {
  std::set<std::string> groups;
  for (const fit::CharacterSamples& character : inputs.characters) groups.insert(character.group);
  return groups.size();
}

/// One hash for all files, independent of their order and names.
std::string hash_of_inputs(const FitInputs& inputs) {
  std::vector<std::string> hashes = inputs.hashes;
  std::ranges::sort(hashes);
  std::string text;
  for (const std::string& hash : hashes) text += hash + "\n";
  return hash_of(text);
}

std::string options_note(const FitCommand& command) {
  const fit::TrainingOptions& t = command.training;
  return "seed " + std::to_string(t.seed) + ", " + std::to_string(t.networks) +
         " networks, hidden " + std::to_string(t.hidden) + ", " + std::to_string(t.epochs) +
         " epochs of " + std::to_string(t.vertices) + " vertices a file, " +
         std::to_string(command.samples.resolution) + " voxels per side";
}

Json mean_json(const fit::MeanL1& mean) {
  return {{"fitted_l1", mean.fitted}, {"falloff_l1", mean.falloff}};
}

}  // namespace

std::vector<std::string> verdict_lines(const fit::FitResult& result, GroupBy by) {
  std::vector<std::string> lines;
  if (result.verdicts.empty()) return lines;
  for (const auto& [group, verdicts] : verdicts_by_group(result))
    lines.push_back(group + ": " + counted(verdicts.size(), "file", "files") + ", " +
                    mean_text(fit::mean_by_character(verdicts)));
  lines.push_back("mean of files: " + mean_text(fit::mean_by_character(result.verdicts)));
  if (by != GroupBy::file)
    lines.push_back("mean of " + group_plural(by) + ": " +
                    mean_text(fit::mean_by_group(result.verdicts)));
  return lines;
}

std::vector<std::string> fit_notes(const FitCommand& command, const FitInputs& inputs,
                                   const fit::FitResult& result, bool files) {
  std::vector<std::string> notes = {
      "gvbind " GVBIND_VERSION,
      "fitted on " + counted(inputs.characters.size(), "file", "files") + " of " +
          counted(group_count(inputs), group_word(command.by), group_plural(command.by).c_str()) +
          "; hash of the inputs " + hash_of_inputs(inputs),
      options_note(command)};
  if (!result.verdicts.empty()) {
    notes.push_back("cross-validated, mean of files: " +
                    mean_text(fit::mean_by_character(result.verdicts)));
    notes.push_back("cross-validated, mean of " + group_plural(command.by) + ": " +
                    mean_text(fit::mean_by_group(result.verdicts)));
  }
  if (!command.date.empty()) notes.push_back("date " + command.date);
  if (!command.notice.empty()) {
    const std::vector<std::uint8_t> bytes = read_file(command.notice);
    std::istringstream text(std::string(bytes.begin(), bytes.end()));
    for (std::string line; std::getline(text, line);)
      if (!line.empty()) notes.push_back(line);
  }
  for (std::size_t i = 0; files && i < inputs.characters.size(); ++i)
    notes.push_back("input " + inputs.hashes[i] + " " + inputs.characters[i].group + " " +
                    inputs.characters[i].name);
  return notes;
}

Json fit_json(const FitCommand& command, const FitInputs& inputs, const fit::FitResult& result) {
  Json characters = Json::array(), left_out = Json::array();
  for (std::size_t i = 0; i < inputs.characters.size(); ++i) {
    Json json = {{"file", inputs.characters[i].name},
                 {"group", inputs.characters[i].group},
                 {"hash", inputs.hashes[i]},
                 {"falloff_l1", inputs.characters[i].whole.falloff_l1}};
    if (!result.verdicts.empty()) json["fitted_l1"] = result.verdicts[i].fitted_l1;
    characters.push_back(std::move(json));
  }
  for (const LeftOut& out : inputs.left_out)
    left_out.push_back({{"file", out.file}, {"reason", out.reason}});
  Json json = {{"output", command.output},
               {"by", group_word(command.by)},
               {"characters", std::move(characters)},
               {"left_out", std::move(left_out)}};
  if (!result.verdicts.empty()) {
    json["mean_of_files"] = mean_json(fit::mean_by_character(result.verdicts));
    json["mean_of_groups"] = mean_json(fit::mean_by_group(result.verdicts));
  }
  return json;
}

}  // namespace gvbind
