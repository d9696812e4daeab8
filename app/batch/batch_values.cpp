#include "batch/batch_values.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "cli/option_values.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

[[noreturn]] void refuse_value(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

std::optional<int> read_int(std::string_view text) {
  int value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

int slurm_number(const Environment& environment, const char* name) {
  const char* text = environment(name);
  if (!text)
    refuse_value("--shard: 'auto' needs a Slurm array, and " + std::string(name) +
                 " is not set; use --shard I/N");
  const std::optional<int> value = read_int(text);
  if (!value)
    refuse_value("--shard: " + std::string(name) + " is '" + text + "', which is not a number");
  return *value;
}

Shard slurm_shard(const Environment& environment) {
  const int id = slurm_number(environment, "SLURM_ARRAY_TASK_ID");
  const int first = slurm_number(environment, "SLURM_ARRAY_TASK_MIN");
  const int last = slurm_number(environment, "SLURM_ARRAY_TASK_MAX");
  const int count = slurm_number(environment, "SLURM_ARRAY_TASK_COUNT");
  const bool has_step = environment("SLURM_ARRAY_TASK_STEP") != nullptr;
  const int step = has_step ? slurm_number(environment, "SLURM_ARRAY_TASK_STEP") : 1;
  const std::string array = std::to_string(first) + " to " + std::to_string(last) + " by " +
                            std::to_string(step) + ", " + std::to_string(count) + " tasks";
  const auto ambiguous = [&](const std::string& why) {
    refuse_value("--shard: the Slurm array (" + array + ") " + why +
                 ", so 'auto' cannot number the shards; use --shard I/N");
  };
  if (first != 0 && first != 1) ambiguous("does not begin at 0 or 1");
  if (step < 1 || last < first || (static_cast<long long>(last) - first) / step + 1 != count)
    ambiguous("has holes");
  if (id < first || id > last || (id - first) % step != 0)
    ambiguous("does not hold task " + std::to_string(id));
  return {(id - first) / step + 1, count};
}

}  // namespace

Rerun parse_rerun(const std::string& text) {
  if (text == "changed") return Rerun::changed;
  if (text == "failed") return Rerun::failed;
  if (text == "all") return Rerun::all;
  refuse_choice("--rerun", text, {"changed", "failed", "all"});
}

Shard parse_shard(const std::string& text, const Environment& environment) {
  if (text == "auto") return slurm_shard(environment);
  const std::size_t slash = text.find('/');
  const std::string_view all = text;
  const auto index = read_int(all.substr(0, slash));
  const auto count = slash == std::string::npos ? std::nullopt : read_int(all.substr(slash + 1));
  if (!index || !count || *count < 1 || *index < 1 || *index > *count)
    refuse_value("--shard: '" + text + "' is neither I/N with I from 1 to N, nor 'auto'");
  return {*index, *count};
}

}  // namespace gvbind
