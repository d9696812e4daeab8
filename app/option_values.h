#pragma once

#include <string>

#include "gvbind/finding.h"

namespace gvbind {

// Texts of the command line into values. Each throws Error(usage) that names the flag and what it
// takes.

double parse_number(const std::string& flag, const std::string& text, double low, double high);
int parse_resolution(const std::string& text);
int parse_max_influences(const std::string& text);  ///< 0 for "all"
unsigned parse_views(const std::string& text);      ///< bits of ViewBit
void parse_fail_on(const std::string& text, Severity& fail_on, bool& never);

}  // namespace gvbind
