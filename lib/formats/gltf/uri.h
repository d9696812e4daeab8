#pragma once

// Tested by tests/unit/formats/gltf/container_test.cpp.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gvbind::gltf {

bool is_data_uri(std::string_view uri);

/// The payload of a data: URI, base64 or percent-encoded. Nothing if it is damaged.
std::optional<std::vector<std::uint8_t>> decode_data_uri(std::string_view uri);
std::string encode_data_uri(std::span<const std::uint8_t> bytes);

/// The path that a URI names, relative to the document's directory or absolute, percent-decoded
/// once. It may lead anywhere, so open it only with read_file_under. Nothing for URIs that name no
/// local file (http:, data:, file: of another host) or contain a zero byte.
std::optional<std::filesystem::path> file_of_uri(std::string_view uri);

/// The file that a URI of a document in `folder` names, relative to it, as Windows tools understand
/// the URI. In order: the path of file_of_uri() if it exists; with backslashes as separators or, if
/// the path begins with a drive or a server, only its file name; the URI's own text if a file has
/// that name. The file need not exist. Nothing if file_of_uri() returns nothing, except for paths
/// that begin with a drive.
std::optional<std::filesystem::path> named_file(const std::filesystem::path& folder,
                                                std::string_view uri);
std::string uri_of_file(const std::filesystem::path& relative);

}  // namespace gvbind::gltf
