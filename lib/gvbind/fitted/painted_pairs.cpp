#include "gvbind/fitted/painted_pairs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "gvbind/base/joint_keys.h"
#include "gvbind/base/portable_log.h"
#include "gvbind/fitted/pair_network.h"

namespace gvbind {

namespace {

constexpr float far_away = 12.0f;     // squared distance from where pairs do not count
constexpr std::size_t chunk = 11;     // features between two looks whether a block is far away
constexpr float least_share = 1e-5f;  // of a joint that the artist left out
constexpr double min_cosine = 0.7;    // of the bones of two joints that are paired by place
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

/// By joint, its children; the last list holds the roots.
std::vector<std::vector<int>> children_of(std::span<const Joint> joints) {
  std::vector<std::vector<int>> children(joints.size() + 1);
  for (std::size_t j = 0; j < joints.size(); ++j)
    children[joints[j].parent < 0 ? joints.size() : joints[j].parent].push_back(
        static_cast<int>(j));
  return children;
}

/// Of `candidates`, the joint that lies from its parent in nearly the direction `along`; -1: none.
int most_aligned(std::span<const Joint> joints, std::span<const int> candidates,
                 const Eigen::Vector3d& along) {
  int best = -1;
  double most = min_cosine;
  for (const int c : candidates) {
    const Eigen::Vector3d way = joints[c].position - joints[joints[c].parent].position;
    const double length = way.norm() * along.norm();
    const double cosine = length > 0.0 ? way.dot(along) / length : 0.0;
    if (cosine <= most) continue;
    most = cosine;
    best = c;
  }
  return best;
}

/// Gives joints without a place that of a finished skeleton's joint, parents first. `place`: by
/// joint, found by keys so far.
void add_by_place(const PaintedPairs::Skeleton& finished, std::span<const Joint> joints,
                  std::vector<int>& place) {
  const auto own = children_of(joints), other = children_of(finished.joints);
  std::vector<int> partner(joints.size(), -1);
  std::vector<bool> taken(finished.joints.size(), false);
  const auto pair = [&](int joint, int with) {
    partner[joint] = with;
    taken[with] = true;
    if (place[joint] < 0) place[joint] = finished.place[with];
  };
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (place[j] < 0) continue;
    const auto at = std::ranges::find(finished.place, place[j]);
    const auto with = static_cast<int>(at - finished.place.begin());
    if (at != finished.place.end() && !taken[with]) pair(static_cast<int>(j), with);
  }
  const auto free = [&](std::span<const int> of, const auto& is_free) {
    std::vector<int> left;
    std::ranges::copy_if(of, std::back_inserter(left), is_free);
    return left;
  };
  const auto is_own_free = [&](int j) { return partner[j] < 0; };
  const auto is_other_free = [&](int j) { return !taken[j]; };
  if (own.back().size() == 1 && other.back().size() == 1 && is_own_free(own.back()[0]) &&
      is_other_free(other.back()[0]))
    pair(own.back()[0], other.back()[0]);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (partner[j] < 0) continue;
    const Joint& with = finished.joints[partner[j]];
    for (const int child : free(own[j], is_own_free)) {
      const Eigen::Vector3d along = joints[child].position - joints[j].position;
      const int found =
          most_aligned(finished.joints, free(other[partner[j]], is_other_free), along);
      if (found < 0) continue;
      const Eigen::Vector3d back = finished.joints[found].position - with.position;
      if (most_aligned(joints, free(own[j], is_own_free), back) == child) pair(child, found);
    }
  }
}

std::ptrdiff_t unplaced(const std::vector<int>& place) { return std::ranges::count(place, -1); }

}  // namespace

std::vector<std::string> keys_of(std::span<const Joint> joints) {
  std::vector<std::string_view> names;
  for (const Joint& joint : joints) names.push_back(joint.name);
  return joint_keys(names);
}

int place_of_key(const PaintedPairs& painted, std::string_view key) {
  const auto at = std::ranges::lower_bound(painted.joints, key, {}, &PaintedPairs::OfJoint::key);
  const bool found = !key.empty() && at != painted.joints.end() && at->key == key;
  return found ? static_cast<int>(at - painted.joints.begin()) : -1;
}

std::vector<int> painted_joints(const PaintedPairs& painted, std::span<const Joint> joints) {
  std::vector<int> place;
  for (const std::string& key : keys_of(joints)) place.push_back(place_of_key(painted, key));
  std::vector<int> most = place;
  for (const PaintedPairs::Skeleton& skeleton : painted.skeletons) {
    std::vector<int> with = place;
    add_by_place(skeleton, joints, with);
    if (unplaced(with) < unplaced(most)) most = std::move(with);
  }
  // Skeletons of another kind have a few joints in the same directions.
  return 2 * unplaced(most) <= std::ssize(joints) ? most : place;
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
