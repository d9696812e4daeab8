#pragma once

#include <span>
#include <vector>

#include "fit/character_samples.h"
#include "gvbind/fitted/pair_network.h"

namespace gvbind {

struct TrainingOptions {
  std::size_t hidden = 32;     ///< width of the network, 1 to max_hidden
  int epochs = 6;              ///< 1 to 1000
  int vertices = 600;          ///< of each sample set and epoch, at most; at least 1
  int batch = 512;             ///< vertices per step; at least 1
  float rate = 6e-3f;          ///< of learning, at its highest
  float decay = 1e-3f;         ///< of numbers, per step and rate (AdamW)
  float feature_drop = 0.15f;  ///< probability that a step does not see a feature, 0..1
  float cross_entropy = 0.1f;  ///< its factor, beside the L1 distance
  unsigned seed = 0;
};

/// A network fitted on the samples, its numbers multiples of network_step. The same samples and
/// options give the same network on one machine, whatever else runs. Throws Error(cannot_bind)
/// where there is no sample.
PairNetwork train_network(std::span<const SampleSet* const> samples,
                          const TrainingOptions& options);

/// L1 between a network's shares and a character's own weights, mean over its vertices; the shares
/// are the largest `max_influences`, normalized; a bind also takes min_fitted_weight off each.
double l1_of(const PairNetwork& network, const SampleSet& samples, std::size_t max_influences = 4);

}  // namespace gvbind
