#include <cstddef>
#include <cstdint>
#include <string>

#include "cli/rules_file.h"
#include "gvbind/error.h"
#include "round_trip.h"
#include "rule_scene.h"

namespace {

using namespace gvbind;
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFile rules("fuzz_rules");
  const fuzz::TimeLimit limit;
  rules.put(data, size);
  fuzz::accepts([&] {
    std::vector<RulesEntry> entries;
    try {
      entries = read_rules(rules.path.string());
    } catch (const Error& error) {
      fuzz::require(
          error.kind() == ErrorKind::usage && fuzz::names_line(error.what(), rules.path.string()),
          "a refusal names the file and the line");
      throw;
    }
    BindSettings settings, again;
    for (const RulesEntry& entry : entries) entry.option->apply(settings, entry.values);
    for (const BindOption& option : bind_options()) {
      const auto values = option.values(settings);
      if (!values.empty()) option.apply(again, values);
      fuzz::require(option.expands || option.values(again) == values,
                    "values that an option has give the same settings");
    }
  });
  return 0;
}
