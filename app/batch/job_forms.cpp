// Tested by tests/command/print_job_test.py.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batch/print_job.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "report/batch_report.h"
#include "report/html_text.h"

namespace gvbind {

namespace {

using Lines = std::vector<std::string>;

std::string joined(const Lines& lines, std::string_view between) {
  std::string text;
  for (const std::string& line : lines) {
    if (!text.empty()) text += between;
    text += line;
  }
  return text;
}

std::string script(const Lines& lines) { return joined(lines, "\n") + "\n"; }

std::string head(const std::string& use) {
  return "#!/bin/bash\n# A batch of gvbind " + ReportTool::program_version() + ". " + use + "\n";
}

/// Lines between marks, for bash to read as they are. No line of a job is the mark.
std::string here_document(const Lines& lines) {
  return "<<'GVBIND'\n" + script(lines) + "GVBIND\n";
}

std::string bash_function(const std::string& name, const Lines& lines) {
  std::string text = name + "() {\n";
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text + "}\n";
}

Lines with_first(const std::string& first, Lines lines) {
  lines.insert(lines.begin(), first);
  return lines;
}

std::string folder_word(const PrintedJob& job) { return job_word(job_folder(job)); }

std::string last_shard(const PrintedJob& job) { return std::to_string(job.shards); }

}  // namespace

std::string slurm_job(const PrintedJob& job) {
  const std::string folder = folder_word(job);
  std::string memory;
  if (job.max_memory > 0)
    memory = " --mem=" + std::to_string(job.max_memory * 10 / 9 / (1U << 20) + 1) + "M";
  JobSteps steps = steps_of(job, folder);
  std::string more;
  if (job.jobs == 0) more += " --jobs=\"$SLURM_CPUS_PER_TASK\"";
  // Without this, gvbind would take most of the memory of the whole node.
  if (job.max_memory == 0)
    more += " ${SLURM_MEM_PER_NODE:+--max-memory=$((SLURM_MEM_PER_NODE * 9 / 10))M}";
  steps.shard.back().insert(std::string_view("exec gvbind batch").size(), more);
  steps.shard.insert(steps.shard.begin(), {"#!/bin/bash", "shard=$SLURM_ARRAY_TASK_ID"});
  const std::string each = "sbatch --parsable --chdir=" + folder;
  const std::string cores =
      " --cpus-per-task=" + std::to_string(job.jobs > 0 ? job.jobs : 2) + memory;
  std::string text =
      head("Run this script where sbatch is: it submits a plan, an array and a merge.");
  text += "set -eu\ncd " + job_word(job.directory) + "\nmkdir -p " + folder + "\n";
  text += "plan() { " + each + " --job-name=gvbind-plan --output=plan-%j.log" + cores + " " +
          here_document(with_first("#!/bin/bash", steps.plan)) + "}\n";
  text += "shards() { " + each + " --job-name=gvbind --array=1-" + last_shard(job) +
          " --dependency=\"afterok:$1\" --kill-on-invalid-dep=yes --requeue --open-mode=append "
          "--output=shard-%A_%a.log" +
          cores + " " + here_document(steps.shard) + "}\n";
  text += "merge() { " + each +
          " --job-name=gvbind-merge --dependency=\"afterany:$1\" --output=merge-%j.log "
          "--cpus-per-task=1 " +
          here_document(with_first("#!/bin/bash", steps.merge)) + "}\n";
  return text + "plan=$(plan)\narray=$(shards \"${plan%%;*}\")\nmerge \"${array%%;*}\"\n";
}

std::string parallel_job(const PrintedJob& job) {
  const JobSteps steps = steps_of(job, folder_word(job));
  std::string text = head(
      "Run this script: it plans, runs the shards by GNU parallel and merges. Arguments: hosts "
      "(--sshlogin), shards at a time on each.");
  text += bash_function("gvbind_plan", steps.plan);
  text += bash_function("gvbind_shard", with_first("shard=$1", steps.shard));
  text += bash_function("gvbind_merge", steps.merge);
  text += "export -f gvbind_shard\nexport PARALLEL_SHELL=/bin/bash\n(gvbind_plan) || exit\n";
  return text +
         "parallel --sshlogin \"${1:-:}\" --env gvbind_shard --jobs \"${2:-1}\" gvbind_shard ::: "
         "$(seq " +
         last_shard(job) + ")\ngvbind_merge\n";
}

std::string openjd_job(const PrintedJob& job) {
  const JobSteps steps = steps_of(job, folder_word(job));
  const auto step = [](const std::string& name, const Lines& lines, const std::string& after) {
    Json arguments = Json::array({"{{Task.File.Run}}"});
    Json one = {{"name", name}};
    if (!after.empty()) one["dependencies"] = Json::array({{{"dependsOn", after}}});
    if (name == "Bind") arguments.push_back("{{Task.Param.Shard}}");
    one["script"] = {{"actions", {{"onRun", {{"command", "bash"}, {"args", arguments}}}}},
                     {"embeddedFiles",
                      Json::array({{{"name", "Run"}, {"type", "TEXT"}, {"data", script(lines)}}})}};
    return one;
  };
  Json bind = step("Bind", with_first("shard=$1", steps.lenient_shard), "Plan");
  bind["parameterSpace"] = {
      {"taskParameterDefinitions",
       Json::array({{{"name", "Shard"},
                     {"type", "INT"},
                     {"range", job.shards == 1 ? "1" : "1-" + last_shard(job)}}})}};
  const Json text = {{"specificationVersion", "jobtemplate-2023-09"},
                     {"name", "gvbind"},
                     {"description", "A batch of gvbind " + ReportTool::program_version()},
                     {"steps", Json::array({step("Plan", steps.plan, ""), bind,
                                            step("Merge", steps.merge, "Bind")})}};
  return json_text(text);
}

std::string opencue_job(const PrintedJob& job) {
  const JobSteps steps = steps_of(job, folder_word(job));
  const auto layer = [](const char* name, const char* type, const Lines& lines,
                        const std::string& range) {
    // Cue runs this by a shell; #IFRAME# is the number of the frame.
    const std::string command =
        "/bin/bash -c " + shell_word(joined(lines, "; ")) + " gvbind #IFRAME#";
    return std::string("      <layer name=\"") + name + "\" type=\"" + type + "\">\n        <cmd>" +
           escape_html(command) + "</cmd>\n        <range>" + range +
           "</range>\n        <chunk>1</chunk>\n        "
           "<services><service>shell</service></services>\n"
           "      </layer>\n";
  };
  const auto depend = [](const char* later, const char* sooner) {
    return std::string(
               "    <depend type=\"LAYER_ON_LAYER\" "
               "anyframe=\"False\"><depjob>gvbind</depjob><deplayer>") +
           later + "</deplayer><onjob>gvbind</onjob><onlayer>" + sooner + "</onlayer></depend>\n";
  };
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE spec PUBLIC \"SPI Cue  Specification Language\" "
         "\"http://localhost:8080/spcue/dtd/cjsl-1.15.dtd\">\n"
         "<!-- A batch of gvbind " +
         ReportTool::program_version() +
         "; show, shot and user are yours to set. -->\n"
         "<spec>\n  <facility>local</facility>\n  <show>testing</show>\n  <shot>gvbind</shot>\n"
         "  <user>gvbind</user>\n  <job name=\"gvbind\">\n    <paused>False</paused>\n    "
         "<layers>\n" +
         layer("plan", "Util", steps.plan, "1") +
         layer("bind", "Render", with_first("shard=$1", steps.lenient_shard),
               "1-" + last_shard(job)) +
         layer("merge", "Post", steps.merge, "1") + "    </layers>\n  </job>\n  <depends>\n" +
         depend("bind", "plan") + depend("merge", "bind") + "  </depends>\n</spec>\n";
}

std::string deadline_job(const PrintedJob& job) {
  const std::string folder = folder_word(job);
  const std::string relative = job_folder(job);
  const std::string place =
      relative.starts_with('/') ? relative : job.directory + relative.substr(1);
  if (place.find_first_of("\"<>\\") != place.npos)
    throw Error(ErrorKind::usage, "--print-job: Deadline cannot name '" + place +
                                      "' in Arguments, for its quote, bracket or backslash; choose "
                                      "another --output");
  const JobSteps steps = steps_of(job, folder);
  std::string text = head("Run this script where deadlinecommand is: it submits three jobs.");
  text += "set -eu\ncd " + job_word(job.directory) + "\nmkdir -p " + folder + "\n";
  const auto file = [&](const std::string& name, const Lines& lines) {
    text += "cat >" + folder + "/" + name + " " + here_document(lines);
  };
  const auto submit = [&](const std::string& name, const Lines& lines, const std::string& frames,
                          const std::string& argument, const std::string& after) {
    file(name + ".sh", lines);
    file(name + ".plugin", {"Executable=/bin/bash",
                            "Arguments=<QUOTE>" + place + "/" + name + ".sh<QUOTE>" + argument,
                            "SingleFramesOnly=True"});
    file(name + ".info",
         {"Plugin=CommandLine", "Name=gvbind " + name, "Frames=" + frames, "ChunkSize=1"});
    if (!after.empty())
      text += "echo \"JobDependencies=$" + after + "\" >>" + folder + "/" + name + ".info\n";
    text += name + "=$(submit " + name + ")\n";
  };
  text += bash_function("submit", {"deadlinecommand " + folder + "/\"$1\".info " + folder +
                                   "/\"$1\".plugin | tee /dev/stderr | sed -n 's/^JobID=//p'"});
  submit("plan", steps.plan, "1", "", "");
  submit("bind", with_first("shard=$1", steps.lenient_shard), "1-" + last_shard(job),
         " <STARTFRAME>", "plan");
  submit("merge", steps.merge, "1", "", "bind");
  return text;
}

namespace {

/// A word of a command line as .NET splits it: a backslash is itself but before a quote.
std::string dotnet_word(const std::string& word) {
  std::string quoted = "\"";
  std::size_t slashes = 0;
  for (const char c : word) {
    if (c == '"') quoted.append(slashes + 1, '\\');
    slashes = c == '\\' ? slashes + 1 : 0;
    quoted += c;
  }
  return quoted.append(slashes, '\\') + "\"";
}

}  // namespace

std::string buildgraph_job(const PrintedJob& job) {
  const JobSteps steps = steps_of(job, folder_word(job));
  const auto agent = [](const std::string& name, const Lines& lines, const std::string& after) {
    const std::string requires_nodes = after.empty() ? "" : " Requires=\"" + after + "\"";
    return "  <Agent Name=\"" + name + "\" Type=\"Linux\">\n    <Node Name=\"" + name + "\"" +
           requires_nodes + ">\n      <Spawn Exe=\"/bin/bash\" Arguments=\"" +
           escape_html("-c " + dotnet_word(joined(lines, "; "))) +
           "\" />\n    </Node>\n  </Agent>\n";
  };
  std::string text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- A batch of gvbind " +
                     ReportTool::program_version() +
                     ": RunUAT BuildGraph -Script=FILE -Target=gvbind -->\n"
                     "<BuildGraph xmlns=\"http://www.epicgames.com/BuildGraph\" "
                     "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                     "xsi:schemaLocation=\"http://www.epicgames.com/BuildGraph ../Schema.xsd\">\n" +
                     agent("gvbind plan", steps.plan, "");
  std::string all;
  for (int shard = 1; shard <= job.shards; ++shard) {
    const std::string number = std::to_string(shard), name = "gvbind shard " + number;
    text += agent(name, with_first("shard=" + number, steps.lenient_shard), "gvbind plan");
    all += (all.empty() ? "" : ";") + name;
  }
  return text + agent("gvbind merge", steps.merge, all) +
         "  <Aggregate Name=\"gvbind\" Requires=\"gvbind merge\" />\n</BuildGraph>\n";
}

std::string kubernetes_job(const PrintedJob& job) {
  // Jobs of Kubernetes do not wait for one another: the first pod plans, and the last one merges.
  // The job's own id keeps the files of several runs apart.
  const std::string folder = folder_word(job) + "/\"$GVBIND_JOB\"";
  const JobSteps steps = steps_of(job, folder);
  const std::string count = last_shard(job);
  const Lines lines = {"set -eu",
                       "cd " + job_word(job.directory),
                       "let shard=JOB_COMPLETION_INDEX+1",
                       "if test $shard = 1 && test ! -s " + folder + "/stale.json; then",
                       "  (" + joined(steps.plan, "; ") + ")",
                       "fi",
                       "until test -s " + folder + "/stale.json; do sleep 2; done",
                       "(" + joined(steps.lenient_shard, "; ") + ")",
                       "set -- " + folder + "/shard-*.json",
                       "test $# -lt " + count + " || (" + joined(steps.merge, "; ") + ")"};
  const Json name = {
      {"name", "GVBIND_JOB"},
      {"valueFrom",
       {{"fieldRef", {{"fieldPath", "metadata.labels['batch.kubernetes.io/controller-uid']"}}}}}};
  const Json container = {
      {"name", "gvbind"},
      {"image", "gvbind:" + ReportTool::program_version()},
      {"command", Json::array({"/bin/bash", "-c", script(lines)})},
      {"env", Json::array({name})},
      {"volumeMounts", Json::array({{{"name", "work"}, {"mountPath", job.directory}}})}};
  const Json volume = {{"name", "work"}, {"persistentVolumeClaim", {{"claimName", "gvbind"}}}};
  const Json rule = {{"action", "FailJob"},
                     {"onExitCodes",
                      {{"containerName", "gvbind"},
                       {"operator", "In"},
                       {"values", {1, 2, 3, 4, 5, 6, 7, 8, 70}}}}};
  const Json text = {{"apiVersion", "batch/v1"},
                     {"kind", "Job"},
                     {"metadata", {{"generateName", "gvbind-"}}},
                     {"spec",
                      {{"completionMode", "Indexed"},
                       {"completions", job.shards},
                       {"parallelism", job.shards},
                       {"podFailurePolicy", {{"rules", Json::array({rule})}}},
                       {"template",
                        {{"spec",
                          {{"restartPolicy", "Never"},
                           {"containers", Json::array({container})},
                           {"volumes", Json::array({volume})}}}}}}}};
  return "# A batch of gvbind " + ReportTool::program_version() +
         ", YAML as JSON: kubectl create -f FILE. The image and the claim are yours to set.\n" +
         json_text(text);
}

std::string jenkins_job(const PrintedJob& job) {
  const JobSteps steps = steps_of(job, folder_word(job));
  // No variable is looked for between single quotes.
  const auto groovy = [](const Lines& lines) {
    std::string text;
    for (const char c : script(with_first("#!/bin/bash", lines))) {
      if (c == '\'' || c == '\\') text += '\\';
      if (c == '\n')
        text += "\\n";
      else
        text += c;
    }
    return "sh '" + text + "'";
  };
  return "// A batch of gvbind " + ReportTool::program_version() +
         ": a scripted pipeline. All nodes need the same disk.\n"
         "node {\n  stage('Plan') {\n    " +
         groovy(steps.plan) +
         "\n  }\n}\ndef shards = [:]\nfor (int i = 1; i <= " + last_shard(job) +
         "; i++) {\n  def number = i\n  shards['shard ' + number] = {\n    node {\n"
         "      withEnv(['GVBIND_SHARD=' + number]) {\n        " +
         groovy(with_first("shard=$GVBIND_SHARD", steps.lenient_shard)) +
         "\n      }\n    }\n  }\n}\nstage('Bind') {\n  parallel shards\n}\nnode {\n  "
         "stage('Merge') {\n    " +
         groovy(steps.merge) + "\n  }\n}\n";
}

}  // namespace gvbind
