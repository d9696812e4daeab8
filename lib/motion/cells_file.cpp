#include "motion/cells_file.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "bind/cache_stream.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "motion/largest_influences.h"

namespace gvbind::motion {

namespace {

constexpr std::string_view cells_magic = "gvbind cells ";
constexpr std::string_view cells_version = "1\n";
constexpr double max_length = 1e60;
constexpr int most_influences = 8;
/// Relative to the size: larger differences mean another pose.
constexpr double max_joint_shift = 1e-3;
constexpr double shortest_turn = 1e-6;  ///< minimum length of a quaternion

void refuse_cells(const std::string& what) {
  throw Error(ErrorKind::input, "a damaged file of cells: " + what +
                                    "; take a whole copy, or fit it again with 'gvbind refine --by "
                                    "cells --keep-cells'");
}

void check_cells_line(std::string_view text) {
  if (!text.starts_with(cells_magic))
    throw Error(ErrorKind::input,
                "not a file of cells: it does not begin with 'gvbind cells'; 'gvbind refine --by "
                "cells --keep-cells' makes one");
  if (!text.substr(cells_magic.size()).starts_with(cells_version))
    throw Error(ErrorKind::input,
                "a file of cells of another version; fit it again with this gvbind");
}

void check_numbers(std::span<const float> numbers) {
  if (numbers.size() != numbers_per_cell) refuse_cells("a cell of another size");
  const auto check = [&](std::size_t i, double most) {
    if (!(std::abs(double{numbers[i]}) <= most))
      refuse_cells("a number that is not finite, or too large");
  };
  for (std::size_t i = 0; i < cell_exponent; ++i) {
    const std::size_t at = i % numbers_per_site;
    const bool is_log = at == site_rounding || (at >= site_scale && at < site_rotation);
    check(i, is_log ? max_cell_log : max_cell_number);
  }
  check(cell_exponent, max_cell_log);
  check(cell_margin, max_cell_log);
  for (std::size_t k = 0; k < sites_per_cell; ++k) {
    double squared = 0.0;
    for (std::size_t i = site_rotation; i < site_rounding; ++i) {
      const double number = double{numbers[k * numbers_per_site + i]};
      squared += number * number;
    }
    if (!(squared >= shortest_turn * shortest_turn)) refuse_cells("a turn about no axis");
  }
}

[[noreturn]] void refuse_joint_of_cells(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::cannot_bind, "joint '" + name + "' of the file of cells " + why);
}

/// By cell, the joint of the scene with its name. Looked up on first use, so that cells without
/// weight need no joint.
class JointsOfCells {
 public:
  JointsOfCells(const BindableScene& scene, const SkinCells& cells)
      : scene_(scene), cells_(cells), joint_(cells.count(), -1) {}

  std::uint32_t of(std::uint32_t cell) {
    if (joint_[cell] < 0) joint_[cell] = found(cells_.joints[cell]);
    return static_cast<std::uint32_t>(joint_[cell]);
  }

 private:
  std::ptrdiff_t found(const SkinCells::Owner& owner) const {
    const auto joint = std::ranges::find(scene_.joints, owner.name, &SceneJoint::name);
    if (joint == scene_.joints.end()) refuse_joint_of_cells(owner.name, "is missing");
    if (!joint->deforms) refuse_joint_of_cells(owner.name, "may not own weight here");
    const double shift = (joint->bind.translation() - owner.position).norm() / cells_.size;
    if (!(shift <= max_joint_shift))
      refuse_joint_of_cells(owner.name, "lies elsewhere here, by " + significant(100 * shift, 2) +
                                            " % of the size: bind in one pose, unit and up axis");
    return joint - scene_.joints.begin();
  }

  const BindableScene& scene_;
  const SkinCells& cells_;
  std::vector<std::ptrdiff_t> joint_;
};

}  // namespace

void round_cells(SkinCells& cells) {
  for (double& number : cells.numbers) number = double{static_cast<float>(number)};
}

std::vector<std::uint8_t> encode_cells(const SkinCells& cells) {
  FieldWriter out;
  out.put(cells.size);
  out.put(std::int32_t{cells.max_influences});
  out.put(std::uint64_t{cells.count()});
  for (std::size_t c = 0; c < cells.count(); ++c) {
    out.put(cells.joints[c].name);
    for (int i = 0; i < 3; ++i) out.put(cells.joints[c].position[i]);
    std::vector<float> numbers;
    for (std::size_t i = 0; i < numbers_per_cell; ++i)
      numbers.push_back(static_cast<float>(cells.numbers[c * numbers_per_cell + i]));
    out.put_array(numbers);
  }
  const std::vector<std::uint8_t> packed = pack_blocks(out.bytes());
  const std::string first_line = std::string(cells_magic) + std::string(cells_version);
  std::vector<std::uint8_t> bytes(first_line.size() + packed.size());
  std::ranges::copy(first_line, bytes.begin());
  std::ranges::copy(packed, bytes.begin() + static_cast<std::ptrdiff_t>(first_line.size()));
  return bytes;
}

SkinCells decode_cells(std::span<const std::uint8_t> bytes) {
  check_cells_line({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const std::vector<std::uint8_t> body =
      unpack_blocks(bytes.subspan(cells_magic.size() + cells_version.size()), refuse_cells);
  FieldReader in(body, refuse_cells);
  SkinCells cells;
  cells.size = in.take_number(max_length);
  if (!(cells.size > 1.0 / max_length)) refuse_cells("its size is not above zero");
  cells.max_influences = in.take<std::int32_t>();
  if (cells.max_influences < 1 || cells.max_influences > most_influences)
    refuse_cells("a number of joints per point that is not 1 to 8");
  auto count = in.take<std::uint64_t>();
  if (count == 0) refuse_cells("it holds no cell");
  for (; count > 0; --count) {
    SkinCells::Owner owner;
    owner.name = in.take_text();
    for (int i = 0; i < 3; ++i) owner.position[i] = in.take_number(max_length);
    cells.joints.push_back(std::move(owner));
    const std::vector<float> numbers = in.take_array<float>();
    check_numbers(numbers);
    cells.numbers.insert(cells.numbers.end(), numbers.begin(), numbers.end());
  }
  if (!in.at_end()) refuse_cells("something follows its end");
  return cells;
}

SceneBinding bind_from_cells(const BindableScene& scene, int max_influences,
                             const SkinCells& cells) {
  SceneBinding binding;
  binding.statistics.device = "none";
  binding.weights.meshes.resize(scene.meshes.size());
  const int most =
      max_influences > 0 ? std::min(max_influences, cells.max_influences) : cells.max_influences;
  JointsOfCells joints(scene, cells);
  bool any = false;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (!mesh.selected || mesh.positions.empty()) continue;
    any = true;
    const SkinWeights made = cell_weights(cells, mesh.positions, most);
    SkinWeights& rows = binding.weights.meshes[m];
    std::vector<Influence> entries;
    for (std::size_t v = 0; v < made.vertex_count(); ++v) {
      entries.clear();
      for (const Influence& entry : made.row(v))
        entries.push_back({joints.of(entry.joint), entry.weight});
      append_largest(entries, entries.size(), rows);
    }
  }
  if (!any) throw Error(ErrorKind::cannot_bind, "no mesh to bind");
  apply_assignments(scene, binding);
  return binding;
}

}  // namespace gvbind::motion
