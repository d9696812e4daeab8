#include "bind/cached_solid.h"

#include <xxhash.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <utility>

#include "bind/cache_lists.h"

namespace gvbind {

namespace {

constexpr double max_field_number = 1e300;

void put_joints(std::span<const Joint> joints, FieldWriter& out) {
  out.put(std::uint64_t{joints.size()});
  for (const Joint& joint : joints) {
    for (const double coordinate : joint.position) out.put(coordinate);
    out.put(std::int32_t{joint.parent});
    out.put(std::uint8_t{joint.deforms});
    out.put(joint.name);
    for (const double coordinate : joint.along) out.put(coordinate);
  }
}

std::vector<Joint> take_joints_of_field(FieldReader& in) {
  std::vector<Joint> joints;
  const auto count = in.take<std::uint64_t>();
  if (count > joint_limit) refuse_cache("too many joints");
  for (std::uint64_t j = 0; j < count; ++j) {
    Joint& joint = joints.emplace_back();
    for (double& coordinate : joint.position) coordinate = in.take_number(max_field_number);
    joint.parent = in.take<std::int32_t>();
    joint.deforms = in.take<std::uint8_t>() != 0;
    joint.name = in.take_text();
    for (double& coordinate : joint.along) coordinate = in.take_number(max_field_number);
    if (joint.parent < -1 || joint.parent >= static_cast<int>(j))
      refuse_cache("a joint's parent is no earlier joint");
  }
  return joints;
}

void put_character(const Character& c, FieldWriter& out) {
  for (const double coordinate : c.cube.center) out.put(coordinate);
  out.put(c.cube.scale);
  put_points(c.mesh.positions, out);
  put_triangles(c.mesh.triangles, out);
  put_bones(c.bones, out);
  out.put(std::uint8_t{c.is_garment});
}

Character take_character(std::span<const Joint> joints, FieldReader& in) {
  Character c;
  for (double& coordinate : c.cube.center) coordinate = in.take_number(max_field_number);
  c.cube.scale = in.take_number(max_field_number);
  if (!(c.cube.scale > 0.0)) refuse_cache("a scale that is not positive");
  c.mesh.positions = take_points(in);
  c.mesh.triangles = take_triangles(c.mesh.positions.size(), in);
  c.bones = take_bones(joints.size(), in);
  c.is_garment = in.take<std::uint8_t>() != 0;
  c.welded = welded_vertices(c.mesh);
  c.components = connected_components(c.mesh, c.welded);
  c.skeleton = SkeletonDistance(joints, c.cube);
  return c;
}

void put_rules(const WeightRules& rules, FieldWriter& out) {
  out.put(std::uint8_t{rules.correction.has_value()});
  if (rules.correction) {
    out.put(rules.correction->detour);
    out.put(rules.correction->tolerance);
    std::vector<double> factors;
    for (const EuclideanCorrection::Bone& bone : rules.correction->bones)
      factors.push_back(bone.factor);
    out.put_array(factors);
  }
  out.put(std::uint8_t{rules.components.has_value()});
  if (!rules.components) return;
  const ComponentJoints& c = *rules.components;
  std::vector<std::uint8_t> kinds, admits;
  for (const ComponentKind kind : c.kind) kinds.push_back(static_cast<std::uint8_t>(kind));
  for (const std::vector<bool>& row : c.admits) admits.insert(admits.end(), row.begin(), row.end());
  out.put_array(kinds);
  out.put_array(c.joint);
  out.put_array(admits);
}

EuclideanCorrection take_correction(const CharacterDistances& distances, FieldReader& in) {
  EuclideanCorrection made;
  made.detour = in.take_number(max_field_number);
  made.tolerance = in.take_number(max_field_number);
  const auto factors = in.take_array<double>();
  std::size_t next = 0;
  for (const std::vector<LatticeSegment>& segments : distances.bones) {
    for (const LatticeSegment& s : segments) {
      if (next == factors.size() || !(factors[next] > 0.0 && factors[next] < max_field_number))
        refuse_cache("its bones have no factors");
      made.bones.push_back({s.a.cast<double>(), (s.b - s.a).cast<double>(), factors[next++]});
    }
    made.first.push_back(static_cast<std::uint32_t>(made.bones.size()));
  }
  if (distances.volumes.empty()) return made;
  made.cube = distances.character.cube;
  made.volumes.resize(distances.bones.size());
  for (const SeedRegion& volume : distances.volumes)
    made.volumes[volume.joint].push_back(volume.where);
  return made;
}

ComponentJoints take_components(const CharacterDistances& distances, FieldReader& in) {
  const std::size_t count = distances.character.components.count();
  const std::size_t joints = distances.bones.size();
  const auto kinds = in.take_array<std::uint8_t>();
  ComponentJoints made;
  made.joint = in.take_array<std::uint32_t>();
  const auto admits = in.take_array<std::uint8_t>();
  if (kinds.size() != count || made.joint.size() != count || admits.size() != count * joints)
    refuse_cache("its components are not those of its mesh");
  for (std::size_t k = 0; k < count; ++k) {
    if (kinds[k] > static_cast<std::uint8_t>(ComponentKind::attached) || made.joint[k] >= joints)
      refuse_cache("a component follows nothing");
    made.kind.push_back(static_cast<ComponentKind>(kinds[k]));
    const auto row = admits.begin() + static_cast<std::ptrdiff_t>(k * joints);
    made.admits.emplace_back(row, row + static_cast<std::ptrdiff_t>(joints));
  }
  return made;
}

WeightRules take_rules(const CharacterDistances& distances, FieldReader& in) {
  WeightRules rules;
  if (in.take<std::uint8_t>() != 0) rules.correction = take_correction(distances, in);
  if (in.take<std::uint8_t>() != 0) rules.components = take_components(distances, in);
  return rules;
}

void put_distances(const CharacterDistances& d, FieldWriter& out) {
  put_bones(d.bones, out);
  put_voxels(d.voxels, out);
  put_labels(d.field, out);
  put_points(d.points, out);
  put_seeds(d.seeds, out);
  put_outside(d.outside, out);
  put_seed_regions(d.volumes, out);
}

CharacterDistances take_distances(std::span<const Joint> joints, FieldReader& in) {
  CharacterDistances d;
  d.character = take_character(joints, in);
  d.bones = take_bones(joints.size(), in);
  d.voxels = take_voxels(in);
  d.field = take_labels(d.voxels.size(), joints.size(), in);
  d.points = take_points(in);
  if (!d.points.empty() && d.points.size() != d.character.mesh.positions.size())
    refuse_cache("not every vertex has a place to read at");
  d.seeds = take_seeds(d.voxels.size(), joints.size(), in);
  d.outside = take_outside(joints.size(), in);
  d.volumes = take_volumes_of_field(joints.size(), in);
  return d;
}

class SourceHash {
 public:
  SourceHash() : state_(XXH3_createState()) { XXH3_64bits_reset(state_); }
  SourceHash(const SourceHash&) = delete;
  SourceHash& operator=(const SourceHash&) = delete;
  ~SourceHash() { XXH3_freeState(state_); }
  void add(const void* bytes, std::size_t size) { XXH3_64bits_update(state_, bytes, size); }
  void add(double number) { add(&number, sizeof number); }
  void add(std::uint64_t number) { add(&number, sizeof number); }
  std::uint64_t value() const { return XXH3_64bits_digest(state_); }

 private:
  XXH3_state_t* state_;
};

}  // namespace

CacheKey field_source(const MeshView& mesh, std::span<const Joint> joints, const BindRules& rules) {
  SourceHash shape, skeleton, edits;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Eigen::Vector3d p = mesh.positions[v];
    shape.add(p.data(), sizeof p);
  }
  shape.add(mesh.triangles.data(), mesh.triangles.size_bytes());
  FieldWriter listed;
  put_joints(joints, listed);
  skeleton.add(listed.bytes().data(), listed.bytes().size());
  FieldWriter places;
  for (const VolumeEdit& edit : rules.edits) {
    places.put(static_cast<std::uint8_t>(edit.kind));
    put_primitive(edit.where, places);
  }
  put_seed_regions(rules.volumes, places);
  edits.add(places.bytes().data(), places.bytes().size());
  return {shape.value(), skeleton.value(), edits.value()};
}

bool same_skeleton(std::span<const Joint> a, std::span<const Joint> b) {
  constexpr double rounding = 1e-6;  // of the skeleton's size, for matrices of single precision
  constexpr double turned = 1e-4;    // between unit vectors
  Eigen::AlignedBox3d box;
  for (const Joint& joint : a) box.extend(joint.position);
  const double near = a.empty() ? 0.0 : rounding * box.diagonal().norm();
  return std::ranges::equal(a, b, [&](const Joint& one, const Joint& other) {
    return one.name == other.name && one.parent == other.parent && one.deforms == other.deforms &&
           (one.position - other.position).norm() <= near &&
           (one.along - other.along).norm() <= turned;
  });
}

void put_solid(const CachedSolid& solid, FieldWriter& out) {
  out.put(solid.source.mesh);
  out.put(solid.source.skeleton);
  out.put(solid.source.rules);
  put_joints(solid.joints, out);
  out.put_array(solid.mesh_starts);
  put_character(solid.kept.distances.character, out);
  put_distances(solid.kept.distances, out);
  put_rules(solid.kept.rules, out);
  out.put(solid.kept.scored);
  put_scores(solid.kept.scores, out);
  put_report(solid.kept.report, out);
}

CachedSolid take_solid(FieldReader& in) {
  CachedSolid solid;
  solid.source.mesh = in.take<std::uint64_t>();
  solid.source.skeleton = in.take<std::uint64_t>();
  solid.source.rules = in.take<std::uint64_t>();
  solid.joints = take_joints_of_field(in);
  solid.mesh_starts = in.take_array<std::uint32_t>();
  CachedDistances& kept = solid.kept;
  kept.distances = take_distances(solid.joints, in);
  kept.rules = take_rules(kept.distances, in);
  kept.rules_known = true;
  kept.scored = in.take<std::uint64_t>();
  kept.scores =
      take_scores(kept.distances.character.mesh.positions.size(), solid.joints.size(), in);
  kept.report = take_report(in);
  return solid;
}

}  // namespace gvbind
