#include "gvbind/fitted/network_file.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>

#include "gvbind/error.h"

namespace gvbind {

namespace {

constexpr unsigned max_format = 2;  // 1: a single network
constexpr std::string_view file_magic = "gvbind weights ";
constexpr std::string_view checksum_key = "checksum ";
constexpr std::size_t checksum_digits = 16;
constexpr std::size_t max_header = 16 << 20;  // bytes; enough for ten thousand inputs

[[noreturn]] void refuse_weights(const std::string& what) { throw Error(ErrorKind::input, what); }

[[noreturn]] void refuse_damaged(const std::string& what) {
  refuse_weights("a damaged file of weights: " + what + "; take a whole copy, or fit it again");
}

/// FNV-1a, continued from `hash`.
std::uint64_t add_to_hash(std::uint64_t hash, std::span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

constexpr std::uint64_t empty_hash = 0xcbf29ce484222325u;

std::string checksum_text(std::uint64_t hash) {
  char text[checksum_digits + 1];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

/// Reads lines from the front of a text.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  std::size_t position() const { return at_; }

  std::string_view line() {
    const std::size_t end = text_.substr(0, max_header).find('\n', at_);
    if (end == text_.npos) refuse_damaged("it ends within its text");
    const std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    return line;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<unsigned> take_number(std::string_view& line, std::string_view key) {
  if (!line.starts_with(key)) return std::nullopt;
  line.remove_prefix(key.size());
  unsigned number = 0;
  const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc()) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(rest - line.data()));
  return number;
}

/// The version of the format.
unsigned read_format(std::string_view bytes) {
  if (!bytes.starts_with(file_magic))
    refuse_weights("not a file of weights: it does not begin with 'gvbind weights'");
  LineReader lines(bytes.substr(0, 64));
  std::string_view line = lines.line();
  const auto version = take_number(line, file_magic);
  if (!version || !line.empty()) refuse_damaged("its first line has no version");
  if (*version < 1 || *version > max_format)
    refuse_weights("a file of weights of format " + std::to_string(*version) +
                   ", this gvbind reads formats up to " + std::to_string(max_format) +
                   "; fit it again with this gvbind");
  return *version;
}

std::size_t read_count(LineReader& lines, std::string_view key) {
  std::string_view line = lines.line();
  const auto count = take_number(line, key);
  if (!count || !line.empty()) refuse_damaged("no line '" + std::string(key) + "N'");
  return *count;
}

FittedNetworks read_sizes(LineReader& lines, std::size_t features, unsigned format) {
  std::string_view line = lines.line();
  const auto count = take_number(line, "features ");
  const auto version = take_number(line, " version ");
  if (!count || !version || !line.empty()) refuse_damaged("no line 'features N version N'");
  if (*version != pair_feature_version || *count != features)
    refuse_weights("weights fitted on features that this gvbind does not have (" +
                   std::to_string(*count) + " of version " + std::to_string(*version) + ", not " +
                   std::to_string(features) + " of version " +
                   std::to_string(pair_feature_version) + "); fit them again with this gvbind");
  const std::size_t hidden = read_count(lines, "hidden ");
  if (hidden < 1 || hidden > max_hidden || *count < 1 || *count > max_pair_features)
    refuse_damaged("a network of " + std::to_string(*count) + " by " + std::to_string(hidden));
  const std::size_t networks = format > 1 ? read_count(lines, "networks ") : 1;
  if (networks < format || networks > max_networks)
    refuse_damaged("a number of networks of " + std::to_string(networks));
  return {std::vector<PairNetwork>(networks, make_network(*count, hidden))};
}

void read_numbers(std::span<const std::uint8_t> bytes, FittedNetworks& fitted) {
  auto byte = bytes.begin();
  for (PairNetwork& network : fitted.networks)
    for (const std::span<float> part : parts_of(network))
      for (float& number : part) {
        std::uint32_t bits = 0;
        for (int shift = 0; shift < 32; shift += 8) bits |= std::uint32_t{*byte++} << shift;
        number = std::bit_cast<float>(bits);
        if (!(std::abs(number) <= max_network_number))
          refuse_damaged("a number that is not finite, or too large");
      }
}

std::string header_of(const NetworkFile& file) {
  const std::size_t networks = file.fitted.networks.size();
  const PairNetwork& network = file.fitted.networks.front();
  std::string text = std::string(file_magic) + (networks > 1 ? "2\n" : "1\n");
  text += "features " + std::to_string(network.features) + " version " +
          std::to_string(pair_feature_version) + "\n";
  text += "hidden " + std::to_string(network.hidden) + "\n";
  if (networks > 1) text += "networks " + std::to_string(networks) + "\n";
  for (std::string note : file.notes) {
    std::ranges::replace(note, '\n', ' ');
    text += "# " + note + "\n";
  }
  return text;
}

}  // namespace

std::vector<std::uint8_t> encode_network(const NetworkFile& file) {
  std::vector<std::uint8_t> numbers;
  for (const PairNetwork& network : file.fitted.networks)
    for (const std::span<const float> part : parts_of(network))
      for (const float number : part)
        for (int shift = 0; shift < 32; shift += 8)
          numbers.push_back(
              static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(number) >> shift));
  const std::string header = header_of(file);
  std::vector<std::uint8_t> bytes(header.begin(), header.end());
  const std::string checksum = std::string(checksum_key) +
                               checksum_text(add_to_hash(add_to_hash(empty_hash, bytes), numbers)) +
                               "\n";
  bytes.insert(bytes.end(), checksum.begin(), checksum.end());
  bytes.insert(bytes.end(), numbers.begin(), numbers.end());
  return bytes;
}

NetworkFile decode_network(std::span<const std::uint8_t> bytes, std::size_t features) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const unsigned format = read_format(text);
  LineReader lines(text);
  lines.line();
  NetworkFile file;
  file.fitted = read_sizes(lines, features, format);
  std::size_t header = lines.position();
  std::string_view line = lines.line();
  for (; line.starts_with("# "); line = lines.line()) {
    file.notes.emplace_back(line.substr(2));
    header = lines.position();
  }
  if (!line.starts_with(checksum_key)) refuse_damaged("no line 'checksum'");
  const std::span<const std::uint8_t> numbers = bytes.subspan(lines.position());
  const PairNetwork& network = file.fitted.networks.front();
  const std::size_t expected =
      4 * file.fitted.networks.size() * number_count(network.features, network.hidden);
  if (numbers.size() != expected)
    refuse_damaged(std::to_string(numbers.size()) + " bytes of numbers, not " +
                   std::to_string(expected));
  const std::uint64_t hash = add_to_hash(add_to_hash(empty_hash, bytes.first(header)), numbers);
  if (line.substr(checksum_key.size()) != checksum_text(hash))
    refuse_damaged("its checksum differs");
  if (header_of(file) != text.substr(0, header))
    refuse_damaged("its text is not as gvbind writes it");
  read_numbers(numbers, file.fitted);
  return file;
}

}  // namespace gvbind
