#include "formats/gltf/uri.h"

#include <algorithm>
#include <cctype>

#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "io/base64.h"

namespace gvbind::gltf {
namespace {

bool starts_with_ignoring_case(std::string_view text, std::string_view start) {
  return lower_case(text.substr(0, start.size())) == start;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low < 0) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

/// A path like "C:/x", with either slash.
bool begins_with_drive(std::string_view path) {
  const bool is_letter = !path.empty() && std::isalpha(static_cast<unsigned char>(path[0]));
  return is_letter && path.size() > 2 && path[1] == ':' && (path[2] == '/' || path[2] == '\\');
}

/// Also recognizes the path of a file: URI with a drive, "/C:/x", and paths that begin with a
/// server or a root.
bool is_absolute_on_windows(std::string_view path) {
  return path.starts_with('\\') || begins_with_drive(path) ||
         (path.starts_with('/') && begins_with_drive(path.substr(1)));
}

}  // namespace

bool is_data_uri(std::string_view uri) { return starts_with_ignoring_case(uri, "data:"); }

std::optional<std::vector<std::uint8_t>> decode_data_uri(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (!is_data_uri(uri) || comma == std::string_view::npos) return std::nullopt;
  const std::string_view head = uri.substr(0, comma), body = uri.substr(comma + 1);
  if (head.ends_with(";base64"))
    return body.find('%') == std::string_view::npos ? from_base64(body)
                                                    : from_base64(percent_decoded(body));
  const std::string plain = percent_decoded(body);
  return std::vector<std::uint8_t>(plain.begin(), plain.end());
}

std::string encode_data_uri(std::span<const std::uint8_t> bytes) {
  return "data:application/octet-stream;base64," + base64(bytes);
}

std::optional<std::filesystem::path> file_of_uri(std::string_view uri) {
  if (starts_with_ignoring_case(uri, "file:")) {
    uri.remove_prefix(5);
    for (const std::string_view this_host : {"//localhost/", "///"})
      if (starts_with_ignoring_case(uri, this_host)) uri.remove_prefix(this_host.size() - 1);
    if (!uri.starts_with('/')) return std::nullopt;
  }
  const std::size_t colon = uri.find(':');
  // A colon before the first slash means that the URI has a scheme.
  if (colon != std::string_view::npos && uri.substr(0, colon).find('/') == std::string_view::npos)
    return std::nullopt;
  if (uri.starts_with("//") || uri.empty()) return std::nullopt;
  const std::string path = percent_decoded(uri);
  if (path.find('\0') != std::string::npos) return std::nullopt;
  return path;
}

std::optional<std::filesystem::path> named_file(const std::filesystem::path& folder,
                                                std::string_view uri) {
  const auto is_there = [&](const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::exists(folder / file, ignored);
  };
  auto literal = file_of_uri(uri);
  if (!literal && begins_with_drive(uri)) literal = percent_decoded(uri);
  std::string slashed = literal ? path_text(*literal) : std::string();
  if (slashed.empty() || slashed.find('\0') != std::string::npos) return std::nullopt;
  if (is_there(*literal)) return literal;
  const bool absolute = is_absolute_on_windows(slashed);
  std::ranges::replace(slashed, '\\', '/');
  std::filesystem::path file = slashed;
  if (absolute) file = file.filename();
  if (file.empty()) return std::nullopt;
  const bool is_relative = !absolute && !file.is_absolute();
  if (is_relative && !is_there(file) && is_there(uri)) return std::filesystem::path(uri);
  return file;
}

std::string uri_of_file(const std::filesystem::path& relative) {
  constexpr std::string_view plain = "-._~/!$&'()*+,;=@";
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string out;
  for (const char c : relative.generic_string()) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte)) || plain.find(c) != std::string_view::npos)
      out += c;
    else
      (out += '%').append({hex[byte >> 4], hex[byte & 15]});
  }
  return out;
}

}  // namespace gvbind::gltf
