#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fit/character_samples.h"
#include "fit/network_training.h"

namespace gvbind {

/// A character, judged by a network that was fitted on others' characters alone.
struct CharacterVerdict {
  std::string name, group;
  double fitted_l1 = 0.0, falloff_l1 = 0.0;
};

/// A network fitted on all characters, and what to expect of it.
struct FitResult {
  PairNetwork network;
  std::vector<CharacterVerdict> verdicts;  ///< in the order of the characters; none without folds
  std::vector<int> fold;                   ///< of each character
  std::vector<PairNetwork> fold_networks;  ///< of each fold, fitted on the others
};

/// The fold of each character: characters of one group share theirs. No more folds than groups.
std::vector<int> folds_of(std::span<const CharacterSamples> characters, int folds, unsigned seed);

/// What the network of a fold is fitted on; fold -1: all.
std::vector<const SampleSet*> training_sets(std::span<const CharacterSamples> characters,
                                            std::span<const int> fold_of, int fold);

/// Fits a network for each fold and one on all, as many at once as there are threads. `folds`: 0 or
/// at least 2. `fitted` is told after each network how many of how many there are; from any thread,
/// one at a time. Throws Error(cannot_bind) where folds are asked for and all characters are of one
/// group.
FitResult fit_network(std::span<const CharacterSamples> characters, const TrainingOptions& options,
                      int folds, const std::function<void(int done, int of)>& fitted = {});

/// Means over the characters, and over the groups' means.
struct MeanL1 {
  double fitted = 0.0, falloff = 0.0;
};
MeanL1 mean_by_character(std::span<const CharacterVerdict> verdicts);
MeanL1 mean_by_group(std::span<const CharacterVerdict> verdicts);

}  // namespace gvbind
