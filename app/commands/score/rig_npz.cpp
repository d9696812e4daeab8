// Tested by tests/command/score_test.py.

#include <algorithm>
#include <limits>
#include <optional>

#include "commands/score/rig_data.h"
#include "commands/weights/npy_array.h"
#include "commands/weights/zip_entries.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Uncompressed, of all arrays: ten million vertices of a hundred joints take less.
constexpr std::uint64_t max_bytes = std::uint64_t{4} << 30;

[[noreturn]] void refuse_arrays(const std::string& why) { throw Error(ErrorKind::input, why); }

class Arrays {
 public:
  explicit Arrays(ZipEntries entries) : entries_(std::move(entries)) {}

  bool has(const std::string& name) const { return find(name) != nullptr; }

  /// The array of the first of the names that exists.
  NpyArray of(const std::vector<std::string>& names) const {
    for (const std::string& name : names)
      if (const std::string* content = find(name)) {
        try {
          return NpyArray(*content);
        } catch (const Error& error) {
          refuse_arrays("array '" + name + "': " + error.what());
        }
      }
    refuse_arrays("has no array '" + names.front() + "'");
  }

 private:
  const std::string* find(const std::string& name) const {
    for (const auto& [file, content] : entries_)
      if (file == name + ".npy") return &content;
    return nullptr;
  }

  ZipEntries entries_;
};

void require_columns(const NpyArray& array, std::size_t columns, const std::string& name) {
  if (array.is_text() || array.columns() != columns)
    refuse_arrays("array '" + name + "' has not " + std::to_string(columns) +
                  (columns == 1 ? " number" : " numbers") + " a row");
}

/// A whole number from 0.
std::size_t index_at(const NpyArray& array, std::size_t row, std::size_t column,
                     const std::string& name) {
  const double value = array.number(row, column);
  if (!array.is_integer() || value < 0.0 || value > std::numeric_limits<std::uint32_t>::max())
    refuse_arrays("array '" + name + "', row " + std::to_string(row) +
                  ": is no whole number from 0");
  return static_cast<std::size_t>(value);
}

std::vector<Eigen::Vector3d> places_of(const Arrays& arrays, const std::string& name) {
  const NpyArray array = arrays.of({name});
  require_columns(array, 3, name);
  std::vector<Eigen::Vector3d> places;
  for (std::size_t i = 0; i < array.rows(); ++i)
    places.emplace_back(array.number(i, 0), array.number(i, 1), array.number(i, 2));
  return places;
}

void read_joints(const Arrays& arrays, RigData& data) {
  data.joints = places_of(arrays, "joints");
  data.parents.assign(data.joints.size(), -1);
  if (arrays.has("joint_names")) {
    const NpyArray names = arrays.of({"joint_names"});
    if (!names.is_text() || names.columns() != 1 || names.rows() != data.joints.size())
      refuse_arrays("array 'joint_names' is no list of a text for each joint");
    for (std::size_t j = 0; j < names.rows(); ++j) data.joint_names.push_back(names.text(j));
  } else {
    for (std::size_t j = 0; j < data.joints.size(); ++j)
      data.joint_names.push_back("joint" + std::to_string(j));
  }
  const NpyArray bones = arrays.of({"bones"});
  if (bones.rows() == 0) return;
  require_columns(bones, 2, "bones");
  for (std::size_t i = 0; i < bones.rows(); ++i)
    data.set_parent(index_at(bones, i, 1, "bones"), index_at(bones, i, 0, "bones"));
}

void read_triangles(const Arrays& arrays, RigData& data) {
  const NpyArray faces = arrays.of({"faces"});
  require_columns(faces, 3, "faces");
  for (std::size_t i = 0; i < faces.rows(); ++i) {
    Triangle triangle;
    for (std::size_t k = 0; k < 3; ++k)
      triangle[k] = static_cast<std::uint32_t>(index_at(faces, i, k, "faces"));
    data.triangles.push_back(triangle);
  }
}

void read_dense(const NpyArray& weights, const std::string& name, RigData& data) {
  if (!weights.is_float() || weights.rows() != data.positions.size() ||
      weights.columns() != data.joints.size())
    refuse_arrays("array '" + name +
                  "' has not a row of floats for each vertex and a column for each joint");
  for (std::size_t v = 0; v < weights.rows(); ++v)
    for (std::size_t j = 0; j < weights.columns(); ++j)
      if (const double weight = weights.number(v, j); weight != 0.0) data.add_weight(v, j, weight);
}

void require_list(const NpyArray& array, std::size_t rows, const std::string& name) {
  require_columns(array, 1, name);
  if (array.rows() != rows)
    refuse_arrays("array '" + name + "' has " + std::to_string(array.rows()) + " rows instead of " +
                  std::to_string(rows));
}

const std::string prefix = "skinning_weights_";

/// Values with their rows and columns.
void read_triplets(const Arrays& arrays, RigData& data) {
  const NpyArray values = arrays.of({prefix + "value"});
  const NpyArray rows = arrays.of({prefix + "row", prefix + "rows"});
  const NpyArray columns = arrays.of({prefix + "col", prefix + "cols"});
  require_columns(values, 1, prefix + "value");
  require_list(rows, values.rows(), prefix + "row");
  require_list(columns, values.rows(), prefix + "col");
  for (std::size_t i = 0; i < values.rows(); ++i)
    data.add_weight(index_at(rows, i, 0, prefix + "row"), index_at(columns, i, 0, prefix + "col"),
                    values.number(i, 0));
}

/// Values with their columns, and where the values of each row begin.
void read_compressed_rows(const Arrays& arrays, RigData& data) {
  const NpyArray values = arrays.of({prefix + "data"});
  const NpyArray columns = arrays.of({prefix + "indices"});
  const NpyArray starts = arrays.of({prefix + "indptr"});
  require_columns(values, 1, prefix + "data");
  require_list(columns, values.rows(), prefix + "indices");
  require_list(starts, data.positions.size() + 1, prefix + "indptr");
  std::size_t begin = index_at(starts, 0, 0, prefix + "indptr");
  for (std::size_t v = 0; v < data.positions.size(); ++v) {
    const std::size_t end = index_at(starts, v + 1, 0, prefix + "indptr");
    if (end < begin || end > values.rows())
      refuse_arrays("array '" + prefix + "indptr', row " + std::to_string(v + 1) +
                    ": does not follow the one above, or lies beyond the weights");
    for (; begin < end; ++begin)
      data.add_weight(v, index_at(columns, begin, 0, prefix + "indices"), values.number(begin, 0));
  }
}

}  // namespace

RigData read_rig_npz(const std::vector<std::uint8_t>& bytes) {
  const Arrays arrays(read_zip(bytes, max_bytes));
  if (arrays.has("arr_0") && !arrays.has("vertices"))
    refuse_arrays(
        "holds Python objects ('arr_0'), which are never read since they can run code; split it "
        "into a .npz for each character as docs/score.md shows");
  RigData data;
  data.positions = places_of(arrays, "vertices");
  read_joints(arrays, data);
  read_triangles(arrays, data);
  if (arrays.has("skinning_weights"))
    read_dense(arrays.of({"skinning_weights"}), "skinning_weights", data);
  else if (arrays.has(prefix + "data"))
    read_compressed_rows(arrays, data);
  else
    read_triplets(arrays, data);
  return data;
}

}  // namespace gvbind
