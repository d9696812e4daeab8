#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/rules_file.h"
#include "gvbind/error.h"
#include "round_trip.h"
#include "rule_scene.h"

namespace {

using namespace gvbind;
namespace fs = std::filesystem;

/// Gone with the process.
struct RulesPath {
  fs::path path =
      fs::temp_directory_path() / ("gvbind_fuzz_rules_" + std::to_string(getpid()) + ".toml");
  ~RulesPath() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const RulesPath rules;
  const fuzz::TimeLimit limit;
  std::ofstream(rules.path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
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
