#pragma once

#include <chrono>
#include <filesystem>

namespace gvbind {

/// The right to bind to an output, which one process has at a time while this lives. It ends with
/// the process, however that ends. Advisory, and by asset: a byte of the file `.gvbind/lock` beside
/// the output, so that shards and batches of other assets in the same directory never meet. A disk
/// that has no locks grants it to all.
class AssetLock {
 public:
  /// Tries for so long to get it.
  explicit AssetLock(const std::filesystem::path& output, std::chrono::milliseconds patience = {});
  AssetLock(AssetLock&& other) noexcept;
  AssetLock& operator=(AssetLock&&) = delete;
  ~AssetLock();

  bool held() const { return held_; }

 private:
  int fd_ = -1;
  bool held_ = true;
};

std::filesystem::path lock_path(const std::filesystem::path& output);

}  // namespace gvbind
