#include "gvbind/onward_steps.h"

namespace gvbind {

namespace {

/// Two steps, the first into the voxel in question.
struct TwoSteps {
  const StepLengths& steps;
  Step first, second;

  int last_axes() const { return axes_of(direction_of(second)); }
  std::uint64_t length(bool boundary_between, bool boundary_after) const {
    return steps.same_size(0, boundary_between, axes_of(direction_of(first))) +
           steps.same_size(0, boundary_after, last_axes());
  }
};

bool straight_is_shorter(const TwoSteps& way, bool boundary, bool into_boundary) {
  const Step sum = way.first + way.second;
  if (!is_direction(sum)) return false;
  const int direction = direction_of(sum);
  return direction == nowhere || way.steps.same_size(0, into_boundary, axes_of(direction)) <
                                     way.length(boundary, into_boundary);
}

/// Whether `other`, through a voxel that is a boundary one or not, makes `way` needless.
bool is_as_good(const TwoSteps& other, bool other_boundary, const TwoSteps& way, bool boundary,
                bool into_boundary) {
  const std::uint64_t length = way.length(boundary, into_boundary);
  const std::uint64_t other_length = other.length(other_boundary, into_boundary);
  return other_length < length || (other_length == length && other.last_axes() < way.last_axes());
}

}  // namespace

// Lengths of level 0 speak for all: larger voxels are no boundary voxels, and there ways are
// either of the same steps, and equal, or differ by far more than rounding.
OnwardSteps::OnwardSteps(const StepLengths& steps) {
  for (int boundary = 0; boundary < 2; ++boundary)
    for (int before = 0; before < direction_count; ++before)
      for (int into_boundary = 0; into_boundary < 2; ++into_boundary) {
        Came& table = came_[boundary][before];
        if (before == nowhere) continue;
        const Step came = Step{0, 0, 0} - step_of(before);
        for (int to = 0; to < direction_count; ++to) {
          if (to == nowhere) continue;
          const TwoSteps way{steps, came, step_of(to)};
          if (straight_is_shorter(way, boundary, into_boundary)) continue;
          table.open[into_boundary] |= 1u << to;
          for (int first = 0; first < direction_count; ++first) {
            const Step second = way.first + way.second - step_of(first);
            const Step aside = step_of(first) - came;
            if (first == nowhere || !is_direction(second) || direction_of(second) == nowhere ||
                !is_direction(aside) || direction_of(aside) == nowhere)
              continue;
            const TwoSteps other{steps, step_of(first), second};
            const Directions bit = 1u << direction_of(aside);
            Around& around = table.around[into_boundary][to];
            if (is_as_good(other, false, way, boundary, into_boundary)) around.plain |= bit;
            if (is_as_good(other, true, way, boundary, into_boundary)) around.boundary |= bit;
          }
        }
      }
}

}  // namespace gvbind
