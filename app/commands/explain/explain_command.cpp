// Tested by tests/command/help_test.py.

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "cli/help_formatter.h"
#include "cli/option_values.h"
#include "common/console.h"
#include "gvbind/error.h"
#include "report/finding_kinds.h"

namespace gvbind {

namespace {

struct ExplainCommand {
  std::vector<std::string> codes;  ///< of findings; empty: all
};

std::string table(std::size_t width) {
  std::size_t column = 0;
  for (const FindingKind& kind : finding_kinds()) column = std::max(column, kind.code.size() + 2);
  std::string text;
  for (const FindingKind& kind : finding_kinds())
    text += two_columns(std::string(kind.code),
                        std::string(kind.severity).append(": ").append(kind.one), column, width);
  return text + "\n" + wrapped("'gvbind explain CODE' explains one and its remedy.", width) + "\n";
}

/// Sections of the documentation page that lists a fix for each fault.
constexpr auto fixes = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"bleed", "fingers"},
    {"dead-joint", "feet"},
    {"far-joint", "hair"},
    {"joint-without-vertices", "feet"},
    {"parts-joined", "sword"},
    {"rigid-parts", "feet"},
    {"stretch", "armpit"},
    {"surfaces-too-thin", "fingers"},
    {"surfaces-touch", "fingers"},
});

std::string explanation(const std::string& code, std::size_t width) {
  const FindingKind* kind = find_finding_kind(code);
  if (!kind) {
    std::vector<std::string> known;
    for (const FindingKind& each : finding_kinds()) known.emplace_back(each.code);
    throw Error(ErrorKind::usage, "no finding has the code '" + code + "'" +
                                      nearest_name_hint(code, known) +
                                      "; 'gvbind explain' lists all codes");
  }
  const auto paragraph = [&](const std::string& text) { return wrapped(text, width) + "\n"; };
  std::string text =
      paragraph(std::string(kind->code).append(" (").append(kind->severity).append(")")) + "\n" +
      paragraph(std::string(kind->meaning)) + "\n" +
      paragraph("What to do: " + std::string(kind->remedy));
  for (const auto& [of, section] : fixes)
    if (of == code) text += "\n" + paragraph("See docs/fix.md#" + std::string(section));
  return text;
}

/// Returns the exit code of the process.
int run_explain(const ExplainCommand& command) {
  const std::size_t width = terminal_width(stdout);
  std::string text;
  for (const std::string& code : command.codes)
    text += (text.empty() ? "" : "\n") + explanation(code, width);
  print_verbatim(stdout, command.codes.empty() ? table(width) : text);
  return 0;
}

}  // namespace

Subcommand add_explain(CLI::App& app) {
  const auto command = std::make_shared<ExplainCommand>();
  CLI::App* explain =
      app.add_subcommand("explain", "Explain a finding: its meaning and its remedy");
  std::string codes;
  for (const FindingKind& kind : finding_kinds())
    codes.append(codes.empty() ? "" : "|").append(kind.code);
  explain
      ->add_option("CODE", command->codes,
                   "As it stands in brackets after a finding: joint-outside [all, in a list]")
      ->type_name(codes);
  return {explain, [command] { return run_explain(*command); }};
}

}  // namespace gvbind
