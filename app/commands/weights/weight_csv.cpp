// Tested by tests/command/weights_test.py.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/weights/weight_files.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

constexpr std::array<std::string_view, 4> csv_columns = {"mesh", "vertex", "joint", "weight"};
constexpr std::uint32_t most_csv_vertices =
    1u << 28;  // so that a mistyped index does not use all memory

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// Records of RFC 4180.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  /// False at the end of the file. Skips empty lines.
  bool next(std::vector<std::string>& fields) {
    while (text_.starts_with('\n') || text_.starts_with("\r\n")) end_line();
    if (text_.empty()) return false;
    record_line_ = line_;
    fields.clear();
    do fields.push_back(field());
    while (take(','));
    if (!text_.empty() && !text_.starts_with('\n') && !text_.starts_with("\r\n"))
      refuse("has text after a quoted field");
    if (!text_.empty()) end_line();
    return true;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorKind::input, "line " + std::to_string(record_line_) + ": " + why);
  }

 private:
  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  void end_line() {
    take('\r');
    take('\n');
    ++line_;
  }

  std::string field() {
    if (take('"')) return quoted_field();
    const std::size_t end = std::min(text_.find_first_of(",\n"), text_.size());
    std::string_view plain = text_.substr(0, end);
    if (plain.ends_with('\r')) plain.remove_suffix(1);
    text_.remove_prefix(plain.size());
    return std::string(plain);
  }

  std::string quoted_field() {
    std::string text;
    for (;;) {
      const std::size_t end = text_.find('"');
      if (end == text_.npos) refuse("has a quote that nothing closes");
      line_ += static_cast<std::size_t>(std::ranges::count(text_.substr(0, end), '\n'));
      text += text_.substr(0, end);
      text_.remove_prefix(end + 1);
      if (!take('"')) return text;
      text += '"';
    }
  }

  std::string_view text_;
  std::size_t line_ = 1, record_line_ = 1;
};

template <typename Number>
bool reads_as(const std::string& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// A weight that is too small for single precision is a zero, not an error.
bool reads_as_weight(const std::string& text, float& weight) {
  if (reads_as(text, weight)) return true;
  double wide = 0.0;
  if (!reads_as(text, wide) || std::abs(wide) >= 1.0) return false;
  weight = static_cast<float>(wide);
  return true;
}

std::array<std::size_t, 4> column_places(const CsvReader& reader,
                                         const std::vector<std::string>& header) {
  std::array<std::size_t, 4> places{};
  for (std::size_t c = 0; c < csv_columns.size(); ++c) {
    const auto at = std::ranges::find(header, csv_columns[c]);
    if (at == header.end())
      reader.refuse("has no column '" + std::string(csv_columns[c]) +
                    "'; the first line is mesh,vertex,joint,weight");
    places[c] = static_cast<std::size_t>(at - header.begin());
  }
  return places;
}

struct CsvEntry {
  std::uint32_t vertex = 0, joint = 0;
  float weight = 0;
};

SkinWeights rows_of_entries(std::vector<CsvEntry>& entries) {
  std::ranges::stable_sort(entries, {}, &CsvEntry::vertex);
  SkinWeights rows;
  for (const CsvEntry& entry : entries) {
    while (rows.vertex_count() <= entry.vertex)
      rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
    rows.joint.push_back(entry.joint);
    rows.weight.push_back(entry.weight);
    rows.first.back() = static_cast<std::uint32_t>(rows.joint.size());
  }
  return rows;
}

}  // namespace

std::string weights_csv(const WeightTable& table) {
  std::string text = "mesh,vertex,joint,weight\n";
  for (const WeightTable::Mesh& mesh : table.meshes) {
    const std::string name = csv_field(mesh.name);
    for (std::size_t v = 0; v < mesh.rows.vertex_count(); ++v)
      for (const Influence& entry : mesh.rows.row(v))
        text += name + "," + std::to_string(v) + "," + csv_field(table.joints[entry.joint]) + "," +
                float_text(entry.weight) + "\n";
  }
  return text;
}

WeightTable read_weights_csv(const std::vector<std::uint8_t>& bytes) {
  CsvReader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::vector<std::string> fields;
  if (!reader.next(fields)) reader.refuse("is empty; the first line is mesh,vertex,joint,weight");
  const auto places = column_places(reader, fields);
  const std::size_t width = fields.size();
  // Meshes and joints are numbered in order of first appearance.
  WeightTable table;
  std::map<std::string, std::uint32_t> joint_of;
  std::map<std::string, std::size_t> mesh_of;
  std::vector<std::vector<CsvEntry>> entries;
  while (reader.next(fields)) {
    if (fields.size() != width)
      reader.refuse("has " + std::to_string(fields.size()) + " fields, not " +
                    std::to_string(width));
    CsvEntry entry;
    if (!reads_as(fields[places[1]], entry.vertex) || entry.vertex >= most_csv_vertices)
      reader.refuse("vertex '" + fields[places[1]] + "' is no index of a vertex");
    if (!reads_as_weight(fields[places[3]], entry.weight))
      reader.refuse("weight '" + fields[places[3]] + "' is no number");
    const auto [joint, new_joint] =
        joint_of.emplace(fields[places[2]], static_cast<std::uint32_t>(joint_of.size()));
    if (new_joint) table.joints.push_back(joint->first);
    entry.joint = joint->second;
    const auto [mesh, new_mesh] = mesh_of.emplace(fields[places[0]], mesh_of.size());
    if (new_mesh) {
      table.meshes.push_back({mesh->first, {}, false});
      entries.emplace_back();
    }
    entries[mesh->second].push_back(entry);
  }
  for (std::size_t m = 0; m < entries.size(); ++m)
    table.meshes[m].rows = rows_of_entries(entries[m]);
  return table;
}

}  // namespace gvbind
