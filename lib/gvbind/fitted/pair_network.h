#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gvbind {

/// Incremented when a feature's meaning changes; networks with another version are rejected.
constexpr unsigned pair_feature_version = 2;

constexpr std::size_t max_pairs = 12;           ///< of a vertex and its candidates
constexpr std::size_t max_pair_features = 128;  ///< of a network
constexpr std::size_t max_hidden = 64;          ///< of a network

/// Feature 0 is the pair's distance minus the vertex's smallest distance. In averages over a
/// vertex's pairs, the weight of a pair is exp(-pool_sharpness * feature 0), normalized.
constexpr float pool_sharpness = 4.0f;

/// Scores the pairs of a vertex and its candidate joints. For the pairs i of one vertex, with
/// features f_i and relu(x) = max(0, x):
///
///   x_i = (f_i - mean) * scale
///   u_i = relu(second relu(first x_i + first_bias) + second_bias)
///   c   = near sum_i(p_i u_i) + most max_i(u_i) + third_bias,  p = softmax(-pool_sharpness f_i[0])
///   score_i = last . relu(own u_i + c) + linear . x_i
///
/// The softmax of the scores gives the shares of the candidates. Matrices are stored by output:
/// `first` has the `features` numbers of hidden unit 0, then those of unit 1, and so on.
struct PairNetwork {
  std::size_t features = 0;  ///< per pair, 1 to max_pair_features
  std::size_t hidden = 0;    ///< width, 1 to max_hidden
  std::vector<float> mean, scale;
  std::vector<float> first, first_bias;
  std::vector<float> second, second_bias;
  std::vector<float> own, near, most, third_bias;
  std::vector<float> last, linear;
};

/// The networks of fitted weights, trained with different seeds. The score of a pair is the mean of
/// their scores, so that their errors partly cancel.
struct FittedNetworks {
  std::vector<PairNetwork> networks;  ///< 1 to max_networks, of the same features
};

constexpr std::size_t max_networks = 8;

/// A network with all numbers zero.
PairNetwork make_network(std::size_t features, std::size_t hidden);

/// All numbers, in the order of the members.
constexpr std::size_t network_part_count = 12;
std::array<std::span<float>, network_part_count> parts_of(PairNetwork& network);
std::array<std::span<const float>, network_part_count> parts_of(const PairNetwork& network);
std::size_t number_count(std::size_t features, std::size_t hidden);

/// Trained numbers are multiples of this step, so that short decimal texts are exact.
constexpr float network_step = 1.0f / 4096.0f;

/// Bound of all numbers, so that no sum of products overflows.
constexpr float max_network_number = 1e4f;

/// Networks of one size from multiples of network_step, in the order of parts_of() of each. Throws
/// Error(internal) if the number of steps does not match.
FittedNetworks networks_of_steps(std::size_t features, std::size_t hidden, std::size_t count,
                                 std::span<const int> steps);

/// Instruction sets for evaluation. All give the same bits.
enum class PairKernel {
  automatic,  ///< the fastest available
  base,       ///< available on every machine
  avx2,       ///< throws Error(resource) if not available
  avx512,     ///< likewise
};

/// Features by their dependence on point and joint, as indices into a pair's features. Each feature
/// is in one group.
struct FeatureGroups {
  std::vector<std::uint32_t> pair;   ///< on the point and the joint; feature 0 is one of these
  std::vector<std::uint32_t> point;  ///< equal for all pairs of a point
  std::vector<std::uint32_t> joint;  ///< equal for all points
};

/// Networks prepared for evaluation. Every number is a sum of products in a fixed order, rounded
/// after each step, so scores have the same bits on any machine. The first layer's sums
/// over features of joints are computed once per joint, those over features of points once per
/// point.
class PairScorer {
 public:
  explicit PairScorer(const PairNetwork& network, PairKernel kernel = PairKernel::automatic);
  explicit PairScorer(const FittedNetworks& fitted, PairKernel kernel = PairKernel::automatic);
  /// For pairs of the joints whose features of `groups.joint` are the rows of `joint_features`.
  PairScorer(const FittedNetworks& fitted, const FeatureGroups& groups,
             std::span<const float> joint_features, PairKernel kernel = PairKernel::automatic);

  std::size_t features() const { return features_; }

  /// Scores of the pairs of one vertex, at most max_pairs. `features`: those of pair 0, then pair
  /// 1, and so on, for scores.size() pairs; `joints`: by pair, the row of its joint. Thread-safe.
  void score(std::span<const std::uint32_t> joints, std::span<const float> features,
             std::span<float> scores) const;
  /// As above, for scorers without rows of joints.
  void score(std::span<const float> features, std::span<float> scores) const;

 private:
  /// Features of one group, with their part of the first layer (by feature) and of the score.
  struct Group {
    std::vector<std::uint32_t> feature;
    std::vector<float> mean, scale, first, linear;
  };
  /// Numbers padded to lane_tile; matrices by input.
  struct Prepared {
    std::size_t hidden = 0;  ///< padded
    Group pair, point;
    std::vector<float> joint_start;  ///< joints by hidden: the first layer's bias and joint part
    std::vector<float> joint_score;  ///< by joint: its part of the score
    std::vector<float> second, second_bias, own, near, most, third_bias, last;
  };

  static Group group_of(const PairNetwork& network, std::span<const std::uint32_t> features);
  static Prepared prepare(const PairNetwork& network, const FeatureGroups& groups,
                          std::span<const float> joint_features);
  /// The pairs' and the point's features of a point, normalized and padded.
  struct Inputs {
    alignas(32) float x[max_pairs * max_pair_features];
    alignas(32) float point_x[max_pair_features];
  };

  void normalize(const Prepared& network, std::span<const float> features, std::size_t count,
                 Inputs& inputs) const;
  void score_by(const Prepared& network, std::span<const std::uint32_t> joints,
                const Inputs& inputs, std::span<const float> pool, std::span<float> scores) const;

  void (*kernel_)(const struct PairKernelInput& input) = nullptr;
  std::size_t features_ = 0;
  std::vector<Prepared> networks_;
  bool shares_inputs_ = false;  ///< all networks have the same mean and scale
};

/// e^x with relative error 1e-6 and the same bits on any machine. 0 below -87; x at most 88.
float portable_exp(float x);

/// shares_i = exp(sharpness * scores_i) / sum. Works in place.
void softmax(std::span<const float> scores, std::span<float> shares, float sharpness = 1.0f);

}  // namespace gvbind
