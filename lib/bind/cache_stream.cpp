#include "bind/cache_stream.h"

#include <xxhash.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>

#include "gvbind/base/parallel.h"

namespace gvbind {

namespace {

constexpr std::size_t block_bytes = 1 << 20;
constexpr int fastest_level = 1;
/// Deflate makes no more of a byte.
constexpr std::uint64_t max_growth = 1040;

std::uint64_t checksum_of(std::span<const std::uint8_t> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::size_t blocks_of(std::uint64_t bytes) { return (bytes + block_bytes - 1) / block_bytes; }

}  // namespace

void refuse_cache(const std::string& what) {
  throw Error(ErrorKind::input, "a damaged file of distances: " + what +
                                    "; take a whole copy, or bind again with --save-distances");
}

std::vector<std::uint8_t> pack_blocks(std::span<const std::uint8_t> bytes) {
  std::vector<std::vector<std::uint8_t>> blocks(blocks_of(bytes.size()));
  parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const auto raw = bytes.subspan(b * block_bytes)
                           .first(std::min(block_bytes, bytes.size() - b * block_bytes));
      uLongf size = compressBound(static_cast<uLong>(raw.size()));
      blocks[b].resize(size);
      if (compress2(blocks[b].data(), &size, raw.data(), static_cast<uLong>(raw.size()),
                    fastest_level) != Z_OK)
        throw std::bad_alloc();
      blocks[b].resize(size);
    }
  });
  FieldWriter packed;
  packed.put(std::uint64_t{0});  // for the checksum
  packed.put(std::uint64_t{bytes.size()});
  for (const std::vector<std::uint8_t>& block : blocks) packed.put(std::uint64_t{block.size()});
  for (const std::vector<std::uint8_t>& block : blocks) packed.put_bytes(block);
  std::vector<std::uint8_t> whole = packed.bytes();
  const std::uint64_t checksum = checksum_of(std::span(whole).subspan(sizeof checksum));
  std::memcpy(whole.data(), &checksum, sizeof checksum);
  return whole;
}

std::vector<std::uint8_t> unpack_blocks(std::span<const std::uint8_t> packed, RefuseBytes refuse) {
  FieldReader head(packed, refuse);
  const auto checksum = head.take<std::uint64_t>();
  if (checksum != checksum_of(packed.subspan(sizeof checksum))) refuse("its checksum differs");
  const auto total = head.take<std::uint64_t>();
  if (total / max_growth > packed.size()) refuse("it claims to hold too much");
  std::vector<std::span<const std::uint8_t>> blocks(blocks_of(total));
  std::span<const std::uint8_t> rest =
      packed.subspan(std::min(packed.size(), 2 * sizeof total + blocks.size() * sizeof total));
  for (auto& block : blocks) {
    const auto size = head.take<std::uint64_t>();
    if (size > rest.size()) refuse("it ends too early");
    block = rest.first(size);
    rest = rest.subspan(size);
  }
  if (!rest.empty()) refuse("something follows its end");
  std::vector<std::uint8_t> bytes(total);
  std::atomic<bool> damaged = false;
  parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const std::size_t expected = std::min<std::size_t>(block_bytes, total - b * block_bytes);
      auto size = static_cast<uLongf>(expected);
      if (uncompress(bytes.data() + b * block_bytes, &size, blocks[b].data(),
                     static_cast<uLong>(blocks[b].size())) != Z_OK ||
          size != expected)
        damaged = true;
    }
  });
  if (damaged) refuse("a block of it cannot be unpacked");
  return bytes;
}

}  // namespace gvbind
