#pragma once

// Tested by tests/command/view_test.py.

#include <string>

#include "view/view_data.h"

namespace gvbind {

/// Throws Error: usage for a name without .html; output if it exists and may not be overwritten.
void check_page(const std::string& flag, const std::string& page, bool overwrite);

/// As read_view(), and prints its findings.
ViewInput read_for_page(const std::string& path, const ReadLimits& limits);

/// Throws Error(cannot_bind) if one of the files has no skin, or they have nothing in common.
ViewComparison page_comparison(const ViewInput& input, const ViewInput& other);

/// Whether a line "FILE -> PAGE" goes to stdout.
enum class Announce { no, yes };

/// Writes a page. Throws Error: as view_data(), and output.
void write_page(const ViewInput& input, const ViewExtras& extras, const std::string& page,
                Announce announce);

/// Writes a page of the file; nothing if `page` is empty. Throws Error: as read_view(), and output.
void write_page_of(const std::string& path, const ReadLimits& limits, const std::string& page,
                   Announce announce);

}  // namespace gvbind
