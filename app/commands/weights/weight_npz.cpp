// Tested by tests/command/weights_test.py.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/weights/npy_array.h"
#include "commands/weights/weight_files.h"
#include "commands/weights/zip_entries.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

[[noreturn]] void refuse_npz(const std::string& why) { throw Error(ErrorKind::input, why); }

NpyArray array_named(const ZipEntries& entries, const std::string& name) {
  for (const auto& [file, content] : entries) {
    if (file != name + ".npy") continue;
    try {
      return NpyArray(content);
    } catch (const Error& error) {
      refuse_npz("array '" + name + "': " + error.what());
    }
  }
  refuse_npz("has no array '" + name + "'");
}

std::vector<std::string> texts_named(const ZipEntries& entries, const std::string& name) {
  const NpyArray array = array_named(entries, name);
  if (!array.is_text() || array.columns() != 1)
    refuse_npz("array '" + name + "' is no list of texts");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < array.rows(); ++i) texts.push_back(array.text(i));
  return texts;
}

std::string whole_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0f", number);
  return text.data();
}

SkinWeights rows_of_arrays(const NpyArray& joints, const NpyArray& weights, std::size_t known,
                           const std::string& where) {
  if (!joints.is_integer()) refuse_npz(where + "its joints are no integers");
  if (!weights.is_float()) refuse_npz(where + "its weights are no floats");
  if (joints.rows() != weights.rows() || joints.columns() != weights.columns())
    refuse_npz(where + "its joints and weights differ in shape");
  SkinWeights rows;
  for (std::size_t v = 0; v < joints.rows(); ++v) {
    for (std::size_t k = 0; k < joints.columns(); ++k) {
      const double joint = joints.number(v, k), weight = weights.number(v, k);
      // Some programs pad rows with joint 0 and weight 0, or with joint -1.
      if (joint == -1 || weight == 0) continue;
      if (joint < 0 || joint >= static_cast<double>(known))
        refuse_npz(where + "row " + std::to_string(v) + " has joint " + whole_text(joint) +
                   ", and 'joints' has " + std::to_string(known));
      rows.joint.push_back(static_cast<std::uint32_t>(joint));
      rows.weight.push_back(static_cast<float>(weight));
    }
    rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
  }
  return rows;
}

}  // namespace

std::string weights_npz(const WeightTable& table) {
  std::vector<std::string> names;
  for (const WeightTable::Mesh& mesh : table.meshes) names.push_back(mesh.name);
  ZipEntries entries = {{"meshes.npy", npy_texts(names)}, {"joints.npy", npy_texts(table.joints)}};
  for (std::size_t m = 0; m < table.meshes.size(); ++m) {
    const SkinWeights& rows = table.meshes[m].rows;
    std::size_t width = 1;
    for (std::size_t v = 0; v < rows.vertex_count(); ++v)
      width = std::max(width, rows.row(v).size());
    std::vector<std::int32_t> joints(rows.vertex_count() * width, -1);
    std::vector<float> weights(rows.vertex_count() * width, 0.0f);
    for (std::size_t v = 0; v < rows.vertex_count(); ++v)
      for (std::size_t k = 0; k < rows.row(v).size(); ++k) {
        joints[v * width + k] = static_cast<std::int32_t>(rows.row(v)[k].joint);
        weights[v * width + k] = rows.row(v)[k].weight;
      }
    entries.emplace_back("joints_" + std::to_string(m) + ".npy", npy_integers(joints, width));
    entries.emplace_back("weights_" + std::to_string(m) + ".npy", npy_floats(weights, width));
  }
  return zip_of(entries);
}

WeightTable read_weights_npz(const std::vector<std::uint8_t>& bytes) {
  const ZipEntries entries = read_zip(bytes);
  WeightTable table;
  table.joints = texts_named(entries, "joints");
  const std::vector<std::string> names = texts_named(entries, "meshes");
  for (std::size_t m = 0; m < names.size(); ++m) {
    const NpyArray joints = array_named(entries, "joints_" + std::to_string(m));
    const NpyArray weights = array_named(entries, "weights_" + std::to_string(m));
    table.meshes.push_back({names[m], rows_of_arrays(joints, weights, table.joints.size(),
                                                     "mesh '" + names[m] + "': ")});
  }
  return table;
}

}  // namespace gvbind
