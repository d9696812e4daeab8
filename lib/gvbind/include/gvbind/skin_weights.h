#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gvbind {

struct Influence {
  std::uint32_t joint;
  float weight;
};

/// The weights of one vertex, a range of Influence.
class WeightRow {
 public:
  class Iterator {
   public:
    Iterator(const std::uint32_t* joint, const float* weight) : joint_(joint), weight_(weight) {}
    Influence operator*() const { return {*joint_, *weight_}; }
    Iterator& operator++() {
      ++joint_, ++weight_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return joint_ != other.joint_; }

   private:
    const std::uint32_t* joint_;
    const float* weight_;
  };

  WeightRow(std::span<const std::uint32_t> joints, std::span<const float> weights)
      : joints_(joints), weights_(weights) {}

  std::size_t size() const { return joints_.size(); }
  bool empty() const { return joints_.empty(); }
  Influence operator[](std::size_t i) const { return {joints_[i], weights_[i]}; }
  Iterator begin() const { return {joints_.data(), weights_.data()}; }
  Iterator end() const { return {joints_.data() + size(), weights_.data() + size()}; }

 private:
  std::span<const std::uint32_t> joints_;
  std::span<const float> weights_;
};

/// Weights of n vertices as compressed rows: vertex v has the entries first[v] .. first[v + 1].
/// Rows are sorted by falling weight, then joint; weights are positive and sum to one.
struct SkinWeights {
  std::vector<std::uint32_t> first = {0};  ///< n + 1 values
  std::vector<std::uint32_t> joint;        ///< of each entry
  std::vector<float> weight;

  WeightRow row(std::size_t vertex) const {
    const std::size_t begin = first[vertex], count = first[vertex + 1] - begin;
    return {std::span(joint).subspan(begin, count), std::span(weight).subspan(begin, count)};
  }

  /// Appends a copy of a row.
  void append_row(const SkinWeights& from, std::size_t vertex) {
    for (const Influence& entry : from.row(vertex)) {
      joint.push_back(entry.joint);
      weight.push_back(entry.weight);
    }
    first.push_back(static_cast<std::uint32_t>(joint.size()));
  }

  std::size_t vertex_count() const { return first.size() - 1; }
  bool empty() const { return first.size() <= 1; }
};

/// Drops weights below `least` and rescales rows to sum to one. Keeps the largest weight of a row
/// in any case; rows without small weights are copied bit by bit.
SkinWeights pruned(const SkinWeights& weights, double least);

/// For vertex buffers: four joints and four 16-bit unsigned normalized weights per vertex.
struct PackedWeights {
  std::vector<std::array<std::uint16_t, 4>> joints;   ///< 0 where the weight is 0
  std::vector<std::array<std::uint16_t, 4>> weights;  ///< 65535 is one; each row sums to 65535
};

/// The four largest weights of each row, rescaled and rounded to a sum of 65535 by largest
/// remainders. Empty rows become zeros. Joints must be below 65536.
PackedWeights pack(const SkinWeights& weights);

}  // namespace gvbind
