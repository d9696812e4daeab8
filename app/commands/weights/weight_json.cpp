#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "commands/weights/weight_files.h"
#include "gvbind/error.h"

// Tested by tests/command/weights_test.py.

namespace gvbind {

namespace {

// Numbers are parsed as float, since going through double could round twice. Keys keep their order.
using FloatJson = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                       std::int64_t, std::uint64_t, float>;

constexpr const char* weights_schema_name = "gvbind/weights/1";

std::string quoted(const std::string& text) {
  return FloatJson(text).dump(-1, ' ', false, FloatJson::error_handler_t::replace);
}

[[noreturn]] void refuse_json(const std::string& why) { throw Error(ErrorKind::input, why); }

/// A parser keeps one of two entries with the same key, so a row would lose the other's weight.
class RepeatedKeys {
 public:
  bool operator()(int, FloatJson::parse_event_t event, const FloatJson& parsed) {
    if (event == FloatJson::parse_event_t::object_start) {
      row_ = keys_.size() < 2 ? 0 : row_ + 1;
      mesh_ += keys_.size() == 1;
      keys_.emplace_back();
    } else if (event == FloatJson::parse_event_t::object_end) {
      keys_.pop_back();
    } else if (event == FloatJson::parse_event_t::key) {
      const std::string name = parsed.get<std::string>();
      if (!keys_.back().insert(name).second) refuse_json(place() + "'" + name + "' is there twice");
    }
    return true;
  }

 private:
  std::string place() const {
    if (keys_.size() < 2) return "";
    return "mesh " + std::to_string(mesh_ - 1) + ": " +
           (keys_.size() < 3 ? "" : "row " + std::to_string(row_ - 1) + ": ");
  }

  std::vector<std::set<std::string>> keys_;  ///< of the objects around the place: file, mesh, row
  std::size_t mesh_ = 0, row_ = 0;           ///< counted from 1
};

FloatJson parse_weights_json(const std::vector<std::uint8_t>& bytes) {
  try {
    return FloatJson::parse(bytes.begin(), bytes.end(), RepeatedKeys());
  } catch (const FloatJson::parse_error& error) {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
    const std::string text = error.what();
    const std::size_t end = text.find("] ");
    refuse_json("is no JSON: " + (end == text.npos ? text : text.substr(end + 2)));
  } catch (const FloatJson::out_of_range&) {
    refuse_json("has a number that is too large");
  }
}

const FloatJson& json_member(const FloatJson& object, const char* name, const std::string& where) {
  if (!object.is_object() || !object.contains(name)) refuse_json(where + "has no \"" + name + "\"");
  return object.at(name);
}

/// Joints by name, as rows refer to them.
class JointIndex {
 public:
  explicit JointIndex(WeightTable& table) : table_(table) {}

  std::uint32_t of(const std::string& name) {
    const auto [at, is_new] = index_.emplace(name, static_cast<std::uint32_t>(index_.size()));
    if (is_new) table_.joints.push_back(name);
    return at->second;
  }

 private:
  WeightTable& table_;
  std::map<std::string, std::uint32_t> index_;
};

void read_joints(const FloatJson& list, JointIndex& joints) {
  if (!list.is_array()) refuse_json("\"joints\" is no list");
  for (const FloatJson& name : list) {
    if (!name.is_string()) refuse_json("\"joints\" has an entry that is not a string");
    joints.of(name.get<std::string>());
  }
}

void read_row(const FloatJson& row, const std::string& where, JointIndex& joints,
              SkinWeights& rows) {
  if (!row.is_object()) refuse_json(where + "is no object of joints and weights");
  for (const auto& [name, weight] : row.items()) {
    if (!weight.is_number()) refuse_json(where + "the weight of '" + name + "' is no number");
    rows.joint.push_back(joints.of(name));
    rows.weight.push_back(weight.get<float>());
  }
  rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
}

WeightTable::Mesh read_mesh(const FloatJson& mesh, std::size_t at, JointIndex& joints) {
  const std::string place = "mesh " + std::to_string(at) + ": ";
  const FloatJson& name = json_member(mesh, "name", place);
  if (!name.is_string()) refuse_json(place + "\"name\" is no text");
  WeightTable::Mesh read;
  read.name = name.get<std::string>();
  const std::string where = "mesh '" + read.name + "': ";
  const FloatJson& rows = json_member(mesh, "rows", where);
  if (!rows.is_array()) refuse_json(where + "\"rows\" is no list");
  std::size_t v = 0;
  for (const FloatJson& row : rows)
    read_row(row, where + "row " + std::to_string(v++) + ": ", joints, read.rows);
  if (mesh.contains("vertices") && mesh.at("vertices") != rows.size())
    refuse_json(where + "\"vertices\" is " + mesh.at("vertices").dump() + ", and there are " +
                std::to_string(rows.size()) + " rows");
  return read;
}

void append_row_text(const SkinWeights& rows, std::size_t vertex,
                     const std::vector<std::string>& names, std::string& text) {
  bool first = true;
  text += '{';
  for (const Influence& entry : rows.row(vertex)) {
    text += (first ? "" : ", ") + names[entry.joint] + ": " + float_text(entry.weight);
    first = false;
  }
  text += '}';
}

}  // namespace

std::string weights_json(const WeightTable& table) {
  std::vector<std::string> names;
  for (const std::string& joint : table.joints) names.push_back(quoted(joint));
  std::string text = "{\n\"schema\": " + quoted(weights_schema_name) + ",\n\"joints\": [";
  for (std::size_t j = 0; j < names.size(); ++j) text += (j == 0 ? "" : ", ") + names[j];
  text += "],\n\"meshes\": [";
  for (std::size_t m = 0; m < table.meshes.size(); ++m) {
    const WeightTable::Mesh& mesh = table.meshes[m];
    text += (m == 0 ? "\n" : ",\n");
    text += "{\"name\": " + quoted(mesh.name) +
            ", \"vertices\": " + std::to_string(mesh.rows.vertex_count()) + ", \"rows\": [";
    for (std::size_t v = 0; v < mesh.rows.vertex_count(); ++v) {
      text += v == 0 ? "\n" : ",\n";
      append_row_text(mesh.rows, v, names, text);
    }
    text += "\n]}";
  }
  return text + "\n]\n}\n";
}

WeightTable read_weights_json(const std::vector<std::uint8_t>& bytes) {
  const FloatJson json = parse_weights_json(bytes);
  const FloatJson& schema = json_member(json, "schema", "");
  if (schema != weights_schema_name)
    refuse_json("\"schema\" is " + schema.dump() + ", not \"" + weights_schema_name + "\"");
  const FloatJson& meshes = json_member(json, "meshes", "");
  if (!meshes.is_array()) refuse_json("\"meshes\" is no list");
  WeightTable table;
  JointIndex joints(table);
  if (json.contains("joints")) read_joints(json.at("joints"), joints);
  std::size_t at = 0;
  for (const FloatJson& mesh : meshes) table.meshes.push_back(read_mesh(mesh, at++, joints));
  return table;
}

}  // namespace gvbind
