#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "report/asset_entry.h"

namespace gvbind {

using Json = nlohmann::ordered_json;
struct Report;

// Reports as JSON, the only place that knows how their members are called there. A text that is not
// UTF-8 has to be replaced when the JSON is dumped; json_line() and report_text() do that.

Json json_of(const Report& report);
Json json_of(const AssetEntry& asset);
Json json_of(const Findings& findings);

/// By the schema, and nothing beside it. Throws Error(input) that says which member is wrong.
Report read_report_json(const Json& json);

/// For entries from other processes and from the disk: none where the JSON is no asset's entry.
std::optional<AssetEntry> read_entry(const Json& json);
std::optional<AssetEntry> read_entry(const std::string& json);

/// On one line; bytes that are not UTF-8 become U+FFFD.
std::string json_line(const Json& json);

/// Two spaces of indent and a newline at the end; bytes that are not UTF-8 become U+FFFD.
std::string json_text(const Json& json);
std::string report_text(const Report& report);

/// What is not UTF-8, in the text or in any text of the report, becomes U+FFFD.
std::string mended_utf8(const std::string& text);
void mend_utf8(Report& report);

}  // namespace gvbind
