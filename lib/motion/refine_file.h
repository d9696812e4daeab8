#pragma once

// Tested by tests/command/refine_test.py.

#include <filesystem>
#include <vector>

#include "bind/input_file.h"
#include "gvbind/refine.h"
#include "motion/refine_weights.h"

// A refinement is a sequence of functions on a file:
//   RefineInput input = read_refine(request);
//   RefinedWeights refined = write_refined(request, input);
// refine_file() is the same for programs.

namespace gvbind::motion {

struct RefineRequest {
  std::filesystem::path input, output;
  RefineOptions fit = {};
  bool by_cells = false;
  std::filesystem::path cells = {};  ///< file for the cells; empty: none
  AssetOptions reading = {};
  bool overwrite = false;
};

/// A file with a skin, and the poses that it is fitted to.
struct RefineInput {
  InputFile file;
  PoseSource poses;   ///< of the file's clips
  Findings findings;  ///< "motion-damaged" for clips that are left out
};

/// Refuses outputs that cannot be written, and reads the input. Throws Error: usage, input,
/// resource, output, cannot_bind.
RefineInput read_refine(const RefineRequest& request);

/// Fits the weights and writes both files or none. Throws Error: cannot_bind, output.
RefinedWeights write_refined(const RefineRequest& request, RefineInput& input);

}  // namespace gvbind::motion
