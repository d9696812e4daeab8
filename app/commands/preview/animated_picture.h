#pragma once

// Tested by tests/command/preview_test.py.

#include <memory>
#include <string>

#include "preview/preview.h"

namespace gvbind {

/// Pictures that follow one another, for ever, in one file.
class AnimatedPicture {
 public:
  virtual ~AnimatedPicture() = default;
  /// All of one size. Throws Error(output).
  virtual void add(const Image& image) = 0;
  /// The bytes of the file; to be called once, after the last one. Throws Error(output).
  virtual std::string finish() = 0;
};

/// GIF: 256 colors a frame. `milliseconds`: how long a frame stands, to a hundredth of a second.
std::unique_ptr<AnimatedPicture> animated_gif(int milliseconds);

/// WebP, lossy at a quality at which flat colors stay flat.
std::unique_ptr<AnimatedPicture> animated_webp(int milliseconds);

}  // namespace gvbind
