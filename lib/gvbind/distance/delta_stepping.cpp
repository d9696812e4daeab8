#include "gvbind/distance/delta_stepping.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <deque>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/distance/successor_pruning.h"
#include "gvbind/volume/neighborhood26.h"

namespace gvbind {

namespace {

constexpr std::uint64_t farthest = (std::uint64_t{1} << (64 - label_influence_bits)) - 2;
// Measured: 11 to 14 bits and 2 to 8 buckets per round differ by at most 20 %.
constexpr std::uint32_t block_bits = 13;
// Several buckets per round, so that a block's cache lines serve many labels before they are
// evicted.
constexpr std::size_t buckets_per_round = 4;
// With fewer labels, waking other threads costs more than it saves.
constexpr std::size_t sequential_labels = 500;

/// The rows of labels. Only one thread at a time writes a block's rows. Threads of other blocks may
/// read the last label of a row concurrently to skip useless requests. Labels only decrease, so a
/// stale value is never too small. `fixed`: the width of a row where it is a constant, so that
/// loops are unrolled; else 0, and `width` says it.
template <std::size_t fixed>
struct Rows {
  Label* labels;
  std::size_t width;

  std::size_t n() const { return fixed != 0 ? fixed : width; }
  Label* of(std::uint32_t voxel) const { return labels + voxel * n(); }
  Label last(std::uint32_t voxel) const {
    return std::atomic_ref<Label>(of(voxel)[n() - 1]).load(std::memory_order_relaxed);
  }
  bool contains(std::uint32_t voxel, Label label) const {
    const Label* row = of(voxel);
    bool found = false;
    for (std::size_t i = 0; i < n(); ++i) found |= row[i] == label;
    return found;
  }
  /// Inserts a label, one per joint; false if it is not among the n smallest.
  bool insert(std::uint32_t voxel, Label label) const {
    Label* row = of(voxel);
    if (label >= row[n() - 1]) return false;
    std::size_t nearer = 0;
    for (; row[nearer] <= label; ++nearer)
      if (label_joint(row[nearer]) == label_joint(label)) return false;
    Label moved = label;
    for (std::size_t i = nearer; i < n(); ++i) {
      const Label before = row[i];
      std::atomic_ref<Label>(row[i]).store(moved, std::memory_order_relaxed);
      if (before == no_label || label_joint(before) == label_joint(label)) break;
      moved = before;
    }
    return true;
  }
};

/// The voxel whose list has `to`, for a path that enters `to` from it.
Predecessor predecessor_of(CrossLevelNeighbor to) {
  using Size = Predecessor::Size;
  if (!to.by_one) return {};
  return {to.is_larger ? Size::smaller : Size::larger, static_cast<std::uint8_t>(to.place)};
}

/// A request to relax an edge into a voxel.
struct Request {
  std::uint32_t voxel;
  Predecessor predecessor;
  Label label;
};

/// Recycled request buffers, per thread: idle blocks use no memory, and a buffer that was just read
/// is still in the cache when it is written again.
struct SpareRequests {
  std::vector<std::vector<Request>> vectors;

  void append(std::vector<Request>& to, const Request& request) {
    if (to.capacity() == 0 && !vectors.empty()) {
      to.swap(vectors.back());
      vectors.pop_back();
    }
    to.push_back(request);
  }
  void take_back(std::vector<Request>& requests) {
    if (requests.capacity() == 0) return;
    vectors.push_back(std::exchange(requests, {}));
    vectors.back().clear();
  }
};

/// A range of voxels and its pending labels in buckets. A bucket is no wider than the cheapest
/// edge, so labels settled within the block only reach later buckets.
class Block {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  void push(const Request& request, std::size_t bucket, SpareRequests& spares) {
    if (buckets_.empty()) first_ = bucket;
    for (; bucket < first_; --first_) buckets_.emplace_front();
    if (bucket - first_ >= buckets_.size()) buckets_.resize(bucket - first_ + 1);
    spares.append(buckets_[bucket - first_], request);
  }

  /// The first bucket with labels.
  std::size_t next() {
    for (; !buckets_.empty() && buckets_.front().empty(); ++first_) buckets_.pop_front();
    return buckets_.empty() ? none : first_;
  }
  /// Its labels.
  std::vector<Request> pop_next() {
    std::vector<Request> requests = std::move(buckets_.front());
    buckets_.pop_front();
    ++first_;
    return requests;
  }
  std::size_t waiting(std::size_t end) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < buckets_.size() && first_ + i < end; ++i)
      count += buckets_[i].size();
    return count;
  }

  std::vector<Request> outbox, inbox;  ///< to and from other blocks
  std::size_t listed = none;           ///< round in which the block is listed

 private:
  std::deque<std::vector<Request>> buckets_;
  std::size_t first_ = 0;  ///< bucket number of the front
};

/// A round covers several buckets: blocks settle their own labels, then exchange requests that
/// cross blocks, until the buckets of the round are empty. A label from another block can arrive
/// after larger labels that it excludes. Those have spread in vain and are replaced along their
/// paths.
template <std::size_t fixed>
class DeltaStepping {
 public:
  DeltaStepping(const SparseVoxels& voxels, const EdgeCosts& costs, std::span<Label> labels,
                std::size_t n, bool parallel)
      : voxels_(voxels),
        costs_(costs),
        pruning_(costs, voxels.cross_level.size() > 0),
        rows_{labels.data(), n},
        width_bits_(std::bit_width(costs.min_cost()) - 1u),
        parallel_(parallel),
        blocks_((voxels.size() >> block_bits) + 1) {}

  void run(std::span<const Seed> seeds) {
    SpareRequests spares;
    for (const Seed& start : seeds) {
      const std::uint32_t block = start.voxel >> block_bits;
      relax(blocks_[block], {start.voxel, {}, start.label}, spares);
      list(block);
    }
    for (std::size_t round = 0; round < rounds_.size(); ++round) settle(round);
  }

 private:
  void relax(Block& block, const Request& request, SpareRequests& spares) {
    if (rows_.insert(request.voxel, request.label))
      block.push(request, label_distance(request.label) >> width_bits_, spares);
  }

  /// Adds requests for the outgoing edges of a settled label, and prefetches the rows of their
  /// voxels.
  void scan_edges(const Request& settled, std::vector<Request>& requests) const {
    const auto add = [&](std::uint32_t to, Predecessor predecessor, std::uint64_t cost) {
      __builtin_prefetch(rows_.of(to));
      requests.push_back({to, predecessor, settled.label + (cost << label_influence_bits)});
    };
    const Leaf& leaf = voxels_.leaves[settled.voxel];
    Directions successors = pruning_.successors(leaf, settled.predecessor);
    for (; successors != 0; successors &= successors - 1) {
      const int direction = std::countr_zero(successors);
      const Predecessor here{Predecessor::Size::same,
                             static_cast<std::uint8_t>(direction_count - 1 - direction)};
      add(voxels_.neighbor(leaf, direction), here,
          costs_.same_level(leaf.level, leaf.near_boundary >> direction & 1u, axes_of(direction)));
    }
    if (leaf.first_cross_level == no_voxel) return;
    const SuccessorPruning::Crossing crossing = pruning_.crossing(settled.predecessor);
    const CrossLevelNeighbor* other = &voxels_.cross_level[leaf.first_cross_level];
    do
      if (crossing.leads_to(*other))
        add(other->voxel, predecessor_of(*other), costs_.cross_level(*other));
    while (!other++->last);
  }

  /// Relaxes requests within the block immediately; queues those to other blocks in its outbox.
  void relax_all(std::uint32_t index, const std::vector<Request>& requests, SpareRequests& spares) {
    Block& block = blocks_[index];
    for (const Request& request : requests) {
      if (request.label >= rows_.last(request.voxel)) continue;
      if (request.voxel >> block_bits == index)
        relax(block, request, spares);
      else
        spares.append(block.outbox, request);
    }
  }

  /// Settles a block's labels before bucket `end`. Prefetches a few labels ahead, because the rows
  /// they read are scattered in memory.
  void settle_block(std::uint32_t index, std::size_t end, SpareRequests& spares) {
    constexpr std::size_t ahead = 12, lists_ahead = 6, requests_at_once = 64;
    Block& block = blocks_[index];
    std::vector<Request> requests;
    while (block.next() < end) {
      std::vector<Request> settled = block.pop_next();
      for (std::size_t i = 0; i < settled.size(); ++i) {
        if (i + ahead < settled.size()) {
          const std::uint32_t voxel = settled[i + ahead].voxel;
          __builtin_prefetch(&voxels_.leaves[voxel]);
          __builtin_prefetch(rows_.of(voxel));
        }
        if (i + lists_ahead < settled.size()) {
          const std::uint32_t list =
              voxels_.leaves[settled[i + lists_ahead].voxel].first_cross_level;
          if (list != no_voxel) __builtin_prefetch(&voxels_.cross_level[list]);
        }
        if (rows_.contains(settled[i].voxel, settled[i].label) &&  // else replaced by nearer ones
            label_distance(settled[i].label) <= farthest - costs_.max_cost())
          scan_edges(settled[i], requests);
        if (requests.size() < requests_at_once && i + 1 < settled.size()) continue;
        relax_all(index, requests, spares);
        requests.clear();
      }
      spares.take_back(settled);
    }
  }

  /// Calls body(block, spares) for all blocks, in parallel if worthwhile.
  template <typename Body>
  void for_blocks(const std::vector<std::uint32_t>& blocks, bool many, const Body& body) {
    if (!parallel_ || !many) {
      SpareRequests spares;
      for (const std::uint32_t block : blocks) body(block, spares);
      return;
    }
    parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
      SpareRequests spares;
      for (std::size_t i = begin; i < end; ++i) body(blocks[i], spares);
    });
  }

  /// Lists a block in the round of its first labels.
  void list(std::uint32_t index) {
    Block& block = blocks_[index];
    const std::size_t bucket = block.next();
    if (bucket == Block::none || bucket / buckets_per_round >= block.listed) return;
    block.listed = bucket / buckets_per_round;
    if (block.listed >= rounds_.size()) rounds_.resize(block.listed + 1);
    rounds_[block.listed].push_back(index);
  }

  /// The blocks listed for a round, without duplicates: some were listed again for an earlier
  /// round.
  std::vector<std::uint32_t> pop_listed(std::size_t round) {
    std::vector<std::uint32_t> blocks;
    for (const std::uint32_t block : std::exchange(rounds_[round], {}))
      if (blocks_[block].listed == round) {
        blocks_[block].listed = Block::none;
        blocks.push_back(block);
      }
    return blocks;
  }

  void settle(std::size_t round) {
    const std::size_t end = (round + 1) * buckets_per_round;
    for (;;) {
      const std::vector<std::uint32_t> active = pop_listed(round);
      if (active.empty()) return;
      std::size_t labels = 0;
      for (const std::uint32_t block : active) labels += blocks_[block].waiting(end);
      const bool many = labels >= sequential_labels;
      for_blocks(active, many, [&](std::uint32_t block, SpareRequests& spares) {
        settle_block(block, end, spares);
      });
      const std::vector<std::uint32_t> receivers = deliver(active);
      for_blocks(receivers, many, [&](std::uint32_t index, SpareRequests& spares) {
        Block& block = blocks_[index];
        for (const Request& request : block.inbox) relax(block, request, spares);
        spares.take_back(block.inbox);
      });
      for (const std::uint32_t block : active) list(block);
      for (const std::uint32_t block : receivers) list(block);
    }
  }

  /// Moves requests from outboxes into inboxes; returns the receiving blocks.
  std::vector<std::uint32_t> deliver(const std::vector<std::uint32_t>& senders) {
    std::vector<std::uint32_t> receivers;
    SpareRequests spares;
    for (const std::uint32_t sender : senders) {
      for (const Request& request : blocks_[sender].outbox) {
        Block& to = blocks_[request.voxel >> block_bits];
        if (to.inbox.empty()) receivers.push_back(request.voxel >> block_bits);
        spares.append(to.inbox, request);
      }
      spares.take_back(blocks_[sender].outbox);
    }
    return receivers;
  }

  const SparseVoxels& voxels_;
  const EdgeCosts& costs_;
  const SuccessorPruning pruning_;
  const Rows<fixed> rows_;
  const std::uint64_t width_bits_;  ///< of a bucket
  const bool parallel_;
  std::vector<Block> blocks_;
  std::vector<std::vector<std::uint32_t>> rounds_;  ///< blocks listed for each
};

}  // namespace

EdgeCosts::EdgeCosts(const SparseVoxels& voxels, double penalty) {
  const double voxel = static_cast<double>(lattice_size / voxels.resolution) * units_per_step;
  const auto rounded = [&](double voxels_long, int boundary) {
    return static_cast<std::uint64_t>(
        std::llround(voxel * voxels_long * (boundary ? penalty : 1.0)));
  };
  for (int level = 0; level <= lattice_bits; ++level)
    for (int boundary = 0; boundary < 2; ++boundary)
      for (int axes = 1; axes < 4; ++axes)
        same_level_[level][boundary][axes] =
            rounded(static_cast<double>(1 << level) * std::sqrt(axes), boundary);
  std::uint32_t largest = 0;
  for (const CrossLevelNeighbor& other : voxels.cross_level)
    largest = std::max(largest, other.squared + 0u);
  for (std::uint32_t square = 0; square <= largest; ++square)
    for (int boundary = 0; boundary < 2; ++boundary)
      by_square_.push_back(rounded(std::sqrt(square) / 2.0, boundary));
  int coarsest = 0;
  for (const Leaf& leaf : voxels.leaves) coarsest = std::max<int>(coarsest, leaf.level);
  min_cost_ = same_level_[0][0][1];
  max_cost_ = std::max({same_level_[0][1][3], same_level_[coarsest][0][3], by_square_.back()});
}

void delta_stepping(const SparseVoxels& voxels, const EdgeCosts& costs, std::span<const Seed> seeds,
                    std::span<Label> labels, std::size_t n, bool parallel) {
  // The rows of the candidates of fitted weights, of the default limit, of single searches.
  if (n == 10)
    DeltaStepping<10>(voxels, costs, labels, n, parallel).run(seeds);
  else if (n == 4)
    DeltaStepping<4>(voxels, costs, labels, n, parallel).run(seeds);
  else if (n == 1)
    DeltaStepping<1>(voxels, costs, labels, n, parallel).run(seeds);
  else
    DeltaStepping<0>(voxels, costs, labels, n, parallel).run(seeds);
}

}  // namespace gvbind
