#pragma once

// Tested by tests/command/preview_test.py.

#include <memory>
#include <string>

#include "preview/preview.h"

namespace gvbind {

/// An endlessly looping animation in one file.
class AnimatedPicture {
 public:
  virtual ~AnimatedPicture() = default;
  /// All images must have the same size. Throws Error(output).
  virtual void add(const preview::Image& image) = 0;
  /// The bytes of the file; call once, after the last image. Throws Error(output).
  virtual std::string finish() = 0;
};

/// GIF with 256 colors per frame. `milliseconds` is the time per frame, rounded to 10 ms.
std::unique_ptr<AnimatedPicture> animated_gif(int milliseconds);

/// Lossy WebP, at a quality that keeps flat colors flat.
std::unique_ptr<AnimatedPicture> animated_webp(int milliseconds);

}  // namespace gvbind
