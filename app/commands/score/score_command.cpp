#include "commands/score/score_command.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <set>

#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "commands/score/score_report.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/write_text.h"
#include "gvbind/base/path_text.h"
#include "platform/session.h"

namespace gvbind {

namespace {

void show_progress(const ScoreCommand& command, std::size_t done, std::size_t of) {
  if (command.quiet || !platform::is_terminal(stderr)) return;
  print_status(done < of ? "Scoring: " + std::to_string(done) + "/" + std::to_string(of)
                         : std::string());
}

/// The author by the table, or by the name: up to the first _ of the file or of its first folder.
std::string author_of(const std::string& name, const std::map<std::string, std::string>& authors) {
  if (const auto found = authors.find(name); found != authors.end()) return found->second;
  const std::string top = name.substr(0, name.find('/'));
  if (const auto found = authors.find(top); found != authors.end()) return found->second;
  return top.substr(0, top.find('_'));
}

std::string group_of(const ScoreCommand& command, const std::string& name,
                     const std::map<std::string, std::string>& authors) {
  switch (command.by) {
    case ScoreGroup::author:
      return author_of(name, authors);
    case ScoreGroup::folder:
      return path_text(std::filesystem::path(name).parent_path());
    case ScoreGroup::file:
      break;
  }
  return "";
}

void print_reasons(const ScoreCommand& command, const std::vector<ScoredFile>& files,
                   const std::vector<std::string>& lonely) {
  for (const ScoredFile& file : files)
    if (file.error)
      print_finding(Severity::error, file.name + ": " + file.reason);
    else if (!file.reason.empty() && !command.quiet)
      print_finding(Severity::warning, file.name + ": left out: " + file.reason);
  if (command.quiet) return;
  for (const std::string& name : lonely)
    print_finding(Severity::warning,
                  name + ": left out: no file of its name is in " + command.places.reference);
}

int exit_code_of(const std::vector<ScoredFile>& files) {
  std::set<ErrorKind> kinds;
  bool scored = false;
  for (const ScoredFile& file : files) {
    if (file.error) kinds.insert(*file.error);
    scored = scored || file.reason.empty();
  }
  if (kinds.empty()) return scored ? 0 : exit_code(ErrorKind::cannot_bind);
  return kinds.size() == 1 && !scored ? exit_code(*kinds.begin()) : 6;
}

int run_score(const ScoreCommand& command) {
  start_command(command);
  std::map<std::string, std::string> authors;
  if (!command.authors.empty()) authors = read_authors(command.authors);
  std::vector<std::string> lonely;
  const std::vector<ScoreInput> inputs = find_inputs(command.places, lonely);
  std::vector<ScoredFile> files;
  for (const ScoreInput& input : inputs) {
    show_progress(command, files.size(), inputs.size());
    files.push_back(score_file(input, command));
    files.back().group = group_of(command, input.name, authors);
  }
  show_progress(command, files.size(), inputs.size());
  print_reasons(command, files, lonely);
  if (command.json)
    write_json(score_json(command, files), "-");
  else
    for (const std::string& line : score_lines(command, files)) print_line(stdout, line);
  return exit_code_of(files);
}

/// Weights that are kept would be compared with themselves.
void require_fresh(const BindSettings& settings) {
  if (settings.existing != Existing::replace || !settings.lock.empty())
    throw Error(ErrorKind::usage, std::string(settings.lock.empty() ? "--existing" : "--lock") +
                                      ": weights that are kept would be compared with themselves");
}

void add_places(CLI::App& app, ScoreCommand& command) {
  app.add_option("INPUT", command.places.inputs,
                 "Skinned files (.fbx, .glb, .gltf, .vrm), .npz, .obj with the text of a rig, or "
                 "folders of them at any depth")
      ->required()
      ->take_all();
  app.add_option("--reference", command.places.reference,
                 "Bind nothing: compare the inputs with the files of their names in this folder")
      ->type_name("DIR");
  app.add_option("--rigs", command.places.rigs,
                 "Where the texts of rigs for .obj inputs are [beside them]")
      ->type_name("DIR");
}

void add_measures(CLI::App& app, ScoreCommand& command) {
  app.option_defaults()->group("How it is measured");
  add_choice(
      app, "--by", command.by,
      {{"author", ScoreGroup::author}, {"folder", ScoreGroup::folder}, {"file", ScoreGroup::file}},
      "Also average by this; the author is the part of a file's name before the first _, or of its "
      "folder's name");
  app.add_option("--authors", command.authors,
                 "Take authors from this table with tabs and the columns file and author")
      ->type_name("TSV");
  add_number(app, "--min-weight", command.options.least_weight, 0, 1,
             "A weight is an influence above this", "F");
  add_number(app, "--sum-tolerance", command.options.sum_tolerance, 0, 1e9,
             "Leave out vertices whose weights in the reference are further from a sum of one",
             "F");
  add_number(app, "--cut", command.options.cut, 0, 1,
             "Drop weights below this part of the vertex's largest, in the weights that are judged",
             "F");
  app.option_defaults()->group("");
}

}  // namespace

Subcommand add_score(CLI::App& app) {
  const auto command = std::make_shared<ScoreCommand>();
  const auto given = std::make_shared<GivenFlags>();
  CLI::App* score = app.add_subcommand(
      "score", "Compare weights with artists' by the measures that papers publish");
  score->footer(
      "Examples:\n"
      "  gvbind score characters/ --by author\n"
      "  gvbind score characters/ --preset paper -a 1\n"
      "  gvbind score build/ --reference characters/\n"
      "  gvbind score obj/ --rigs rig_info/ --json");
  add_places(*score, *command);
  add_measures(*score, *command);
  const TakeOption take = collect_in(given);
  add_bind_options(*score, OptionGroup::method, take);
  add_bind_options(*score, OptionGroup::selection, take);
  add_run_options(*score, *command);
  score->add_flag("--json", command->json, "A report on stdout instead of a table")
      ->group(report_group);
  score->add_flag("-q,--quiet", command->quiet, "No warnings")->group(report_group);
  return {score, [command, given] {
            if (!command->authors.empty()) command->by = ScoreGroup::author;
            if (!command->places.reference.empty() && !given->empty())
              throw Error(ErrorKind::usage,
                          "--reference binds nothing, so it takes no option of bind");
            apply_flags(*given, command->settings);
            require_fresh(command->settings);
            return run_score(*command);
          }};
}

}  // namespace gvbind
