#include "egl/slab_readback.h"

#include <bit>
#include <span>
#include <utility>

#include "gvbind/error.h"

namespace gvbind::egl {
namespace {

// Far more than the slowest software driver needs for 128 slices.
constexpr int patience_seconds = 120;

std::size_t pixels_of(const PixelRect& tile) {
  return static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(tile.height);
}

}  // namespace

SlabReadback::~SlabReadback() {
  for (Copy& copy : ring_)
    if (copy.fence) gl_.DeleteSync(copy.fence);
}

void SlabReadback::start(const SlabPlan& plan, const PixelRect& tile, int group, BitGrid& grid) {
  static_assert(std::endian::native == std::endian::little, "two colors make one word of slices");
  if (under_way_ == ring_.size()) decode_oldest();
  Copy& copy = ring_[(oldest_ + under_way_) % ring_.size()];
  const std::size_t bytes = pixels_of(tile) * sizeof(SliceBits);
  if (copy.buffer.id() == 0) copy.buffer = make_buffer(gl_);
  gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, copy.buffer.id());
  if (copy.capacity < bytes) {
    gl_.BufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_STREAM_READ);
    check_gl(gl_, "making a buffer to read back");
    copy.capacity = bytes;
  }
  gl_.PixelStorei(GL_PACK_ALIGNMENT, 8);
  gl_.ReadPixels(0, 0, tile.width, tile.height, GL_RGBA_INTEGER, GL_UNSIGNED_INT, nullptr);
  gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  copy.fence = gl_.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl_.Flush();
  copy.plan = &plan;
  copy.tile = tile;
  copy.group = group;
  copy.grid = &grid;
  ++under_way_;
}

void SlabReadback::finish() {
  while (under_way_ > 0) decode_oldest();
}

void SlabReadback::wait_for(Copy& copy) {
  const GLsync fence = std::exchange(copy.fence, nullptr);
  if (!fence) throw Error(ErrorKind::resource, "OpenGL: the device makes no fence");
  GLenum state = GL_TIMEOUT_EXPIRED;
  for (int second = 0; second < patience_seconds && state == GL_TIMEOUT_EXPIRED; ++second)
    state = gl_.ClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1'000'000'000);
  gl_.DeleteSync(fence);
  if (state == GL_TIMEOUT_EXPIRED)
    throw Error(ErrorKind::resource, "OpenGL: the device does not end its drawing");
  if (state == GL_WAIT_FAILED) check_gl(gl_, "waiting for a picture");
}

void SlabReadback::decode_oldest() {
  Copy& copy = ring_[oldest_];
  oldest_ = (oldest_ + 1) % ring_.size();
  --under_way_;
  wait_for(copy);
  const std::size_t pixels = pixels_of(copy.tile);
  gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, copy.buffer.id());
  const void* mapped =
      gl_.MapBufferRange(GL_PIXEL_PACK_BUFFER, 0,
                         static_cast<GLsizeiptr>(pixels * sizeof(SliceBits)), GL_MAP_READ_BIT);
  if (!mapped) {
    check_gl(gl_, "reading a picture");
    throw Error(ErrorKind::resource, "OpenGL: a picture cannot be read");
  }
  decode_group(*copy.plan, copy.tile, copy.group, {static_cast<const SliceBits*>(mapped), pixels},
               *copy.grid);
  const bool intact = gl_.UnmapBuffer(GL_PIXEL_PACK_BUFFER);
  gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  if (!intact) throw Error(ErrorKind::resource, "OpenGL: a picture was lost while it was read");
}

}  // namespace gvbind::egl
