#pragma once

// Tested by tests/unit/bind/distance_cache_test.cpp.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gvbind/error.h"

namespace gvbind {

static_assert(std::endian::native == std::endian::little, "kept fields are little-endian");

/// Throws Error(input): the file of distances is damaged, with a remedy.
[[noreturn]] void refuse_cache(const std::string& what);

/// As above, for other file kinds.
using RefuseBytes = void (*)(const std::string& what);

/// Takes values into bytes. Arrays are stored as planes - the first byte of each element, then the
/// second of each, ... - since the high bytes of numbers hardly change and so take no room when
/// they are compressed.
class FieldWriter {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    const auto* raw = reinterpret_cast<const std::uint8_t*>(&value);
    bytes_.insert(bytes_.end(), raw, raw + sizeof value);
  }
  void put_bytes(std::span<const std::uint8_t> raw) {
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  template <class T>
  void put_array(std::span<const T> values) {
    static_assert(std::is_arithmetic_v<T>);
    put(std::uint64_t{values.size()});
    const std::size_t start = bytes_.size();
    bytes_.resize(start + values.size_bytes());
    const auto* raw = reinterpret_cast<const std::uint8_t*>(values.data());
    std::uint8_t* out = bytes_.data() + start;
    for (std::size_t byte = 0; byte < sizeof(T); ++byte)
      for (std::size_t i = 0; i < values.size(); ++i) *out++ = raw[i * sizeof(T) + byte];
  }
  template <class T>
  void put_array(const std::vector<T>& values) {
    put_array(std::span<const T>(values));
  }

  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Takes them back. Every read checks that there is so much.
class FieldReader {
 public:
  explicit FieldReader(std::span<const std::uint8_t> bytes, RefuseBytes refuse = refuse_cache)
      : bytes_(bytes), refuse_(refuse) {}

  template <class T>
  T take() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, part(1, sizeof value).data(), sizeof value);
    return value;
  }
  /// A number that is finite and at most so large.
  double take_number(double most) {
    const auto value = take<double>();
    if (!(std::abs(value) <= most)) refuse_("a number that is not finite, or too large");
    return value;
  }
  std::string take_text() {
    const std::span<const std::uint8_t> text = part(take<std::uint64_t>(), 1);
    return {text.begin(), text.end()};
  }
  template <class T>
  std::vector<T> take_array() {
    static_assert(std::is_arithmetic_v<T>);
    const auto count = take<std::uint64_t>();
    const std::uint8_t* in = part(count, sizeof(T)).data();
    std::vector<T> values(count);
    auto* raw = reinterpret_cast<std::uint8_t*>(values.data());
    for (std::size_t byte = 0; byte < sizeof(T); ++byte)
      for (std::size_t i = 0; i < count; ++i) raw[i * sizeof(T) + byte] = *in++;
    return values;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::uint8_t> part(std::uint64_t count, std::size_t size) {
    if (count > bytes_.size() / size) refuse_("it ends too early");
    const auto taken = bytes_.first(count * size);
    bytes_ = bytes_.subspan(count * size);
    return taken;
  }

  std::span<const std::uint8_t> bytes_;
  RefuseBytes refuse_;
};

/// Compresses in blocks, in parallel, with a checksum.
std::vector<std::uint8_t> pack_blocks(std::span<const std::uint8_t> bytes);

/// Throws Error(input) for bytes that are damaged, cut or continued.
std::vector<std::uint8_t> unpack_blocks(std::span<const std::uint8_t> packed,
                                        RefuseBytes refuse = refuse_cache);

}  // namespace gvbind
