#pragma once

// Tested by tests/command/print_job_test.py.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gvbind {

/// The schedulers that --print-job knows.
enum class Farm { slurm, parallel, openjd, opencue, deadline, buildgraph, kubernetes, jenkins };

/// A batch as a job of a farm.
struct PrintedJob {
  std::optional<Farm> farm;          ///< none: no job is asked for
  int shards = 0;                    ///< 1 or more
  std::string directory;             ///< absolute; paths of the batch are relative to it
  std::vector<std::string> options;  ///< words of the command line for every shard
  std::vector<std::string> inputs;
  std::string output;               ///< the output directory
  std::string report, junit, html;  ///< of the merged run; empty: the report beside the shards'
  int jobs = 0;                     ///< threads of a shard; 0: not given
  std::uint64_t max_memory = 0;     ///< bytes of a shard; 0: not given
  bool force = false;
};

/// Lines of bash for the steps of a job. They hold no "$(", "${", "{{", "<" or "#" from names, so
/// that no farm finds a variable of its own in them. The shard's number is in $shard.
struct JobSteps {
  std::vector<std::string> plan, shard, merge;
  /// shard, but with exit code 0 where its report was written: for farms that start no merge after
  /// a failure. The merge has the exit code then.
  std::vector<std::string> lenient_shard;
};

/// `folder`: of the lists and reports, as words of bash.
JobSteps steps_of(const PrintedJob& job, const std::string& folder);

/// The folder beside the outputs for the list and the reports of shards.
std::string job_folder(const PrintedJob& job);

/// Quotes a word for bash, see JobSteps.
std::string job_word(const std::string& word);

/// Throws Error(usage).
Farm parse_farm(const std::string& text);

/// The whole text of the job. Throws Error(usage) for names that it cannot hold: control
/// characters, bytes that are not UTF-8, and characters that the farm itself cannot quote.
std::string job_text(const PrintedJob& job);

// The forms: job_forms.cpp.

std::string slurm_job(const PrintedJob& job);
std::string parallel_job(const PrintedJob& job);
std::string openjd_job(const PrintedJob& job);
std::string opencue_job(const PrintedJob& job);
std::string deadline_job(const PrintedJob& job);
std::string buildgraph_job(const PrintedJob& job);
std::string kubernetes_job(const PrintedJob& job);
std::string jenkins_job(const PrintedJob& job);

}  // namespace gvbind
