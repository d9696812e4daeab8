#pragma once

// Tested by tests/unit/gvbind/bind_skin_test.cpp.

#include <functional>
#include <span>
#include <vector>

#include "gvbind/bind_skin.h"
#include "gvbind/distance/character_distances.h"

namespace gvbind {

/// Runs stages in turn, reports each to the monitor and keeps its time. Throws Error(canceled)
/// between them.
class StageClock {
 public:
  /// `stages`: how many there will be. Keeps references.
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

/// The stages of a bind: those of character_distances(), and "weights".
constexpr int bind_stages = 8;

/// Throws Error(cannot_bind) for more joints than labels can tell apart.
void require_joint_count(std::size_t joints);

/// Throws Error(usage) for options out of their range, cannot_bind for joints in a wrong order or
/// too many.
void validate(const BindOptions& options, std::span<const Joint> joints);

/// What prepare_character() needs to know of the options.
CharacterOptions character_options(const BindOptions& options);

/// Labels of a voxel that these options weigh by; 0: of all joints.
int labels_per_voxel(const BindOptions& options);

/// Of every region of the options, the distances of its joints alone. `voxels`: with their
/// neighbors.
std::vector<RegionField> region_fields(const SparseVoxels& voxels, std::span<const Seed> seeds,
                                       std::size_t joints, const BindOptions& options);

/// Stages "boundary" to "distances" (sections 4 to 6). Adds to the statistics and findings of
/// `result`.
CharacterDistances character_distances(Character character, std::span<const Joint> joints,
                                       const BindOptions& options, StageClock& clock,
                                       BindResult& result);

/// Calls `work` with at most so many threads (0: as many as there are), such that it ends soon with
/// Error(canceled) when the monitor's stop is requested. Memory that cannot be had becomes
/// Error(resource).
void run_monitored(const BindOptions& options, const Monitor& monitor,
                   const std::function<void()>& work);

/// bind_skin() for a character prepared from the joints with character_options(options), for those
/// who ask it for its feature sizes first.
BindResult bind_character(Character&& character, std::span<const Joint> joints,
                          const BindOptions& options = {}, const Monitor& monitor = {});

}  // namespace gvbind
