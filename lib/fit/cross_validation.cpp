#include "fit/cross_validation.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <random>
#include <set>

#include "gvbind/base/parallel.h"
#include "gvbind/error.h"

namespace gvbind::fit {

std::vector<int> folds_of(std::span<const CharacterSamples> characters, int folds, unsigned seed) {
  std::set<std::string> names;
  for (const CharacterSamples& character : characters) names.insert(character.group);
  if (names.size() < 2)
    throw Error(ErrorKind::cannot_bind,
                "all characters are of one author, so that nothing is left to judge them by; "
                "--by file judges each by the others, --folds 0 judges none");
  std::vector<std::string> groups(names.begin(), names.end());
  std::mt19937 random(seed);
  std::ranges::shuffle(groups, random);
  std::map<std::string, int> fold;
  const int count = std::min(folds, static_cast<int>(groups.size()));
  for (std::size_t i = 0; i < groups.size(); ++i) fold[groups[i]] = static_cast<int>(i) % count;
  std::vector<int> of_character;
  for (const CharacterSamples& character : characters)
    of_character.push_back(fold.at(character.group));
  return of_character;
}

std::vector<const SampleSet*> training_sets(std::span<const CharacterSamples> characters,
                                            std::span<const int> fold_of, int fold) {
  std::vector<const SampleSet*> sets;
  for (std::size_t i = 0; i < characters.size(); ++i)
    if (fold < 0 || fold_of[i] != fold) {
      sets.push_back(&characters[i].whole);
      sets.push_back(&characters[i].reduced);
    }
  return sets;
}

FitResult fit_network(std::span<const CharacterSamples> characters, const TrainingOptions& options,
                      int folds, const std::function<void(int done, int of)>& fitted) {
  FitResult result;
  int count = 0;
  if (folds > 0) {
    result.fold = folds_of(characters, folds, options.seed);
    count = *std::ranges::max_element(result.fold) + 1;
  }
  const auto networks = static_cast<std::size_t>(options.networks);
  const auto tasks = static_cast<int>(networks) * (count + 1);
  result.fitted.networks.resize(networks);
  result.fold_fitted.assign(static_cast<std::size_t>(count), result.fitted);
  std::mutex mutex;
  int done = 0;
  const auto fit = [&](int fold, std::size_t member) {
    TrainingOptions own = options;
    own.seed += static_cast<unsigned>(member);
    PairNetwork network = train_network(training_sets(characters, result.fold, fold), own);
    const std::scoped_lock lock(mutex);
    FittedNetworks& of = fold < 0 ? result.fitted : result.fold_fitted[fold];
    of.networks[member] = std::move(network);
    if (fitted) fitted(++done, tasks);
  };
  parallel_for(static_cast<std::size_t>(tasks), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) fit(static_cast<int>(i / networks) - 1, i % networks);
  });
  for (std::size_t i = 0; count > 0 && i < characters.size(); ++i) {
    const CharacterSamples& character = characters[i];
    const FittedNetworks& of = result.fold_fitted[result.fold[i]];
    result.verdicts.push_back(
        {character.name, character.group, l1_of(of, character.whole), character.whole.falloff_l1});
  }
  return result;
}

MeanL1 mean_by_character(std::span<const CharacterVerdict> verdicts) {
  MeanL1 mean;
  for (const CharacterVerdict& verdict : verdicts) {
    mean.fitted += verdict.fitted_l1 / static_cast<double>(verdicts.size());
    mean.falloff += verdict.falloff_l1 / static_cast<double>(verdicts.size());
  }
  return mean;
}

MeanL1 mean_by_group(std::span<const CharacterVerdict> verdicts) {
  std::map<std::string, std::vector<CharacterVerdict>> groups;
  for (const CharacterVerdict& verdict : verdicts) groups[verdict.group].push_back(verdict);
  MeanL1 mean;
  for (const auto& [name, members] : groups) {
    const MeanL1 of_group = mean_by_character(members);
    mean.fitted += of_group.fitted / static_cast<double>(groups.size());
    mean.falloff += of_group.falloff / static_cast<double>(groups.size());
  }
  return mean;
}

}  // namespace gvbind::fit
