#include "batch/print_job.h"

#include <array>
#include <string_view>
#include <utility>

#include "cli/option_values.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "report/batch_report.h"

namespace gvbind {

namespace {

struct NamedFarm {
  const char* name;
  Farm farm;
  std::string (*text)(const PrintedJob&);
};

constexpr std::array<NamedFarm, 8> farms = {{
    {"slurm", Farm::slurm, slurm_job},
    {"parallel", Farm::parallel, parallel_job},
    {"openjd", Farm::openjd, openjd_job},
    {"opencue", Farm::opencue, opencue_job},
    {"deadline", Farm::deadline, deadline_job},
    {"buildgraph", Farm::buildgraph, buildgraph_job},
    {"kubernetes", Farm::kubernetes, kubernetes_job},
    {"jenkins", Farm::jenkins, jenkins_job},
}};

void check_name(const std::string& name) {
  if (printable(name) == name) return;
  throw Error(ErrorKind::usage,
              "--print-job: '" + printable(name) +
                  "' holds a line end, another control character or bytes that are not UTF-8, "
                  "which a job cannot name; rename it");
}

/// The words of a run of the batch.
std::string batch_command(const PrintedJob& job, const std::string& more) {
  std::string command = "gvbind batch";
  for (const std::string& option : job.options) command += " " + job_word(option);
  command += " " + job_word("--output=" + job.output) + more + " --";
  for (const std::string& input : job.inputs) command += " " + job_word(input);
  return command;
}

std::string merge_command(const PrintedJob& job, const std::string& folder) {
  std::string command = "gvbind report merge";
  command += job.report.empty() ? " --output=" + folder + "/report.json"
                                : " " + job_word("--output=" + job.report);
  if (!job.junit.empty()) command += " " + job_word("--junit=" + job.junit);
  if (!job.html.empty()) command += " " + job_word("--html=" + job.html);
  if (job.force) command += " --force";
  return command + " -- " + folder + "/shard-*.json";
}

}  // namespace

std::string job_word(const std::string& word) {
  constexpr std::string_view special = "$#{}<>%&";  // some farm reads a variable there
  std::string quoted = shell_word(word), apart;
  if (word.find_first_of(special) == word.npos) return quoted;
  if (quoted == word) quoted = "'" + word + "'";
  for (const char c : quoted) {
    apart += c;
    if (special.find(c) != special.npos) apart += "''";
  }
  return apart;
}

std::string job_folder(const PrintedJob& job) {
  std::string folder = job.output;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return (folder.starts_with('/') ? "" : "./") + folder + ".job";
}

JobSteps steps_of(const PrintedJob& job, const std::string& folder) {
  const std::string page = job.html.empty() ? "" : " --html=" + folder + "/";
  const std::string list = folder + "/stale.json", report = folder + "/shard-\"$shard\".json";
  const std::vector<std::string> start = {"set -eu", "cd " + job_word(job.directory)};
  const std::string shard = batch_command(
      job, " --load-stale=" + list + " --shard=\"$shard\"/" + std::to_string(job.shards) +
               " --report=" + report + (page.empty() ? "" : page + "shard-\"$shard\".html"));
  JobSteps steps;
  steps.plan = steps.shard = steps.merge = start;
  // Otherwise the merge would read reports that an earlier run has left.
  steps.plan.push_back("mkdir -p " + folder);
  steps.plan.push_back("rm -f " + list + " " + folder + "/shard-*.json");
  steps.plan.push_back(
      batch_command(job, " --save-stale=" + list + (page.empty() ? "" : page + "stale.html")) +
      " || test -s " + list);
  steps.shard.push_back("rm -f " + report);
  steps.lenient_shard = steps.shard;
  steps.shard.push_back("exec " + shard);
  steps.lenient_shard.push_back(shard + " || { code=$?; test $code -lt 128; test -s " + report +
                                "; }");
  steps.merge.push_back("exec " + merge_command(job, folder));
  return steps;
}

Farm parse_farm(const std::string& text) {
  std::vector<std::string> names;
  for (const NamedFarm& one : farms) {
    if (text == one.name) return one.farm;
    names.push_back(one.name);
  }
  refuse_choice("--print-job", text, names);
}

std::string job_text(const PrintedJob& job) {
  for (const auto* words : {&job.options, &job.inputs})
    for (const std::string& word : *words) check_name(word);
  for (const std::string& path : {job.directory, job.output, job.report, job.junit, job.html})
    check_name(path);
  for (const NamedFarm& one : farms)
    if (one.farm == job.farm) return one.text(job);
  throw Error(ErrorKind::internal, "--print-job: no such farm");
}

}  // namespace gvbind
