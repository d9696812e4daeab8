#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "fit/character_samples.h"
#include "gvbind/fitted/pair_features.h"
#include "gvbind/fitted/pair_network.h"

namespace gvbind::test {

/// Vertices with weights by a known rule: the softmax of some of their features.
inline fit::SampleSet made_up_set(unsigned seed, std::size_t vertices) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  fit::SampleSet set;
  for (std::size_t v = 0; v < vertices; ++v) {
    const std::size_t pairs = 2 + random() % 5;
    std::vector<float> score(pairs);
    for (std::size_t p = 0; p < pairs; ++p) {
      const std::size_t at = set.features.size();
      for (std::size_t f = 0; f < pair_feature_count; ++f) set.features.push_back(uniform(random));
      set.features[at] = std::abs(set.features[at]);
      score[p] = 3.0f * set.features[at + 1] - 4.0f * set.features[at];
    }
    softmax(score, score);
    set.own.insert(set.own.end(), score.begin(), score.end());
    set.first.push_back(static_cast<std::uint32_t>(set.own.size()));
    set.elsewhere.push_back(0.0f);
  }
  set.falloff_l1 = 1.0;
  return set;
}

inline fit::CharacterSamples made_up_character(const std::string& group, unsigned seed,
                                               std::size_t vertices = 150) {
  return {group + "_" + std::to_string(seed), group, made_up_set(2 * seed, vertices),
          made_up_set(2 * seed + 1, vertices / 2)};
}

}  // namespace gvbind::test
