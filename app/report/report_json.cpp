#include "report/report_json.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "gvbind/error.h"
#include "report/batch_report.h"
#include "report/report_members.h"

namespace gvbind {

namespace {

constexpr const char* schema_name = "gvbind/report/1";
constexpr int max_shards = 100000;  // a higher count means a damaged report

template <typename Value>
concept Struct = requires(const Value* value) {
  members_of(value);
};

template <typename Value, typename Do>
void for_each_member(const Do& act) {
  std::apply([&](const auto&... members) { (act(members), ...); },
             members_of(static_cast<const Value*>(nullptr)));
}

// The names of enumerators.

const char* name_of(Severity severity) { return severity_name(severity); }

constexpr auto values_of(Severity) {
  return std::array{Severity::note, Severity::warning, Severity::error};
}

constexpr auto values_of(AssetStatus) {
  return std::array{AssetStatus::done, AssetStatus::up_to_date, AssetStatus::skipped,
                    AssetStatus::failed, AssetStatus::interrupted};
}

constexpr auto values_of(MeshWeights) {
  return std::array{MeshWeights::none, MeshWeights::replaced, MeshWeights::kept,
                    MeshWeights::filled};
}

constexpr auto values_of(check::SkinVerdict) {
  return std::array{check::SkinVerdict::better, check::SkinVerdict::equal,
                    check::SkinVerdict::worse};
}

template <typename Value>
Json written(const Value& value) {
  if constexpr (Struct<Value>) {
    Json json = Json::object();
    for_each_member<Value>([&](const auto& member) {
      const auto& one = value.*member.value;
      if constexpr (is_optional<std::remove_cvref_t<decltype(one)>>) {
        if (one)
          json[member.name] = written(*one);
        else if (member.absent == Absent::null)
          json[member.name] = nullptr;
      } else {
        json[member.name] = written(one);
      }
    });
    return json;
  } else if constexpr (std::same_as<Value, OptionTexts>) {
    Json json = Json::object();
    for (const auto& [name, text] : value) json[name] = text;
    return json;
  } else if constexpr (is_list<Value>) {
    Json json = Json::array();
    for (const auto& one : value) json.push_back(written(one));
    return json;
  } else if constexpr (std::is_enum_v<Value> || std::same_as<Value, FailOn>) {
    return name_of(value);
  } else {
    return value;
  }
}

/// Constraints of the schema beyond types.
bool is_sound(const Finding& finding) { return !finding.code.empty(); }
bool is_sound(const EntryError& error) { return error.exit_code >= 1 && error.exit_code <= 255; }
bool is_sound(const Shard& shard) {
  return shard.index >= 1 && shard.index <= shard.count && shard.count <= max_shards;
}
bool is_sound(const AssetEntry& asset) {
  const bool failed = asset.status == AssetStatus::failed;
  const bool well = asset.status == AssetStatus::done || asset.status == AssetStatus::up_to_date;
  return !asset.name.empty() && (!failed || asset.error) && (!well || !asset.error);
}
template <typename Value>
bool is_sound(const Value&) {
  return true;
}

bool read(const Json& json, std::string& text) {
  if (json.is_string()) text = json.get_ref<const std::string&>();
  return json.is_string();
}

bool read(const Json& json, bool& truth) {
  if (json.is_boolean()) truth = json.get<bool>();
  return json.is_boolean();
}

bool read(const Json& json, double& number) {
  if (!json.is_number()) return false;
  number = json.get<double>();
  return number >= 0.0;
}

template <std::integral Count>
bool read(const Json& json, Count& count) {
  if (!json.is_number_integer() || json < 0) return false;
  const auto number = json.get<std::uint64_t>();
  count = static_cast<Count>(number);
  return std::in_range<Count>(number);
}

bool read(const Json& json, Json& object) {
  if (json.is_object()) object = json;
  return json.is_object();
}

bool read(const Json& json, OptionTexts& options) {
  if (!json.is_object()) return false;
  options.clear();
  for (const auto& [name, value] : json.items())
    if (!read(value, options.emplace_back(name, "").second)) return false;
  return true;
}

bool read(const Json& json, FailOn& fail_on) {
  std::string name;
  const auto named = read(json, name) ? fail_on_named(name) : std::nullopt;
  if (named) fail_on = *named;
  return named.has_value();
}

template <typename Enum>
requires std::is_enum_v<Enum>
bool read(const Json& json, Enum& value) {
  std::string name;
  if (!read(json, name)) return false;
  for (const Enum candidate : values_of(Enum()))
    if (name == name_of(candidate)) {
      value = candidate;
      return true;
    }
  return false;
}

[[noreturn]] void refuse_member(const std::string& name) {
  throw Error(ErrorKind::input, "its member '" + name + "' is missing or no such thing");
}

template <Struct Value>
bool read(const Json& json, Value& value);

template <typename Value>
bool read(const Json& json, std::vector<Value>& list) {
  if (!json.is_array()) return false;
  list.clear();
  list.reserve(json.size());
  return std::all_of(json.begin(), json.end(),
                     [&](const Json& one) { return read(one, list.emplace_back()); });
}

template <typename Value>
bool read(const Json& json, std::optional<Value>& value) {
  return read(json, value.emplace());
}

/// False if `json` is not an object or violates a constraint; throws Error(input) for a wrong
/// member.
template <Struct Value>
bool read(const Json& json, Value& value) {
  if (!json.is_object()) return false;
  std::size_t known = 0;
  for_each_member<Value>([&](const auto& member) {
    auto& one = value.*member.value;
    const auto found = json.find(member.name);
    known += found != json.end();
    if (found == json.end()) {
      if (member.absent == Absent::never || member.absent == Absent::null)
        refuse_member(member.name);
      one = {};
    } else if (member.absent == Absent::null && found->is_null()) {
      one = {};
    } else if (!read(*found, one)) {
      refuse_member(member.name);
    }
  });
  if (known < json.size())
    for (const auto& item : json.items()) {
      const std::string& name = item.key();
      bool is_known = false;
      for_each_member<Value>([&](const auto& member) { is_known |= name == member.name; });
      if (!is_known) throw Error(ErrorKind::input, "its member '" + name + "' is not known");
    }
  return is_sound(value);
}

void mend(std::string& text) { text = mended_utf8(text); }

void mend(Json& json) {
  if (json.is_structured())
    for (Json& value : json) mend(value);
  else if (json.is_string())
    mend(json.get_ref<std::string&>());
}

template <typename Value>
void mend(Value& value) {
  if constexpr (Struct<Value>) {
    for_each_member<Value>([&](const auto& member) { mend(value.*member.value); });
  } else if constexpr (is_list<Value>) {
    for (auto& one : value) mend(one);
  } else if constexpr (is_optional<Value>) {
    if (value) mend(*value);
  } else if constexpr (std::same_as<Value, OptionTexts::value_type>) {
    mend(value.second);
  }
}

}  // namespace

Json json_of(const AssetEntry& asset) { return written(asset); }
Json json_of(const Findings& findings) { return written(findings); }

Json json_of(const Report& report) {
  Json json = {{"schema", schema_name}};
  json.update(written(report));
  return json;
}

Report read_report_json(const Json& json) {
  if (!json.is_object() || json.value("schema", Json()) != schema_name)
    throw Error(ErrorKind::input, std::string("is not a report of schema ") + schema_name);
  Json members = json;
  members.erase("schema");
  Report report;
  read(members, report);
  return report;
}

std::optional<AssetEntry> read_entry(const Json& json) {
  try {
    AssetEntry asset;
    if (read(json, asset)) return asset;
  } catch (const Error&) {
    // The caller handles the missing entry.
  }
  return std::nullopt;
}

std::optional<AssetEntry> read_entry(const std::string& json) {
  return read_entry(Json::parse(json, nullptr, false));
}

std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string report_text(const Report& report) { return json_text(json_of(report)); }

std::string mended_utf8(const std::string& text) {
  const bool ascii = std::all_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  // Dumping replaces invalid bytes; parsing removes the escapes again.
  return ascii ? text : Json::parse(json_line(text)).get<std::string>();
}

void mend_utf8(Report& report) { mend(report); }

}  // namespace gvbind
