#include "bind/distance_cache.h"

#include <algorithm>
#include <string_view>

#include "bind/cache_stream.h"
#include "bind/cached_solid.h"

namespace gvbind {

namespace {

constexpr std::string_view field_magic = "gvbind field ";
constexpr std::string_view field_version = "3\n";

void put_texts(const std::vector<std::string>& texts, FieldWriter& out) {
  out.put(std::uint64_t{texts.size()});
  for (const std::string& text : texts) out.put(text);
}

/// Texts are added one by one: a count that is not true ends with the bytes.
std::vector<std::string> take_texts(FieldReader& in) {
  std::vector<std::string> texts;
  for (auto count = in.take<std::uint64_t>(); count > 0; --count) texts.push_back(in.take_text());
  return texts;
}

void check_first_line(std::string_view text) {
  if (!text.starts_with(field_magic))
    throw Error(ErrorKind::input,
                "not a file of distances: it does not begin with 'gvbind field'; 'gvbind bind "
                "--save-distances' makes one");
  if (!text.substr(field_magic.size()).starts_with(field_version))
    throw Error(ErrorKind::input,
                "a file of distances of another version; bind again with this gvbind");
}

}  // namespace

std::vector<std::uint8_t> encode_field(const DistanceCache& field) {
  FieldWriter out;
  out.put(field.input);
  out.put(std::uint64_t{field.options.size()});
  for (const auto& [name, values] : field.options) {
    out.put(name);
    put_texts(values, out);
  }
  out.put(std::int32_t{field.resolution});
  out.put(std::uint64_t{field.solids.size()});
  for (const CachedSolid& solid : field.solids) put_solid(solid, out);
  const std::vector<std::uint8_t> packed = pack_blocks(out.bytes());
  const std::string first_line = std::string(field_magic) + std::string(field_version);
  std::vector<std::uint8_t> bytes(first_line.size() + packed.size());
  std::ranges::copy(first_line, bytes.begin());
  std::ranges::copy(packed, bytes.begin() + static_cast<std::ptrdiff_t>(first_line.size()));
  return bytes;
}

DistanceCache decode_field(std::span<const std::uint8_t> bytes) {
  check_first_line({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const std::vector<std::uint8_t> body =
      unpack_blocks(bytes.subspan(field_magic.size() + field_version.size()));
  FieldReader in(body);
  DistanceCache field;
  field.input = in.take_text();
  for (auto count = in.take<std::uint64_t>(); count > 0; --count) {
    std::string name = in.take_text();
    field.options.emplace_back(std::move(name), take_texts(in));
  }
  field.resolution = in.take<std::int32_t>();
  for (auto count = in.take<std::uint64_t>(); count > 0; --count)
    field.solids.push_back(take_solid(in));
  for (const CachedSolid& solid : field.solids)
    if (solid.kept.distances.voxels.resolution != field.resolution)
      refuse_cache("its solids are of several resolutions");
  if (!in.at_end()) refuse_cache("something follows its end");
  return field;
}

}  // namespace gvbind
