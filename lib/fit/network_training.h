#pragma once

#include <span>
#include <vector>

#include "fit/character_samples.h"
#include "gvbind/fitted/pair_network.h"

namespace gvbind::fit {

struct TrainingOptions {
  int networks = 3;            ///< whose scores are averaged, 1 to max_networks
  std::size_t hidden = 32;     ///< width of a network, 1 to max_hidden
  int epochs = 6;              ///< 1 to 1000
  int vertices = 600;          ///< per sample set and epoch, at most; at least 1
  int batch = 512;             ///< vertices per step; at least 1
  float rate = 6e-3f;          ///< maximum learning rate
  float decay = 1e-3f;         ///< weight decay per step, times the rate (AdamW)
  float feature_drop = 0.15f;  ///< probability that a feature is hidden in a step, 0..1
  float cross_entropy = 0.1f;  ///< factor of the cross entropy, added to the L1 distance
  unsigned seed = 0;           ///< of the first network; each further one adds one
};

/// Trains a network on the samples; its numbers are multiples of network_step. The result depends
/// only on samples and options on a given machine. Throws Error(cannot_bind) without samples.
PairNetwork train_network(std::span<const SampleSet* const> samples,
                          const TrainingOptions& options);

/// Mean L1 distance between the networks' shares and a character's own weights over its vertices.
/// The shares are the largest `max_influences`, normalized; a bind also subtracts min_fitted_weight
/// from each.
double l1_of(const FittedNetworks& fitted, const SampleSet& samples,
             std::size_t max_influences = 4);

}  // namespace gvbind::fit
