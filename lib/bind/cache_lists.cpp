#include "bind/cache_lists.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace gvbind {

namespace {

constexpr std::int32_t max_coordinate = 1 << 28;  // where positions saturate
constexpr double max_list_number = 1e300;
constexpr float max_score = 1e30f;
constexpr std::uint8_t boundary_bit = 0x80;
/// Of a voxel or seed, label units: far beyond any path, with room for sums.
constexpr std::uint64_t max_label_distance = std::uint64_t{1} << 46;

/// Labels of a voxel, ascending, then no_label.
void check_label(Label label, std::size_t joints) {
  if (label_joint(label) >= joints || label_distance(label) > max_label_distance)
    refuse_cache("a distance to no joint");
}

/// The largest level that sparse_voxels() makes.
int top_level(int resolution) {
  int level = 0;
  while ((resolution >> level) > SparseOptions{}.coarsest_cells) ++level;
  return level;
}

Primitive take_primitive(FieldReader& in) {
  Primitive where;
  const auto kind = in.take<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(Primitive::Kind::half_space))
    refuse_cache("a region of no kind");
  where.kind = static_cast<Primitive::Kind>(kind);
  for (double& coordinate : where.a) coordinate = in.take_number(max_list_number);
  for (double& coordinate : where.b) coordinate = in.take_number(max_list_number);
  where.radius = in.take_number(max_list_number);
  for (double& number : where.frame.matrix().reshaped()) number = in.take_number(max_list_number);
  return where;
}

}  // namespace

void put_points(std::span<const Eigen::Vector3i> points, FieldWriter& out) {
  out.put_array(std::span<const std::int32_t>(points.empty() ? nullptr : points[0].data(),
                                              3 * points.size()));
}

std::vector<Eigen::Vector3i> take_points(FieldReader& in) {
  const auto numbers = in.take_array<std::int32_t>();
  if (numbers.size() % 3 != 0) refuse_cache("a point without all coordinates");
  std::vector<Eigen::Vector3i> points(numbers.size() / 3);
  for (std::size_t i = 0; i < 3 * points.size(); ++i) {
    if (std::abs(std::int64_t{numbers[i]}) > max_coordinate) refuse_cache("a point far away");
    points[i / 3][static_cast<Eigen::Index>(i % 3)] = numbers[i];
  }
  return points;
}

void put_triangles(std::span<const Triangle> triangles, FieldWriter& out) {
  out.put_array(std::span<const std::uint32_t>(triangles.empty() ? nullptr : triangles[0].data(),
                                               3 * triangles.size()));
}

std::vector<Triangle> take_triangles(std::size_t vertices, FieldReader& in) {
  const auto corners = in.take_array<std::uint32_t>();
  if (corners.size() % 3 != 0) refuse_cache("a triangle without all corners");
  std::vector<Triangle> triangles(corners.size() / 3);
  for (std::size_t i = 0; i < 3 * triangles.size(); ++i) {
    if (corners[i] >= vertices) refuse_cache("a triangle of a missing vertex");
    triangles[i / 3][i % 3] = corners[i];
  }
  return triangles;
}

void put_bones(const LatticeBones& bones, FieldWriter& out) {
  std::vector<std::uint32_t> counts;
  std::vector<Eigen::Vector3i> ends;
  for (const std::vector<LatticeSegment>& segments : bones) {
    counts.push_back(static_cast<std::uint32_t>(segments.size()));
    for (const LatticeSegment& s : segments) ends.insert(ends.end(), {s.a, s.b});
  }
  out.put_array(counts);
  put_points(ends, out);
}

LatticeBones take_bones(std::size_t joints, FieldReader& in) {
  const auto counts = in.take_array<std::uint32_t>();
  const std::vector<Eigen::Vector3i> ends = take_points(in);
  if (counts.size() != joints) refuse_cache("its bones are not those of its joints");
  LatticeBones bones(joints);
  std::size_t next = 0;
  for (std::size_t j = 0; j < joints; ++j) {
    if (counts[j] > (ends.size() - next) / 2) refuse_cache("a bone without an end");
    for (std::uint32_t i = 0; i < counts[j]; ++i, next += 2)
      bones[j].push_back({ends[next], ends[next + 1]});
  }
  return bones;
}

void put_voxels(const SparseVoxels& voxels, FieldWriter& out) {
  std::vector<std::uint64_t> steps;
  std::vector<std::uint8_t> kinds;
  MortonCode before = 0;
  for (const Leaf& leaf : voxels.leaves) {
    steps.push_back(leaf.code() - std::exchange(before, leaf.code()));
    kinds.push_back(
        static_cast<std::uint8_t>(leaf.level | (leaf.boundary ? boundary_bit : std::uint8_t{0})));
  }
  out.put(std::int32_t{voxels.resolution});
  out.put_array(steps);
  out.put_array(kinds);
}

SparseVoxels take_voxels(FieldReader& in) {
  const auto resolution = in.take<std::int32_t>();
  if (resolution < 16 || resolution > 2048 || !std::has_single_bit(unsigned(resolution)))
    refuse_cache("a resolution of " + std::to_string(resolution));
  const auto steps = in.take_array<std::uint64_t>();
  const auto kinds = in.take_array<std::uint8_t>();
  if (steps.empty() || kinds.size() != steps.size()) refuse_cache("voxels without a size");
  const auto side = static_cast<MortonCode>(resolution);
  const MortonCode end = side * side * side;
  ZeroedArray<Leaf> leaves(steps.size());
  MortonCode free = 0, code = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const int level = kinds[i] & (boundary_bit - 1);
    if (steps[i] > end || level > top_level(resolution)) refuse_cache("a voxel out of its cube");
    code += steps[i];
    const MortonCode cells = MortonCode{1} << (3 * level);
    if (code < free || code % cells != 0 || code + cells > end) refuse_cache("voxels that overlap");
    free = code + cells;
    leaves[i] = Leaf{};
    leaves[i].code_low = static_cast<std::uint32_t>(code);
    leaves[i].code_high = code >> 32 & 0xf;
    leaves[i].level = static_cast<unsigned>(level) & 0x1f;
    leaves[i].boundary = level == 0 && (kinds[i] & boundary_bit) != 0;
  }
  return voxels_of_leaves(resolution, std::move(leaves));
}

void put_labels(const DistanceField& field, FieldWriter& out) {
  out.put(std::int32_t{field.labels_per_voxel});
  out.put_array(field.labels);
}

DistanceField take_labels(std::size_t voxels, std::size_t joints, FieldReader& in) {
  DistanceField field;
  field.labels_per_voxel = in.take<std::int32_t>();
  field.labels = in.take_array<Label>();
  const auto count = static_cast<std::size_t>(std::max(field.labels_per_voxel, 0));
  if (count < 1 || count > joints || field.labels.size() / count != voxels ||
      field.labels.size() % count != 0)
    refuse_cache("its distances are not those of its voxels");
  for (std::size_t i = 0; i < field.labels.size(); ++i) {
    if (field.labels[i] != no_label) check_label(field.labels[i], joints);
    if (i % count > 0 && field.labels[i] < field.labels[i - 1])
      refuse_cache("distances that do not ascend");
  }
  return field;
}

void put_seeds(std::span<const Seed> seeds, FieldWriter& out) {
  std::vector<std::uint32_t> voxels;
  std::vector<Label> labels;
  for (const Seed& seed : seeds) {
    voxels.push_back(seed.voxel);
    labels.push_back(seed.label);
  }
  out.put_array(voxels);
  out.put_array(labels);
}

std::vector<Seed> take_seeds(std::size_t voxels, std::size_t joints, FieldReader& in) {
  const auto where = in.take_array<std::uint32_t>();
  const auto labels = in.take_array<Label>();
  if (where.size() != labels.size()) refuse_cache("a seed without a distance");
  std::vector<Seed> seeds;
  for (std::size_t i = 0; i < where.size(); ++i) {
    if (where[i] >= voxels) refuse_cache("a seed in no voxel");
    check_label(labels[i], joints);
    seeds.push_back({where[i], labels[i]});
  }
  return seeds;
}

void put_outside(std::span<const OutsideJoint> outside, FieldWriter& out) {
  out.put(std::uint64_t{outside.size()});
  for (const OutsideJoint& joint : outside) {
    out.put(joint.joint);
    out.put(joint.distance);
    for (const double coordinate : joint.offset) out.put(coordinate);
  }
}

std::vector<OutsideJoint> take_outside(std::size_t joints, FieldReader& in) {
  std::vector<OutsideJoint> outside;
  for (auto count = in.take<std::uint64_t>(); count > 0; --count) {
    OutsideJoint& joint = outside.emplace_back();
    joint.joint = in.take<std::uint32_t>();
    if (joint.joint >= joints) refuse_cache("a missing joint");
    joint.distance = in.take_number(max_list_number);
    for (double& coordinate : joint.offset) coordinate = in.take_number(max_list_number);
  }
  return outside;
}

void put_primitive(const Primitive& where, FieldWriter& out) {
  out.put(static_cast<std::uint8_t>(where.kind));
  for (const double coordinate : where.a) out.put(coordinate);
  for (const double coordinate : where.b) out.put(coordinate);
  out.put(where.radius);
  for (const double number : where.frame.matrix().reshaped()) out.put(number);
}

void put_seed_regions(std::span<const SeedRegion> volumes, FieldWriter& out) {
  out.put(std::uint64_t{volumes.size()});
  for (const SeedRegion& volume : volumes) {
    out.put(volume.joint);
    put_primitive(volume.where, out);
  }
}

std::vector<SeedRegion> take_volumes_of_field(std::size_t joints, FieldReader& in) {
  std::vector<SeedRegion> volumes;
  for (auto count = in.take<std::uint64_t>(); count > 0; --count) {
    const auto joint = in.take<std::uint32_t>();
    if (joint >= joints) refuse_cache("a missing joint");
    volumes.push_back({joint, take_primitive(in)});
  }
  return volumes;
}

void put_scores(const PairScores& scores, FieldWriter& out) {
  out.put_array(scores.first);
  out.put_array(scores.joint);
  out.put_array(scores.score);
  out.put_array(scores.nearest);
}

PairScores take_scores(std::size_t vertices, std::size_t joints, FieldReader& in) {
  PairScores scores;
  scores.first = in.take_array<std::uint32_t>();
  scores.joint = in.take_array<std::uint32_t>();
  scores.score = in.take_array<float>();
  scores.nearest = in.take_array<double>();
  const std::vector<std::uint32_t>& first = scores.first;
  if (first.empty()) refuse_cache("its scores have no rows");
  const bool whole = (first.size() == 1 || first.size() == vertices + 1) && first.front() == 0 &&
                     first.back() == scores.joint.size() &&
                     scores.joint.size() == scores.score.size() &&
                     scores.nearest.size() + 1 == first.size();
  if (!whole) refuse_cache("its scores are not those of its vertices");
  for (std::size_t v = 0; v + 1 < first.size(); ++v)
    if (first[v + 1] < first[v] || first[v + 1] - first[v] > max_pairs)
      refuse_cache("a vertex of too many joints");
  for (std::size_t i = 0; i < scores.joint.size(); ++i)
    if (scores.joint[i] >= joints || !(std::abs(scores.score[i]) <= max_score))
      refuse_cache("a score of no joint");
  for (const double distance : scores.nearest)
    if (!(distance >= 0.0 && distance <= max_score)) refuse_cache("a distance that is none");
  return scores;
}

void put_report(const BindResult& report, FieldWriter& out) {
  const BindStatistics& s = report.statistics;
  out.put(s.device);
  for (const std::size_t count : {s.interior_voxels, s.boundary_voxels, s.ambiguous_voxels,
                                  s.ambiguous_interior, s.sparse_voxels})
    out.put(std::uint64_t{count});
  out.put_array(std::vector<std::uint64_t>(s.rules.edits.begin(), s.rules.edits.end()));
  out.put_array(std::vector<std::uint64_t>(s.rules.volumes.begin(), s.rules.volumes.end()));
  out.put(std::uint64_t{report.findings.size()});
  for (const Finding& finding : report.findings) {
    out.put(static_cast<std::uint8_t>(finding.severity));
    out.put(finding.code);
    out.put(finding.message);
    out.put(finding.pointer);
  }
}

BindResult take_report(FieldReader& in) {
  BindResult report;
  BindStatistics& s = report.statistics;
  s.device = in.take_text();
  for (std::size_t* const count : {&s.interior_voxels, &s.boundary_voxels, &s.ambiguous_voxels,
                                   &s.ambiguous_interior, &s.sparse_voxels})
    *count = in.take<std::uint64_t>();
  for (std::vector<std::size_t>* const counts : {&s.rules.edits, &s.rules.volumes}) {
    const auto taken = in.take_array<std::uint64_t>();
    counts->assign(taken.begin(), taken.end());
  }
  for (auto count = in.take<std::uint64_t>(); count > 0; --count) {
    Finding finding;
    const auto severity = in.take<std::uint8_t>();
    if (severity > static_cast<std::uint8_t>(Severity::error)) refuse_cache("a grave finding");
    finding.severity = static_cast<Severity>(severity);
    finding.code = in.take_text();
    finding.message = in.take_text();
    finding.pointer = in.take_text();
    report.findings.push_back(std::move(finding));
  }
  return report;
}

}  // namespace gvbind
