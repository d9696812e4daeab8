#include "gvbind/front.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <utility>

#include "gvbind/directions.h"
#include "gvbind/onward_steps.h"
#include "gvbind/parallel.h"

namespace gvbind {

namespace {

constexpr std::uint64_t farthest = (std::uint64_t{1} << (64 - label_influence_bits)) - 2;
// Blocks of 11 to 14 bits and rounds of 2 to 8 buckets differ by a fifth at most.
constexpr std::uint32_t block_bits = 13;
// A round works off this many buckets, so that a block's memory serves many labels at a time.
constexpr std::size_t buckets_a_round = 4;
// Rounds with fewer labels are not worth waking other threads for.
constexpr std::size_t sequential_labels = 500;

/// The rows of labels. A block's rows are written by one thread at a time; other blocks' threads
/// may look at a row's last label meanwhile, to see whether an offer is worth sending. Labels only
/// ever get smaller, so what they see is at worst too large.
struct Rows {
  Label* labels;
  std::size_t n;

  Label last(std::uint32_t voxel) const {
    return std::atomic_ref<Label>(labels[voxel * n + n - 1]).load(std::memory_order_relaxed);
  }
  bool holds(std::uint32_t voxel, Label label) const {
    const Label* row = labels + voxel * n;
    return std::find(row, row + n, label) != row + n;
  }
  /// Puts a label into its place, one an influence; false if it is none of the n nearest.
  bool insert(std::uint32_t voxel, Label label) const {
    Label* row = labels + voxel * n;
    if (label >= row[n - 1]) return false;
    std::size_t i = 0;
    for (; row[i] <= label; ++i)
      if (label_influence(row[i]) == label_influence(label)) return false;
    Label moved = label;
    for (; i < n; ++i) {
      const Label before = row[i];
      std::atomic_ref<Label>(row[i]).store(moved, std::memory_order_relaxed);
      if (before == no_label || label_influence(before) == label_influence(label)) break;
      moved = before;
    }
    return true;
  }
};

/// A label on its way.
struct Offer {
  std::uint32_t voxel;
  CameFrom came;
  Label label;
};

/// A run of voxels and the labels that wait in it, in buckets as wide as the shortest step: what a
/// bucket's labels reach within the block lies in later buckets.
class Block {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  void push(const Offer& offer, std::size_t bucket) {
    if (buckets_.empty()) first_ = bucket;
    for (; bucket < first_; --first_) buckets_.emplace_front();
    if (bucket - first_ >= buckets_.size()) buckets_.resize(bucket - first_ + 1);
    std::vector<Offer>& offers = buckets_[bucket - first_];
    if (offers.capacity() == 0 && !spare_.empty()) {
      offers.swap(spare_.back());
      spare_.pop_back();
    }
    offers.push_back(offer);
  }

  /// The first bucket that has labels.
  std::size_t next() {
    for (; !buckets_.empty() && buckets_.front().empty(); ++first_) {
      give_back(std::move(buckets_.front()));
      buckets_.pop_front();
    }
    return buckets_.empty() ? none : first_;
  }
  /// Its labels. Give them back when done.
  std::vector<Offer> take_next() {
    std::vector<Offer> offers = std::move(buckets_.front());
    buckets_.pop_front();
    ++first_;
    return offers;
  }
  void give_back(std::vector<Offer> offers) {
    if (offers.capacity() == 0) return;
    offers.clear();
    spare_.push_back(std::move(offers));
  }
  std::size_t waiting(std::size_t end) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < buckets_.size() && first_ + i < end; ++i)
      count += buckets_[i].size();
    return count;
  }

  std::vector<Offer> outbox, inbox;  ///< to other blocks, from other blocks
  std::size_t listed = none;         ///< the round it is listed for

 private:
  std::deque<std::vector<Offer>> buckets_;
  std::size_t first_ = 0;  ///< bucket of the first of them
  std::vector<std::vector<Offer>> spare_;
};

/// Rounds of some buckets each: every block works off its own labels by itself, then blocks trade
/// what crosses between them, until none is left in the round's buckets. A label from another block
/// may come after labels that it would have kept out; those have gone on in vain then, and are
/// replaced along their ways.
class Front {
 public:
  Front(const SparseVoxels& voxels, const StepLengths& steps, std::span<Label> labels,
        std::size_t n, bool parallel)
      : voxels_(voxels),
        steps_(steps),
        onward_(steps),
        rows_{labels.data(), n},
        width_(steps.shortest()),
        parallel_(parallel),
        blocks_((voxels.size() >> block_bits) + 1) {}

  void run(std::span<const Start> starts) {
    for (const Start& start : starts) {
      const std::uint32_t block = start.voxel >> block_bits;
      offer(blocks_[block], {start.voxel, {}, start.label});
      list(block);
    }
    for (std::size_t round = 0; round < rounds_.size(); ++round) settle(round);
  }

 private:
  void offer(Block& block, const Offer& offered) {
    if (rows_.insert(offered.voxel, offered.label))
      block.push(offered, label_distance(offered.label) / width_);
  }

  /// Adds what a label offers to neighbors to `ways`, and has the memory begin to fetch the rows
  /// that they are for.
  void collect(const Offer& settled, std::vector<Offer>& ways) const {
    const auto add = [&](std::uint32_t to, CameFrom came, std::uint64_t step) {
      __builtin_prefetch(rows_.labels + to * rows_.n);
      ways.push_back({to, came, settled.label + (step << label_influence_bits)});
    };
    const Leaf& leaf = voxels_.leaves[settled.voxel];
    Directions onward = onward_.from(leaf, settled.came);
    for (; onward != 0; onward &= onward - 1) {
      const int direction = std::countr_zero(onward);
      add(voxels_.neighbor(leaf, direction), {1u << (direction_count - 1 - direction), 1},
          steps_.same_size(leaf.level, leaf.near_boundary >> direction & 1u, axes_of(direction)));
    }
    if (leaf.first_other == no_voxel) return;
    const OtherSize* other = &voxels_.others[leaf.first_other];
    do
      if (OnwardSteps::leads_to(*other, settled.came))
        add(other->voxel, {other->is_larger ? 0u : other->directions, 0},
            steps_.other_size(*other));
    while (!other++->last);
  }

  /// Within the block at once, to others later.
  void offer_all(std::uint32_t index, const std::vector<Offer>& ways) {
    Block& block = blocks_[index];
    for (const Offer& way : ways) {
      if (way.label >= rows_.last(way.voxel)) continue;
      if (way.voxel >> block_bits == index)
        offer(block, way);
      else
        block.outbox.push_back(way);
    }
  }

  /// Works off a block's labels up to a bucket. What is read of each lies anywhere in memory, so it
  /// is asked for some labels ahead.
  void work_off(std::uint32_t index, std::size_t end) {
    constexpr std::size_t ahead = 12, ways_at_once = 64;
    Block& block = blocks_[index];
    std::vector<Offer> ways;
    while (block.next() < end) {
      std::vector<Offer> settled = block.take_next();
      for (std::size_t i = 0; i < settled.size(); ++i) {
        if (i + ahead < settled.size()) {
          const std::uint32_t voxel = settled[i + ahead].voxel;
          __builtin_prefetch(&voxels_.leaves[voxel]);
          __builtin_prefetch(rows_.labels + voxel * rows_.n);
        }
        if (rows_.holds(settled[i].voxel, settled[i].label) &&  // else nearer ones pushed it out
            label_distance(settled[i].label) <= farthest - steps_.longest())
          collect(settled[i], ways);
        if (ways.size() < ways_at_once && i + 1 < settled.size()) continue;
        offer_all(index, ways);
        ways.clear();
      }
      block.give_back(std::move(settled));
    }
  }

  /// Calls body(block) for all of them.
  template <typename Body>
  void for_blocks(const std::vector<std::uint32_t>& blocks, bool many, const Body& body) {
    if (!parallel_ || !many) {
      for (const std::uint32_t block : blocks) body(block);
      return;
    }
    parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) body(blocks[i]);
    });
  }

  /// Lists a block for the round of its first labels.
  void list(std::uint32_t index) {
    Block& block = blocks_[index];
    const std::size_t bucket = block.next();
    if (bucket == Block::none || bucket / buckets_a_round >= block.listed) return;
    block.listed = bucket / buckets_a_round;
    if (block.listed >= rounds_.size()) rounds_.resize(block.listed + 1);
    rounds_[block.listed].push_back(index);
  }

  /// The blocks whose turn it is, each once: some were listed again for an earlier round meanwhile.
  std::vector<std::uint32_t> take_listed(std::size_t round) {
    std::vector<std::uint32_t> blocks;
    for (const std::uint32_t block : std::exchange(rounds_[round], {}))
      if (blocks_[block].listed == round) {
        blocks_[block].listed = Block::none;
        blocks.push_back(block);
      }
    return blocks;
  }

  void settle(std::size_t round) {
    const std::size_t end = (round + 1) * buckets_a_round;
    for (;;) {
      const std::vector<std::uint32_t> active = take_listed(round);
      if (active.empty()) return;
      std::size_t labels = 0;
      for (const std::uint32_t block : active) labels += blocks_[block].waiting(end);
      const bool many = labels >= sequential_labels;
      for_blocks(active, many, [&](std::uint32_t block) { work_off(block, end); });
      const std::vector<std::uint32_t> receivers = deliver(active);
      for_blocks(receivers, many, [&](std::uint32_t index) {
        Block& block = blocks_[index];
        for (const Offer& offered : block.inbox) offer(block, offered);
        block.inbox.clear();
      });
      for (const std::uint32_t block : active) list(block);
      for (const std::uint32_t block : receivers) list(block);
    }
  }

  /// Puts what the blocks send into the inboxes; returns whose.
  std::vector<std::uint32_t> deliver(const std::vector<std::uint32_t>& senders) {
    std::vector<std::uint32_t> receivers;
    for (const std::uint32_t sender : senders) {
      for (const Offer& offered : blocks_[sender].outbox) {
        Block& to = blocks_[offered.voxel >> block_bits];
        if (to.inbox.empty()) receivers.push_back(offered.voxel >> block_bits);
        to.inbox.push_back(offered);
      }
      blocks_[sender].outbox.clear();
    }
    return receivers;
  }

  const SparseVoxels& voxels_;
  const StepLengths& steps_;
  const OnwardSteps onward_;
  const Rows rows_;
  const std::uint64_t width_;
  const bool parallel_;
  std::vector<Block> blocks_;
  std::vector<std::vector<std::uint32_t>> rounds_;  ///< blocks listed for each
};

}  // namespace

void advance_front(const SparseVoxels& voxels, const StepLengths& steps,
                   std::span<const Start> starts, std::span<Label> labels, std::size_t n,
                   bool parallel) {
  Front(voxels, steps, labels, n, parallel).run(starts);
}

}  // namespace gvbind
