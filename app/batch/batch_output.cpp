#include "batch/batch_output.h"

#include <array>
#include <cstdio>

#include "gvbind/error.h"
#include "report.h"
#include "report/github.h"
#include "report/html_page.h"
#include "report/junit_xml.h"

namespace gvbind {

namespace {

std::string page_of(const BatchCommand& command, const Report& report) {
  PageOptions options;
  options.picture = pictures_below(command.output);
  return html_page(report, options);
}

}  // namespace

FailOn fail_on_of(const BatchCommand& command) {
  const BindSettings settings = resolve_settings({&command.overrides}).settings;
  return settings.fail_never ? FailOn() : FailOn(settings.fail_on);
}

bool write_reports(const BatchCommand& command, const Report& full) {
  // Reports of ten thousand assets are not to be copied for nothing.
  const Report stripped = command.timings ? Report() : strip_timings(full);
  const Report& report = command.timings ? full : stripped;
  bool written = true;
  const auto attempt = [&](const std::string& target, const auto& write) {
    if (target.empty()) return;
    try {
      write();
    } catch (const Error& error) {
      written = false;
      std::fprintf(stderr, "error: %s\n", error.what());
    }
  };
  attempt(command.report, [&] { write_text(report_text(report), command.report, true); });
  attempt(command.junit,
          [&] { write_text_file(junit_xml(report, fail_on_of(command)), command.junit, true); });
  attempt(command.html, [&] { write_text_file(page_of(command, report), command.html, true); });
  tell_github(report);
  return written;
}

void tell_summary(const BatchCommand& command, const Report& report) {
  if (command.quiet) return;
  std::string line;
  for (const auto& [member, words] :
       {std::pair{"done", command.dry_run ? "to bind" : "done"},
        std::pair{"up_to_date", "up to date"}, std::pair{"skipped", "skipped"},
        std::pair{"failed", "failed"}, std::pair{"interrupted", "interrupted"}}) {
    const auto count = report.at(member).get<std::size_t>();
    const bool always = std::string(member) == "done" || std::string(member) == "failed";
    if (count > 0 || always)
      line += (line.empty() ? "" : ", ") + std::to_string(count) + " " + words;
  }
  std::array<char, 32> time{};
  std::snprintf(time.data(), time.size(), " in %.1f s", report.at("seconds").get<double>());
  std::fprintf(command.report == "-" ? stderr : stdout, "%s%s\n", line.c_str(), time.data());
}

}  // namespace gvbind
