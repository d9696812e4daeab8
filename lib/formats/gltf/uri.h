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

/// The payload of a data: URI, base64 or percent-encoded. Nothing where it is damaged.
std::optional<std::vector<std::uint8_t>> decode_data_uri(std::string_view uri);
std::string encode_data_uri(std::span<const std::uint8_t> bytes);

/// A path from the document's directory, or an absolute one as the URI says; wherever that leads,
/// so it is to be read with read_file_under alone. Decoded once. Nothing for URIs that name no file
/// of this machine (http:, data:, file: of another host) or none at all (with a zero byte).
std::optional<std::filesystem::path> file_of_uri(std::string_view uri);

/// The file that a URI of a document in `folder` names, as a path from there, as Windows tools mean
/// it: file_of_uri()'s where it is there; else with backslashes as separators, or, of a path that
/// begins with a drive or a server, the name alone; else the URI's own text where that is a file.
/// It need not be there. Nothing where file_of_uri() has none, but for drives.
std::optional<std::filesystem::path> named_file(const std::filesystem::path& folder,
                                                std::string_view uri);
std::string uri_of_file(const std::filesystem::path& relative);

}  // namespace gvbind::gltf
