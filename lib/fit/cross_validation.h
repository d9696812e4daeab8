#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fit/character_samples.h"
#include "fit/network_training.h"

namespace gvbind::fit {

/// Evaluation of a character by networks trained on other groups only.
struct CharacterVerdict {
  std::string name, group;
  double fitted_l1 = 0.0, falloff_l1 = 0.0;
};

/// Networks trained on all characters, and their expected quality.
struct FitResult {
  FittedNetworks fitted;
  std::vector<CharacterVerdict> verdicts;   ///< in the order of the characters; empty without folds
  std::vector<int> fold;                    ///< by character
  std::vector<FittedNetworks> fold_fitted;  ///< by fold, trained on the others
};

/// The fold of each character; characters of one group share a fold. At most as many folds as
/// groups.
std::vector<int> folds_of(std::span<const CharacterSamples> characters, int folds, unsigned seed);

/// Training data for the network of a fold; fold -1: all.
std::vector<const SampleSet*> training_sets(std::span<const CharacterSamples> characters,
                                            std::span<const int> fold_of, int fold);

/// Trains `options.networks` networks per fold and as many on all characters, in parallel. `folds`:
/// 0 or at least 2. `fitted` is called after each network with the number done and the total, from
/// any thread, one at a time. Throws Error(cannot_bind) if folds are requested and all characters
/// belong to one group.
FitResult fit_network(std::span<const CharacterSamples> characters, const TrainingOptions& options,
                      int folds, const std::function<void(int done, int of)>& fitted = {});

/// Means over the characters, and over the groups' means.
struct MeanL1 {
  double fitted = 0.0, falloff = 0.0;
};
MeanL1 mean_by_character(std::span<const CharacterVerdict> verdicts);
MeanL1 mean_by_group(std::span<const CharacterVerdict> verdicts);

}  // namespace gvbind::fit
