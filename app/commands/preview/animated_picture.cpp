#include "commands/preview/animated_picture.h"

#include <gif_lib.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <array>
#include <utility>
#include <vector>

#include "gvbind/error.h"

namespace gvbind {
namespace {

[[noreturn]] void fail_picture(const char* format, const std::string& why) {
  throw Error(ErrorKind::output, std::string(format) + ": picture cannot be written: " + why);
}

class GifPicture : public AnimatedPicture {
 public:
  explicit GifPicture(int milliseconds) : hundredths_(milliseconds / 10) {
    int error = 0;
    gif_ = EGifOpen(&bytes_, append, &error);
    if (!gif_) fail_gif(error);
    EGifSetGifVersion(gif_, true);
  }
  GifPicture(const GifPicture&) = delete;
  GifPicture& operator=(const GifPicture&) = delete;
  ~GifPicture() override {
    if (gif_) EGifCloseFile(gif_, nullptr);
  }

  void add(const preview::Image& image) override {
    if (first_) begin(image);
    first_ = false;
    Quantized picture = quantized(image);
    const std::array<unsigned char, 4> control = {0x04,
                                                  static_cast<unsigned char>(hundredths_ & 0xFF),
                                                  static_cast<unsigned char>(hundredths_ >> 8), 0};
    ColorMapObject* colors = GifMakeMapObject(256, picture.palette.data());
    if (!colors) fail_picture("GIF", "too little memory");
    const bool described =
        EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, control.size(), control.data()) &&
        EGifPutImageDesc(gif_, 0, 0, image.width, image.height, false, colors);
    GifFreeMapObject(colors);
    if (!described) fail_gif(gif_->Error);
    for (int y = 0; y < image.height; ++y)
      if (!EGifPutLine(gif_, picture.index.data() + static_cast<std::size_t>(y) * image.width,
                       image.width))
        fail_gif(gif_->Error);
  }

  std::string finish() override {
    int error = 0;
    if (!EGifCloseFile(std::exchange(gif_, nullptr), &error)) fail_gif(error);
    return std::move(bytes_);
  }

 private:
  struct Quantized {
    std::vector<GifByteType> index;
    std::array<GifColorType, 256> palette = {};
  };

  static int append(GifFileType* gif, const GifByteType* bytes, int count) {
    static_cast<std::string*>(gif->UserData)
        ->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
    return count;
  }

  [[noreturn]] static void fail_gif(int error) {
    const char* why = GifErrorString(error);
    fail_picture("GIF", why ? why : "unknown reason");
  }

  /// The header, and the extension that makes viewers loop.
  void begin(const preview::Image& image) {
    const std::array<unsigned char, 3> forever = {1, 0, 0};
    const bool begun = EGifPutScreenDesc(gif_, image.width, image.height, 8, 0, nullptr) &&
                       EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE) &&
                       EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0") &&
                       EGifPutExtensionBlock(gif_, forever.size(), forever.data()) &&
                       EGifPutExtensionTrailer(gif_);
    if (!begun) fail_gif(gif_->Error);
  }

  static Quantized quantized(const preview::Image& image) {
    const std::size_t pixels = image.rgb.size() / 3;
    std::array<std::vector<GifByteType>, 3> channel;
    for (std::size_t c = 0; c < 3; ++c) {
      channel[c].resize(pixels);
      for (std::size_t i = 0; i < pixels; ++i) channel[c][i] = image.rgb[3 * i + c];
    }
    Quantized result;
    result.index.resize(pixels);
    int count = 256;
    if (!GifQuantizeBuffer(static_cast<unsigned>(image.width), static_cast<unsigned>(image.height),
                           &count, channel[0].data(), channel[1].data(), channel[2].data(),
                           result.index.data(), result.palette.data()))
      fail_picture("GIF", "its colors cannot be reduced");
    return result;
  }

  int hundredths_;
  bool first_ = true;
  std::string bytes_;
  GifFileType* gif_ = nullptr;
};

class WebpPicture : public AnimatedPicture {
 public:
  explicit WebpPicture(int milliseconds) : milliseconds_(milliseconds) {}

  void add(const preview::Image& image) override {
    if (!encoder_) begin(image);
    WebPConfig config;
    if (!WebPConfigInit(&config)) fail_picture("WebP", "another version of libwebp");
    config.quality = 88.0F;
    std::unique_ptr<WebPPicture, void (*)(WebPPicture*)> frame(new_frame(image), free_frame);
    if (!WebPPictureImportRGB(frame.get(), image.rgb.data(), image.width * 3) ||
        !WebPAnimEncoderAdd(encoder_.get(), frame.get(), time_, &config))
      fail_picture("WebP", WebPAnimEncoderGetError(encoder_.get()));
    time_ += milliseconds_;
  }

  std::string finish() override {
    WebPData data;
    WebPDataInit(&data);
    if (!encoder_ || !WebPAnimEncoderAdd(encoder_.get(), nullptr, time_, nullptr) ||
        !WebPAnimEncoderAssemble(encoder_.get(), &data))
      fail_picture("WebP", encoder_ ? WebPAnimEncoderGetError(encoder_.get()) : "no frames");
    std::string bytes(reinterpret_cast<const char*>(data.bytes), data.size);
    WebPDataClear(&data);
    return bytes;
  }

 private:
  void begin(const preview::Image& image) {
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options)) fail_picture("WebP", "another version of libwebp");
    options.anim_params.loop_count = 0;
    encoder_.reset(WebPAnimEncoderNew(image.width, image.height, &options));
    if (!encoder_) fail_picture("WebP", "too little memory");
  }

  static WebPPicture* new_frame(const preview::Image& image) {
    auto frame = std::make_unique<WebPPicture>();
    if (!WebPPictureInit(frame.get())) fail_picture("WebP", "another version of libwebp");
    frame->width = image.width;
    frame->height = image.height;
    frame->use_argb = 1;
    return frame.release();
  }

  static void free_frame(WebPPicture* frame) {
    WebPPictureFree(frame);
    std::default_delete<WebPPicture>()(frame);
  }

  int milliseconds_;
  int time_ = 0;
  std::unique_ptr<WebPAnimEncoder, decltype(&WebPAnimEncoderDelete)> encoder_{
      nullptr, WebPAnimEncoderDelete};
};

}  // namespace

std::unique_ptr<AnimatedPicture> animated_gif(int milliseconds) {
  return std::make_unique<GifPicture>(milliseconds);
}

std::unique_ptr<AnimatedPicture> animated_webp(int milliseconds) {
  return std::make_unique<WebpPicture>(milliseconds);
}

}  // namespace gvbind
