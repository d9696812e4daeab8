#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace gvbind {

struct ChildLimits {
  std::size_t memory_bytes = std::size_t{4} << 30;  ///< address space beyond what we hold already
  int cpu_seconds = 60;                             ///< 1 or more
  int wall_seconds = 120;                           ///< 1 or more
  std::size_t answer_bytes = std::size_t{2} << 30;  ///< what it may hand back
};

/// Runs `work` in a forked copy of this process and returns its bytes, which are to be read as if a
/// stranger had sent them. What `work` prints goes nowhere, and its std::exception comes back as
/// Error(input) with the same text, cut to one line. Also Error(input): a signal, an assert.
/// Error(time_limit), Error(resource): a limit that was hit, or no process to be had. Messages name
/// no file.
std::vector<std::uint8_t> run_in_child(const std::function<std::vector<std::uint8_t>()>& work,
                                       const ChildLimits& limits = {});

}  // namespace gvbind
