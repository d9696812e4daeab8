#pragma once

#include <chrono>
#include <filesystem>

#include "assets/file_io.h"

namespace gvbind {

/// The right to bind to an output, which one process has at a time while this lives. It ends with
/// the process, however that ends. Advisory, and by asset: a byte of the file `.gvbind/lock` beside
/// the output, so that shards and batches of other assets in the same directory never meet. A disk
/// that has no locks grants it to all.
class AssetLock {
 public:
  /// Tries for so long to get it.
  explicit AssetLock(const std::filesystem::path& output, std::chrono::milliseconds patience = {});

  bool held() const { return held_; }

 private:
  OpenFile file_;
  bool held_ = true;
};

std::filesystem::path lock_path(const std::filesystem::path& output);

}  // namespace gvbind
