#include "gvbind/fitted/painted_pairs.h"

#include <algorithm>
#include <array>

#include "gvbind/base/portable_log.h"
#include "gvbind/fitted/pair_network.h"

namespace gvbind {

namespace {

constexpr float far_away = 12.0f;     // squared distance from where pairs do not count
constexpr std::size_t chunk = 14;     // features between two looks whether a block is far away
constexpr float least_share = 1e-5f;  // of a joint that the artist left out
static_assert(point_number_count % chunk == 0);

using Block = std::array<float, pair_block>;

bool add_squares(const float* block, const float* x, Block& square) {
  for (std::size_t f = 0; f < point_number_count; f += chunk) {
    for (std::size_t g = f; g < f + chunk; ++g)
      for (std::size_t i = 0; i < pair_block; ++i) {
        const float d = block[g * pair_block + i] - x[g];
        square[i] += d * d;
      }
    if (*std::ranges::min_element(square) > far_away) return false;
  }
  return true;
}

float mean_difference(const PaintedPairs::OfJoint& of, float prior, const float* x) {
  float weights = prior, sum = 0.0f;
  for (std::size_t begin = 0; begin < of.difference.size(); begin += pair_block) {
    Block square{};
    if (!add_squares(of.point.data() + begin * point_number_count, x, square)) continue;
    for (std::size_t i = 0; i < pair_block; ++i) {
      if (square[i] > far_away) continue;
      const float weight = portable_exp(-square[i]);
      weights += weight;
      sum += weight * of.difference[begin + i];
    }
  }
  return sum / weights;
}

}  // namespace

std::string joint_key(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  if (colon != name.npos) name.remove_prefix(colon + 1);
  std::string key;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
    const bool other = (c >= '0' && c <= '9') || (static_cast<unsigned char>(c) & 0x80u) != 0;
    if (upper) key += static_cast<char>(c - 'A' + 'a');
    if (lower || other) key += c;
  }
  return key;
}

std::vector<int> painted_joints(const PaintedPairs& painted, std::span<const Joint> joints) {
  std::vector<int> place;
  for (const Joint& joint : joints) {
    const std::string key = joint_key(joint.name);
    const auto at = std::ranges::lower_bound(painted.joints, key, {}, &PaintedPairs::OfJoint::key);
    const bool found = !key.empty() && at != painted.joints.end() && at->key == key;
    place.push_back(found ? static_cast<int>(at - painted.joints.begin()) : -1);
  }
  return place;
}

void correct_scores(const PaintedPairs& painted, std::span<const float> features,
                    std::span<const int> place, std::span<float> scores) {
  if (std::ranges::all_of(place, [](int p) { return p < 0; })) return;
  softmax(scores, scores);
  std::array<float, point_number_count> x;
  for (std::size_t p = 0; p < scores.size(); ++p) {
    if (place[p] < 0) continue;
    const float* const of_pair = features.data() + p * pair_feature_count;
    for (std::size_t f = 0; f < x.size(); ++f) x[f] = of_pair[f] * painted.scale[f];
    scores[p] += mean_difference(painted.joints[place[p]], painted.prior, x.data());
  }
  for (float& score : scores)
    score = static_cast<float>(portable_log(double{std::max(score, least_share)}));
}

}  // namespace gvbind
