#pragma once

// Tested by tests/unit/batch/batch_values_test.cpp.

#include <cstdint>
#include <string>
#include <vector>

#include "character/selection.h"
#include "gvbind/finding.h"

namespace gvbind {

// Texts of the command line into values. Each throws Error(usage) that names the flag and the
// accepted values.

double parse_number(const std::string& flag, const std::string& text, double low, double high);
std::uint64_t parse_count(const std::string& flag, const std::string& text, std::uint64_t low,
                          std::uint64_t high);
enum class AutoResolution { no, yes };
/// `known`: whether the flag takes "auto" as well, which the message names then.
int parse_resolution(const std::string& text, AutoResolution known = AutoResolution::yes);
int parse_max_influences(const std::string& text);  ///< 0 for "all"
int parse_max_joints(const std::string& text);
unsigned parse_views(const std::string& text);  ///< bits of ViewBit
/// "8G", "512M", "1.5g", "4096": bytes, with suffixes of 1024. `flag` is "--max-memory".
std::uint64_t parse_size(const std::string& flag, const std::string& text);

/// "90", "90s", "10m", "1.5h": seconds, more than 0.
double parse_duration(const std::string& flag, const std::string& text);

void parse_fail_on(const std::string& text, Severity& fail_on, bool& never);
/// For commands that bind: also takes "worse-than-before", which is "error" and sets `worse`.
void parse_bind_fail_on(const std::string& text, Severity& fail_on, bool& never, bool& worse);

/// Throws Error(usage): "--leaf: 'surfac' is not one of extend, ignore, point, surface; did you
/// mean 'surface'?".
[[noreturn]] void refuse_choice(const std::string& flag, const std::string& text,
                                const std::vector<std::string>& known);

/// For values that may be files too: "--weights: 'fited' is not one of fitted, heat, and no file
/// of this name is there; did you mean 'fitted'?".
[[noreturn]] void refuse_choice_or_file(const std::string& flag, const std::string& text,
                                        const std::vector<std::string>& known);

}  // namespace gvbind
