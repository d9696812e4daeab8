#pragma once

// Tested by tests/unit/gvbind/bind_skin_test.cpp.

#include <functional>
#include <span>
#include <vector>

#include "gvbind/bind_skin.h"
#include "gvbind/distance/character_distances.h"

namespace gvbind {

/// Runs stages, reports each to the monitor and measures its time. Throws Error(canceled) between
/// them.
class StageClock {
 public:
  /// `stages`: their number. Keeps references to the arguments.
  StageClock(std::vector<StageTime>& times, const Monitor& monitor, int stages)
      : times_(times), monitor_(monitor), stages_(stages) {}

  template <class Stage>
  auto run(const char* name, const Stage& stage) {
    begin(name);
    auto result = stage();
    end(name);
    return result;
  }

 private:
  void begin(const char* name);
  void end(const char* name);

  std::vector<StageTime>& times_;
  const Monitor& monitor_;
  int stages_;
  double started_ = 0.0;  ///< seconds
};

/// The stages of a bind: those of character_distances(), then "weights".
constexpr int bind_stages = 8;

/// Throws Error(cannot_bind) for more joints than a label can hold.
void require_joint_count(std::size_t joints);

/// Throws Error(usage) for options out of range, Error(cannot_bind) for joints out of order or too
/// many.
void validate(const BindOptions& options, std::span<const Joint> joints);

/// Throws Error(usage) for a falloff out of range.
void validate(const Falloff& falloff, std::size_t joints);

/// The options that prepare_character() needs.
CharacterOptions character_options(const BindOptions& options);

/// Labels per voxel that these options need; 0: all joints.
int labels_per_voxel(const BindOptions& options);

/// For every region of the options, the distances of its joints alone. `voxels`: with their
/// neighbors.
std::vector<RegionField> region_fields(const SparseVoxels& voxels, std::span<const Seed> seeds,
                                       std::size_t joints, const BindOptions& options);

/// Stages "boundary" to "distances" (sections 4 to 6). Adds to the statistics and findings of
/// `result`.
CharacterDistances character_distances(Character character, std::span<const Joint> joints,
                                       const BindOptions& options, StageClock& clock,
                                       BindResult& result);

/// Calls `work` with at most this many threads (0: all available). A stop request of the monitor
/// ends it soon with Error(canceled). Failed allocations become Error(resource).
void run_monitored(const BindOptions& options, const Monitor& monitor,
                   const std::function<void()>& work);

/// bind_skin() for a character already prepared with character_options(options), for callers that
/// need its feature sizes first.
BindResult bind_character(Character&& character, std::span<const Joint> joints,
                          const BindOptions& options = {}, const Monitor& monitor = {});

}  // namespace gvbind
