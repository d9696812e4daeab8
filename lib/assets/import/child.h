#pragma once

// Tested by tests/import/child_process_test.cpp.

#include <cstdint>
#include <functional>
#include <vector>

#include "assets/child_process.h"

namespace gvbind {

/// Runs `work` in a forked copy of this process and returns its bytes, which are to be read as if a
/// stranger had sent them. What `work` prints goes nowhere, and its std::exception comes back as
/// Error(input) with the same text, cut to one line. Also Error(input): a signal, an assert.
/// Error(time_limit), Error(resource): a limit that was hit, or no process to be had. Messages name
/// no file.
std::vector<std::uint8_t> run_in_child(const std::function<std::vector<std::uint8_t>()>& work,
                                       const ChildLimits& limits = {});

}  // namespace gvbind
