#include "gvbind/front.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <utility>

#include "gvbind/parallel.h"

namespace gvbind {

namespace {

constexpr std::uint64_t farthest = (std::uint64_t{1} << (64 - label_influence_bits)) - 2;
// Rows and neighbor lists of one block's voxels (about 140 bytes each) stay in a core's own cache.
constexpr std::uint32_t block_bits = 12;
// A bucket with fewer labels is not worth waking other threads for.
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

/// A run of voxels and the labels that wait in it, in buckets as wide as the shortest step: what a
/// bucket's labels reach lies in later buckets, so its own labels are final when its turn comes.
class Block {
 public:
  void push(const Start& entry, std::size_t bucket) {
    if (buckets_.empty()) first_ = bucket;
    for (; bucket < first_; --first_) buckets_.emplace_front();
    if (bucket - first_ >= buckets_.size()) buckets_.resize(bucket - first_ + 1);
    std::vector<Start>& entries = buckets_[bucket - first_];
    if (entries.empty()) woken.push_back(bucket);
    if (entries.capacity() == 0 && !spare_.empty()) {
      entries.swap(spare_.back());
      spare_.pop_back();
    }
    entries.push_back(entry);
  }

  /// The labels of a bucket, the first that is left. Give them back when done.
  std::vector<Start> take(std::size_t bucket) {
    for (; first_ < bucket; ++first_) buckets_.pop_front();
    std::vector<Start> entries = std::move(buckets_.front());
    buckets_.pop_front();
    ++first_;
    return entries;
  }
  void give_back(std::vector<Start> entries) {
    entries.clear();
    spare_.push_back(std::move(entries));
  }
  std::size_t waiting(std::size_t bucket) const { return buckets_[bucket - first_].size(); }

  std::vector<Start> outbox, inbox;  ///< offers to other blocks, from other blocks
  std::vector<std::size_t> woken;    ///< buckets that were empty and are no more

 private:
  std::deque<std::vector<Start>> buckets_;
  std::size_t first_ = 0;  ///< bucket of the first of them
  std::vector<std::vector<Start>> spare_;
};

class Front {
 public:
  Front(const SparseVoxels& voxels, const StepLengths& steps, std::span<Label> labels,
        std::size_t n, bool parallel)
      : voxels_(voxels),
        steps_(steps),
        rows_{labels.data(), n},
        width_(steps.shortest()),
        parallel_(parallel),
        blocks_((voxels.size() >> block_bits) + 1) {}

  void run(std::span<const Start> starts) {
    for (const Start& start : starts) {
      const std::uint32_t block = start.voxel >> block_bits;
      offer(blocks_[block], start.voxel, start.label);
      note_woken(block);
    }
    for (std::size_t bucket = 0; bucket < awake_.size(); ++bucket) settle(bucket);
  }

 private:
  void offer(Block& block, std::uint32_t voxel, Label label) {
    if (rows_.insert(voxel, label)) block.push({voxel, label}, label_distance(label) / width_);
  }

  void note_woken(std::uint32_t block) {
    for (const std::size_t bucket : blocks_[block].woken) {
      if (bucket >= awake_.size()) awake_.resize(bucket + 1);
      awake_[bucket].push_back(block);
    }
    blocks_[block].woken.clear();
  }

  /// Offers what a bucket's labels reach: at once within the block, later elsewhere.
  void relax(std::uint32_t index, std::size_t bucket) {
    Block& block = blocks_[index];
    std::vector<Start> entries = block.take(bucket);
    for (const auto [voxel, label] : entries) {
      if (!rows_.holds(voxel, label)) continue;  // nearer influences have pushed it out since
      for (std::uint32_t k = voxels_.first[voxel]; k < voxels_.first[voxel + 1]; ++k) {
        const Neighbor to = voxels_.neighbors[k];
        const Label last = rows_.last(to.voxel());
        if (last <= label) continue;
        const std::uint64_t step = steps_(voxel, to);
        if (label_distance(label) > farthest - step) continue;
        const Label through = label + (step << label_influence_bits);
        if (through >= last) continue;
        if (to.voxel() >> block_bits == index)
          offer(block, to.voxel(), through);
        else
          block.outbox.push_back({to.voxel(), through});
      }
    }
    block.give_back(std::move(entries));
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

  void settle(std::size_t bucket) {
    const std::vector<std::uint32_t> active = std::move(awake_[bucket]);
    std::size_t labels = 0;
    for (const std::uint32_t block : active) labels += blocks_[block].waiting(bucket);
    const bool many = labels >= sequential_labels;
    for_blocks(active, many, [&](std::uint32_t block) { relax(block, bucket); });

    std::vector<std::uint32_t> receivers;
    for (const std::uint32_t block : active) {
      note_woken(block);
      for (const Start& entry : blocks_[block].outbox) {
        Block& to = blocks_[entry.voxel >> block_bits];
        if (to.inbox.empty()) receivers.push_back(entry.voxel >> block_bits);
        to.inbox.push_back(entry);
      }
      blocks_[block].outbox.clear();
    }
    for_blocks(receivers, many, [&](std::uint32_t index) {
      Block& block = blocks_[index];
      for (const Start& entry : block.inbox) offer(block, entry.voxel, entry.label);
      block.inbox.clear();
    });
    for (const std::uint32_t block : receivers) note_woken(block);
  }

  const SparseVoxels& voxels_;
  const StepLengths& steps_;
  const Rows rows_;
  const std::uint64_t width_;
  const bool parallel_;
  std::vector<Block> blocks_;
  std::vector<std::vector<std::uint32_t>> awake_;  ///< by bucket: blocks with labels in it
};

}  // namespace

void advance_front(const SparseVoxels& voxels, const StepLengths& steps,
                   std::span<const Start> starts, std::span<Label> labels, std::size_t n,
                   bool parallel) {
  Front(voxels, steps, labels, n, parallel).run(starts);
}

}  // namespace gvbind
