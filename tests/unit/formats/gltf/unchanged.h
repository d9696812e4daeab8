#pragma once

#include <catch2/catch.hpp>
#include <set>

#include "formats/gltf/sample.h"

namespace gvbind::test {

/// Removes everything that belongs to skins: joints and weights of primitives, skins, and the sizes
/// that grow when data is appended.
inline Json without_skin(Json json) {
  json.erase("skins");
  for (Json& mesh : json["meshes"])
    for (Json& primitive : mesh["primitives"]) {
      std::vector<std::string> gone;
      for (const auto& [name, value] : primitive["attributes"].items())
        if (name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_")) gone.push_back(name);
      for (const std::string& name : gone) primitive["attributes"].erase(name);
    }
  return json;
}

/// Whether `now` contains all values of `old`; lists may be longer.
inline bool contains_all(const Json& old, const Json& now, const std::string& at,
                         std::string& where) {
  where = at;
  if (old.is_object()) {
    if (!now.is_object()) return false;
    for (const auto& [key, value] : old.items())
      if (!now.contains(key) || !contains_all(value, now[key], at + "/" + key, where)) return false;
    return true;
  }
  if (old.is_array()) {
    if (!now.is_array() || now.size() < old.size()) return false;
    for (std::size_t i = 0; i < old.size(); ++i)
      if (!contains_all(old[i], now[i], at + "/" + std::to_string(i), where)) return false;
    return true;
  }
  return old == now;
}

/// The old BIN chunk is a prefix of the new one, and all old JSON values outside of skins are
/// equal. Only top-level lists grow, and nodes gain only a skin (or a copy of their mesh).
inline void check_unchanged(const Chunks& old, const Chunks& now) {
  REQUIRE(now.bin.size() >= old.bin.size());
  CHECK(std::equal(old.bin.begin(), old.bin.end(), now.bin.begin()));
  Json before = without_skin(old.json), after = without_skin(now.json);
  if (!before["buffers"].empty() && !before["buffers"][0].contains("uri"))
    before["buffers"][0]["byteLength"] = after["buffers"][0]["byteLength"];
  for (const char* key : {"buffers", "bufferViews", "accessors", "meshes", "nodes"}) {
    if (!before.contains(key)) continue;
    REQUIRE(after[key].size() >= before[key].size());
    Json& list = after[key];
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(before[key].size()), list.end());
  }
  for (std::size_t i = 0; i < before["nodes"].size(); ++i) {
    Json &a = before["nodes"][i], &b = after["nodes"][i];
    a.erase("skin");
    b.erase("skin");
    if (a.contains("mesh") && b["mesh"] >= before["meshes"].size()) b["mesh"] = a["mesh"];
  }
  for (const auto& [key, value] : before.items()) {
    INFO(key);
    CHECK((value == after[key]));
  }
}

}  // namespace gvbind::test
