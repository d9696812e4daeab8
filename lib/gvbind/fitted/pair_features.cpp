#include "gvbind/fitted/pair_features.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "gvbind/base/segment.h"
#include "gvbind/weights/falloff.h"

namespace gvbind {

namespace {

constexpr double e0 = 0.003;  // cube sides

double ratio(double a, double b) { return std::log((a + e0) / (b + e0)); }

}  // namespace

struct PairFeatures::Pair {
  std::uint32_t joint = 0;
  double a = 0, g = -1, d = -1, e = 9, w = 0;
  double t = 0, head = 0, tail = 0, cosine = 0;
  int rank = 0;
  double a_min = 0, g_min = 0, d_min = 0, e_min = 0, g_max = 0, d_max = 0;
};

PairFeatures::PairFeatures(const CharacterDistances& distances, const CandidateField& field,
                           std::span<const Joint> joints, const WeightRules& rules,
                           const CharacterWeights& defaults)
    : distances_(distances),
      field_(field),
      joints_(joints),
      rules_(rules),
      defaults_(defaults),
      traits_(joint_traits(distances, field, joints)) {
  const Character& c = distances.character;
  normal_.assign(c.mesh.positions.size(), Eigen::Vector3d::Zero());
  for (const Triangle& t : c.mesh.triangles) {
    const Eigen::Vector3d p = c.mesh.positions[t[0]].cast<double>() / lattice_size;
    const Eigen::Vector3d q = c.mesh.positions[t[1]].cast<double>() / lattice_size;
    const Eigen::Vector3d r = c.mesh.positions[t[2]].cast<double>() / lattice_size;
    const Eigen::Vector3d n = (q - p).cross(r - p);
    for (const std::uint32_t v : t) normal_[c.welded[v]] += n;
  }
  for (Eigen::Vector3d& n : normal_)
    if (n.norm() > 0) n /= n.norm();
  share_.assign(c.components.count(), std::vector<float>(joints.size(), 0.0f));
  std::vector<double> total(c.components.count(), 0.0);
  double all = 0.0;
  for (std::uint32_t v = 0; v < c.welded.size(); ++v) {
    const std::uint32_t k = c.components.component[v];
    if (c.welded[v] != v || k == no_component) continue;
    total[k] += 1.0;
    all += 1.0;
    const WeightRow row = defaults.rows.row(v);
    if (!row.empty()) share_[k][row[0].joint] += 1.0f;
  }
  for (std::size_t k = 0; k < total.size(); ++k) {
    int count = 0;
    for (float& s : share_[k]) {
      s /= static_cast<float>(std::max(total[k], 1.0));
      count += s > 0.1f;
    }
    component_joints_.push_back(std::min(count, 8));
    component_share_.push_back(static_cast<float>(std::log(total[k] / all)));
  }
}

int PairFeatures::hops(std::uint32_t a, std::uint32_t b) const {
  int count = 0;
  int x = static_cast<int>(a), y = static_cast<int>(b);
  while (x != y && count < 8) {
    if (x > y)
      x = joints_[static_cast<std::size_t>(x)].parent;
    else
      y = joints_[static_cast<std::size_t>(y)].parent;
    ++count;
    if (x < 0 && y < 0) return 8;
    if (x < 0 || y < 0) {
      int& left = x < 0 ? y : x;
      while (left >= 0 && count < 8) left = joints_[static_cast<std::size_t>(left)].parent, ++count;
      return 8;
    }
  }
  return count;
}

bool PairFeatures::is_above(std::uint32_t a, std::uint32_t b) const {
  for (int x = joints_[b].parent; x >= 0; x = joints_[static_cast<std::size_t>(x)].parent)
    if (x == static_cast<int>(a)) return true;
  return false;
}

std::vector<PairFeatures::Pair> PairFeatures::pairs_of(std::uint32_t vertex) const {
  const Eigen::Vector3i at = distances_.points.empty() ? distances_.character.mesh.positions[vertex]
                                                       : distances_.points[vertex];
  // The coarse cells whose centers are less than a side away along each axis.
  const SparseVoxels& coarse = field_.voxels;
  const int side = lattice_size / coarse.resolution;
  const Eigen::Vector3i in = distances_.character.mesh.positions[vertex];
  std::vector<Pair> pairs;
  for (const bool solid : {true, false}) {
    Eigen::Vector3i low;
    for (int k = 0; k < 3; ++k) low[k] = (in[k] - side / 2 - 1 + 4 * side) / side - 4;
    for (int dz = 0; dz < 3; ++dz)
      for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) {
          const Eigen::Vector3i cell = low + Eigen::Vector3i(dx, dy, dz);
          if (cell.minCoeff() < 0 || cell.maxCoeff() >= coarse.resolution) continue;
          const Eigen::Vector3i center = cell * side + Eigen::Vector3i::Constant(side / 2);
          if ((center - in).cwiseAbs().maxCoeff() >= side) continue;
          const std::uint32_t leaf = coarse.find(cell.x(), cell.y(), cell.z());
          if (leaf == no_voxel || field_.is_solid[leaf] != solid) continue;
          const double rest = (center - in).cast<double>().norm() / lattice_size;
          for (const Label label : field_.field.of(leaf)) {
            if (label == no_label) break;
            const std::uint32_t j = label_influence(label);
            const double a = static_cast<double>(label_distance(label)) * label_unit + rest;
            auto found = std::find_if(pairs.begin(), pairs.end(),
                                      [&](const Pair& p) { return p.joint == j; });
            if (found == pairs.end()) {
              pairs.push_back({});
              found = pairs.end() - 1;
              found->joint = j;
              found->a = a;
            }
            found->a = std::min(found->a, a);
          }
        }
    if (!pairs.empty()) break;
  }
  std::vector<JointDistance> g;
  joint_distances(distances_.voxels, distances_.field, at, g);
  const double g_min = g.empty() ? 0 : g.front().distance,
               g_max = g.empty() ? 0 : g.back().distance;
  std::vector<JointDistance> d = g;
  if (rules_.correction) correct_distances(*rules_.correction, at, d);
  const double d_min = d.empty() ? 0 : d.front().distance,
               d_max = d.empty() ? 0 : d.back().distance;
  double worst = 0;
  for (const Pair& p : pairs) worst = std::max(worst, p.a);
  const auto find = [&](std::uint32_t j) -> Pair& {
    auto found =
        std::find_if(pairs.begin(), pairs.end(), [&](const Pair& p) { return p.joint == j; });
    if (found == pairs.end()) {
      pairs.push_back({});
      found = pairs.end() - 1;
      found->joint = j;
      found->a = worst;
    }
    return *found;
  };
  for (const JointDistance& x : g) find(x.influence).g = x.distance;
  for (const JointDistance& x : d) find(x.influence).d = x.distance;
  for (const Influence& x : defaults_.rows.row(vertex)) find(x.joint).w = double{x.weight};
  const Eigen::Vector3d point = in.cast<double>();
  const Eigen::Vector3d normal = normal_[distances_.character.welded[vertex]];
  for (Pair& p : pairs) {
    for (const LatticeSegment& s : field_.bones[p.joint]) {
      const Eigen::Vector3d a = s.a.cast<double>(), along = (s.b - s.a).cast<double>();
      const double t = closest_parameter(a, along, point);
      const Eigen::Vector3d off = point - a - along * t;
      const double e = off.norm() / lattice_size;
      if (e >= p.e) continue;
      p.e = e;
      p.t = t;
      const double length = along.norm();
      const Eigen::Vector3d u =
          length > 0 ? Eigen::Vector3d(along / length) : Eigen::Vector3d::Zero();
      p.head = (point - a).dot(u) / lattice_size;
      p.tail = (point - a - along).dot(u) / lattice_size;
      p.cosine = off.norm() > 0 ? off.dot(normal) / off.norm() : 0;
    }
  }
  // Nearest first, so that few can be kept; those that the defaults weigh stay.
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) {
    const bool wx = x.w > 0, wy = y.w > 0;
    if (wx != wy) return wx;
    const double kx = std::min(x.a, 1.5 * x.e), ky = std::min(y.a, 1.5 * y.e);
    return kx != ky ? kx < ky : x.joint < y.joint;
  });
  constexpr std::size_t most = 12;
  if (pairs.size() > most) pairs.resize(most);
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) {
    return x.a != y.a ? x.a < y.a : x.joint < y.joint;
  });
  double a_min = 9, e_min = 9;
  for (const Pair& p : pairs) a_min = std::min(a_min, p.a), e_min = std::min(e_min, p.e);
  int rank = 0;
  for (Pair& p : pairs) {
    p.rank = rank++;
    p.a_min = a_min, p.e_min = e_min;
    p.g_min = g_min, p.g_max = g_max, p.d_min = d_min, p.d_max = d_max;
  }
  return pairs;
}

void PairFeatures::fill(const Pair& p, const Pair& n, std::uint32_t vertex, float* out) const {
  const JointTraits& j = traits_[p.joint];
  const JointTraits& m = traits_[n.joint];
  const std::uint32_t k = distances_.character.components.component[vertex];
  const auto put = [&](double x) { *out++ = static_cast<float>(x); };
  const auto clip = [](double x) { return std::clamp(x, -4.0, 4.0); };
  put(ratio(p.a, p.a_min));
  put(p.g >= 0 ? ratio(p.g, p.g_min) : ratio(p.g_max, p.g_min) + 0.3);
  put(p.g >= 0);
  put(ratio(p.e, p.e_min));
  put(p.d >= 0 ? ratio(p.d, p.d_min) : ratio(p.d_max, p.d_min) + 0.3);
  put(clip((p.a - p.a_min) * 10));
  put(clip((p.a - p.a_min) / j.thickness));
  put(clip((p.e - p.e_min) / m.thickness));
  put(ratio(p.a, p.e));
  put(p.w);
  put(std::log10(p.w + 1e-4) / 4);
  put(p.t);
  put(clip(std::max(0.0, p.tail) / j.thickness));
  put(clip(std::max(0.0, -p.head) / j.thickness));
  put(clip(p.head / j.thickness));
  put(clip(p.tail / j.thickness));
  put(std::log((p.a + e0) / j.thickness));
  put(std::log(p.a_min + e0));
  put(std::log(p.e_min + e0));
  const Eigen::Vector3d head = distances_.character.skeleton.position(p.joint);
  const Eigen::Vector3d at = distances_.character.mesh.positions[vertex].cast<double>();
  put(std::log(((at - head).norm() / lattice_size + e0) / j.thickness));
  put(p.cosine);
  put(p.rank / 12.0);
  put(hops(p.joint, n.joint) / 4.0);
  put(is_above(p.joint, n.joint));
  put(is_above(n.joint, p.joint));
  put(p.joint == n.joint);
  put(n.t);
  put(clip(n.head / m.thickness));
  put(clip(n.tail / m.thickness));
  put(clip(n.e / m.thickness));
  put(m.children == 0);
  put(std::log((m.length + e0) / m.thickness));
  // Along the nearest bone from where the two joints meet.
  double plane = 0;
  if (joints_[n.joint].parent == static_cast<int>(p.joint)) plane = clip(n.head / m.thickness);
  if (joints_[p.joint].parent == static_cast<int>(n.joint)) plane = clip(p.head / m.thickness);
  put(plane);
  put(clip(p.e / j.thickness));
  put(k == no_component ? 0.0 : double{share_[k][p.joint]});
  put(k == no_component ? -9.0 : double{component_share_[k]});
  put(k == no_component ? 0.0 : component_joints_[k] / 4.0);
  const ComponentJoints* c = rules_.components && k != no_component ? &*rules_.components : nullptr;
  put(!c || c->admits[k][p.joint]);
  put(c && c->kind[k] == ComponentKind::rigid && c->joint[k] == p.joint);
  put(c && c->kind[k] == ComponentKind::rigid);
  put(c && c->kind[k] == ComponentKind::attached);
  put(c && defaults_.owner[k] != no_owner);
  put(distances_.character.components.count() == 1);
  put(std::log(static_cast<double>(distances_.character.components.count())) / 4);
  put(std::log(j.length + e0));
  put(std::log(j.thickness));
  put(j.children == 0);
  put(std::min(j.children, 5) / 4.0);
  put(std::min(j.depth, 12) / 8.0);
  put(j.is_root);
  put(j.is_outside);
  put(std::log(j.territory + 1e-4));
  put(j.is_on_parent);
  put(std::log(j.children_territory + 1e-4));
  put(std::log(j.below + 1e-4));
  put(j.length_to_parent);
  put(j.is_on_other);
  put(j.owns);
  put(std::log(static_cast<double>(joints_.size())) / 4);
  for (const bool hint : j.hint) put(hint);
  const int parent = joints_[p.joint].parent;
  put(parent >= 0 && traits_[static_cast<std::size_t>(parent)].owns);
  put(std::log((parent >= 0 ? traits_[static_cast<std::size_t>(parent)].territory : 0) + 1e-4));
  put(m.territory > 0 ? std::log(m.territory) : -9.0);
  put(p.joint == n.joint ? 0.0 : std::log((j.thickness) / m.thickness));
  put(std::log(n.w + 1e-2));
}

VertexPairs PairFeatures::of(std::uint32_t vertex) const {
  const std::vector<Pair> pairs = pairs_of(vertex);
  VertexPairs made;
  if (pairs.empty()) return made;
  const Pair* nearest = &pairs.front();
  for (const Pair& p : pairs)
    if (p.w > nearest->w) nearest = &p;
  made.feature.resize(pairs.size() * pair_feature_count);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    made.joint.push_back(pairs[i].joint);
    fill(pairs[i], *nearest, vertex, made.feature.data() + i * pair_feature_count);
  }
  return made;
}

}  // namespace gvbind
