#pragma once

// Tested by tests/python/module_test.py.

#include <functional>
#include <string>
#include <vector>

#include "gvbind/error.h"
#include "gvbind/monitor.h"
#include "report/report_json.h"

namespace gvbind {

/// Arguments that follow the name of a command, with the same defaults and errors.
using Words = std::vector<std::string>;

/// "usage", "input", "cannot_bind", ...
const char* name_of(ErrorKind kind);

/// Binds one file as the command does, prints nothing, and returns the report of --report. Uses the
/// thread and memory limits of the options without limiting the process. Throws Error, and rethrows
/// exceptions of `progress`.
Json call_bind(const Words& words, const Progress& progress);

/// Converts one file as the command does: the report of --json. Throws Error.
Json call_convert(const Words& words);

/// Gives garments the weights of a body as the command does. Throws Error.
Json call_transfer(const Words& words);

/// Gives one mesh a skeleton and weights as the command does: the report of --json. Throws Error.
Json call_rig(const Words& words);

/// Refines the weights of one file as the command does: the report of --json. Throws Error.
Json call_refine(const Words& words);

/// Checks files as the command does and returns the report of --report. Throws Error, also for a
/// single file that cannot be read.
Json call_check(const Words& words);

}  // namespace gvbind
