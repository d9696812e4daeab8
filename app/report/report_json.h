#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "report/asset_entry.h"

namespace gvbind {

using Json = nlohmann::ordered_json;
struct Report;

// Reports as JSON; only this file knows the names of the members. Invalid UTF-8 has to be replaced
// when JSON is dumped, as json_line() and report_text() do.

Json json_of(const Report& report);
Json json_of(const AssetEntry& asset);
Json json_of(const Findings& findings);

/// Accepts exactly the members of the schema. Throws Error(input) naming the wrong member.
Report read_report_json(const Json& json);

/// For entries from other processes and from disk: none if the JSON is not an asset's entry.
std::optional<AssetEntry> read_entry(const Json& json);
std::optional<AssetEntry> read_entry(const std::string& json);

/// On one line; invalid UTF-8 becomes U+FFFD.
std::string json_line(const Json& json);

/// Indented by two spaces, with a line end; invalid UTF-8 becomes U+FFFD.
std::string json_text(const Json& json);
std::string report_text(const Report& report);

/// Replaces invalid UTF-8 by U+FFFD.
std::string mended_utf8(const std::string& text);
void mend_utf8(Report& report);

}  // namespace gvbind
