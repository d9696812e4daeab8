#include "gvbind/bind_skin.h"

#include <tbb/global_control.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "gvbind/bind_stages.h"
#include "gvbind/error.h"
#include "gvbind/reference_bind.h"
#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

BindOptions by_fit(int resolution) {
  BindOptions options;
  options.resolution = resolution;
  options.device = Device::cpu;
  return options;
}

/// The default rules with falloff weights.
BindOptions by_default(int resolution) {
  BindOptions options = by_fit(resolution);
  options.weights = WeightRule::falloff;
  return options;
}

/// The rules of the paper, which the reference implements.
BindOptions on_cpu(int resolution) {
  BindOptions options = paper_options();
  options.resolution = resolution;
  options.device = Device::cpu;
  return options;
}

BindResult bind_figure(const Figure& f, const BindOptions& options) {
  return gvbind::bind_skin({f.shape.positions, f.shape.triangles}, f.joints, options);
}

bool same_bytes(const SkinWeights& a, const SkinWeights& b) {
  return a.first == b.first && a.joint == b.joint && a.weight.size() == b.weight.size() &&
         std::memcmp(a.weight.data(), b.weight.data(), a.weight.size() * sizeof(float)) == 0;
}

double largest_difference(const SkinWeights& a, const SkinWeights& b) {
  double worst = 0.0;
  for (std::size_t v = 0; v < a.vertex_count(); ++v) {
    std::map<std::uint32_t, double> row;
    for (std::uint32_t k = a.first[v]; k < a.first[v + 1]; ++k) row[a.joint[k]] += a.weight[k];
    for (std::uint32_t k = b.first[v]; k < b.first[v + 1]; ++k) row[b.joint[k]] -= b.weight[k];
    for (const auto& [joint, d] : row) worst = std::max(worst, std::abs(d));
  }
  return worst;
}

template <class Map>
Figure mapped(Figure f, const Map& map, bool flip) {
  for (Eigen::Vector3d& p : f.shape.positions) p = map(p);
  for (Joint& j : f.joints) j.position = map(j.position);
  if (flip)
    for (Triangle& t : f.shape.triangles) std::swap(t[1], t[2]);
  return f;
}

const Finding* finding(const BindResult& result, const std::string& code) {
  for (const Finding& f : result.findings)
    if (f.code == code) return &f;
  return nullptr;
}

std::string refusal(const Figure& f, const BindOptions& options, ErrorKind kind) {
  try {
    bind_figure(f, options);
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("weights are near those of the slow reference", "[slow]") {
  Figure wide = figure();
  wide.shape.append(capsule({0, 0.5, 0}, {0, 1.2, 0}, 0.45));
  BindOptions all = on_cpu(32);
  all.max_influences = 0;
  for (const Figure& f : {figure(), wide}) {
    for (const BindOptions& o : {on_cpu(32), all})
      CHECK(mean_l1(bind_figure(f, o).weights,
                    reference_bind(f.shape.positions, f.shape.triangles, f.joints, o)) < 1e-4);
    // At this resolution, leaves have several sizes.
    const BindOptions o = on_cpu(128);
    CHECK(mean_l1(bind_figure(f, o).weights,
                  reference_bind(f.shape.positions, f.shape.triangles, f.joints, o)) < 0.03);
  }
}

TEST_CASE("a body with holes, a loose part and a bone outside is near the reference too") {
  Figure f = figure();
  f.shape.triangles.erase(f.shape.triangles.begin() + 30, f.shape.triangles.begin() + 90);
  f.shape.append(box({1.4, 0.2, 0.2}, {1.6, 0.4, 0.4}));
  f.joints.push_back({{0.0, 2.6, 0.1}, 2});
  const BindOptions o = on_cpu(64);
  const BindResult result = bind_figure(f, o);
  CHECK(result.statistics.ambiguous_voxels > 0);
  CHECK(result.statistics.unreached_vertices == 0);
  REQUIRE(finding(result, "parts-joined"));
  CHECK(finding(result, "parts-joined")->message.find("1 part") == 0);
  REQUIRE(finding(result, "joint-outside"));
  CHECK(finding(result, "joint-outside")->message.find("joint 15 ") == 0);
  CHECK(mean_l1(result.weights, reference_bind(f.shape.positions, f.shape.triangles, f.joints, o)) <
        0.03);
}

TEST_CASE("one thread and many, and every repeat, give the same bytes", "[slow]") {
  Figure f = figure();
  f.shape.triangles.erase(f.shape.triangles.begin() + 30, f.shape.triangles.begin() + 90);
  f.shape.append(box({0.28, 1.6, -0.02}, {0.32, 1.64, 0.02}));
  for (BindOptions options : {on_cpu(128), by_default(128), by_fit(128)})
    for (const int n : {0, 4}) {
      options.max_influences = n;
      const auto with_threads = [&](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        return bind_figure(f, options).weights;
      };
      const SkinWeights one = with_threads(1);
      CHECK(same_bytes(one, with_threads(8)));
      CHECK(same_bytes(one, with_threads(8)));
      CHECK(same_bytes(one, bind_figure(f, options).weights));
    }
}

TEST_CASE("weights do not change with scale, place or mirroring", "[slow]") {
  const Figure f = figure();
  using Point = Eigen::Vector3d;
  for (const BindOptions& options : {on_cpu(64), by_default(64), by_fit(64)}) {
    const SkinWeights plain = bind_figure(f, options).weights;
    const auto change = [&](const Figure& other) {
      return largest_difference(plain, bind_figure(other, options).weights);
    };
    CHECK(change(mapped(
              f, [](const Point& p) { return Point(p * 170.3); }, false)) < 1e-4);
    CHECK(change(mapped(
              f, [](const Point& p) { return Point(p * 1e-6); }, false)) < 1e-4);
    const Point by(10.1, -20.2, 7.7);
    CHECK(change(mapped(
              f, [&](const Point& p) { return Point(p + by); }, false)) < 1e-4);
    for (int axis = 0; axis < 3; ++axis) {
      const auto mirror = [axis](Point p) {
        p[axis] = -p[axis];
        return p;
      };
      CHECK(change(mapped(f, mirror, true)) < 1e-4);
    }
  }
}

TEST_CASE("by default a joint above the body owns nothing, and a loose part goes with one joint") {
  Figure f = figure();
  f.joints.insert(f.joints.begin(), {{0.0, -0.1, 0.0}, -1, true, "root"});
  for (std::size_t i = 1; i < f.joints.size(); ++i) ++f.joints[i].parent;
  const std::size_t first = f.shape.positions.size();
  f.shape.append(box({-0.1, 2.1, -0.1}, {0.1, 2.3, 0.1}));
  const BindResult result = bind_figure(f, by_default(64));
  CHECK(result.statistics.joint_vertices[0] == 0);
  REQUIRE(finding(result, "joint-holds-others"));
  CHECK(finding(result, "joint-holds-others")->pointer == "root");
  REQUIRE(finding(result, "rigid-parts"));
  const SkinWeights& weights = result.weights;
  for (std::size_t v = first; v < f.shape.positions.size(); ++v) {
    REQUIRE(weights.first[v + 1] - weights.first[v] == 1);
    CHECK(weights.joint[weights.first[v]] == weights.joint[weights.first[first]]);
  }
}

TEST_CASE("weights fall along a limb from its joint on") {
  Figure f;
  f.shape = capsule({0, 0, 0}, {4, 0, 0}, 0.3, 12, 40);
  f.joints = {{{0, 0, 0}, -1}, {{2, 0, 0}, 0}, {{4, 0, 0}, 1, false}};
  const SkinWeights w = bind_figure(f, on_cpu(64)).weights;
  double last = 2.0;
  for (int ring = 0; ring <= 40; ++ring) {
    double first = 0.0;
    for (std::size_t k = 0; k < 12; ++k) {
      const std::size_t v = 1 + ring * 12 + k;
      for (std::uint32_t e = w.first[v]; e < w.first[v + 1]; ++e)
        if (w.joint[e] == 0) first += w.weight[e] / 12.0;
    }
    CHECK(first <= last + 0.02);
    last = first;
    if (ring < 5) CHECK(first > 0.95);
    if (ring == 20) CHECK(first == Approx(0.5).margin(0.2));
    if (ring > 35) CHECK(first < 0.05);
  }
}

TEST_CASE("statistics and stages describe the bind") {
  std::vector<std::pair<std::string, double>> heard;
  const Figure f = figure();
  const BindResult result =
      gvbind::bind_skin({f.shape.positions, f.shape.triangles}, f.joints, on_cpu(32),
                        {[&](const char* stage, double done) { heard.emplace_back(stage, done); }});
  const std::vector<std::string> names = {"prepare",  "boundary",      "solid",     "winding",
                                          "contacts", "sparse voxels", "distances", "weights"};
  REQUIRE(result.statistics.stages.size() == names.size());
  REQUIRE(heard.size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(result.statistics.stages[i].stage == names[i]);
    CHECK(result.statistics.stages[i].peak_bytes > 0);
    CHECK(heard[i].first == names[i]);
    CHECK(heard[i].second == Approx(static_cast<double>(i) / static_cast<double>(names.size())));
  }
  CHECK(result.statistics.device == "cpu");
  CHECK(result.statistics.interior_voxels > 0);
  CHECK(result.statistics.boundary_voxels > 0);
  CHECK(result.statistics.sparse_voxels ==
        result.statistics.interior_voxels + result.statistics.boundary_voxels);
  std::size_t entries = 0;
  for (const std::size_t n : result.statistics.joint_vertices) entries += n;
  CHECK(entries == result.weights.joint.size());
}

TEST_CASE("a joint that ends without a vertex is reported") {
  Figure f = figure();
  f.joints.push_back(f.joints[0]);  // as near as joint 0 everywhere, but with a higher index
  f.joints.back().parent = -1;
  BindOptions options = on_cpu(32);
  options.max_influences = 1;
  options.leaf = LeafRule::point;
  const BindResult result = bind_figure(f, options);
  CHECK(result.statistics.joint_vertices[15] == 0);
  REQUIRE(finding(result, "joint-without-vertices"));
}

TEST_CASE("options out of range are refused") {
  const Figure f = figure();
  const auto refused = [&](const auto& change) {
    BindOptions options = on_cpu(32);
    change(options);
    return refusal(f, options, ErrorKind::usage);
  };
  for (const int r : {0, -16, 8, 48, 4096})
    CHECK_THAT(refused([&](BindOptions& o) { o.resolution = r; }),
               Catch::StartsWith("resolution " + std::to_string(r)));
  for (const double p : {0.5, -1.0, 1e9, std::nan("")})
    CHECK_THAT(refused([&](BindOptions& o) { o.penalty = p; }), Catch::StartsWith("penalty"));
  for (const double a : {-0.1, 1.1, std::nan("")})
    CHECK_THAT(refused([&](BindOptions& o) { o.alpha = a; }), Catch::StartsWith("alpha"));
  for (const double p : {-0.1, 1.1, std::nan("")})
    CHECK_THAT(refused([&](BindOptions& o) { o.prune = p; }), Catch::StartsWith("prune"));
  for (const JointAlpha& own :
       {JointAlpha{{0}, 1.1}, JointAlpha{{0}, std::nan("")}, JointAlpha{{999}, 0.5}})
    CHECK_THAT(refused([&](BindOptions& o) { o.rules.alphas = {own}; }),
               Catch::StartsWith("rules"));
  CHECK_THAT(refused([&](BindOptions& o) { o.max_influences = -1; }),
             Catch::StartsWith("max-influences -1"));
  for (const unsigned v : {0u, 64u, 64u | 63u})
    CHECK_THAT(refused([&](BindOptions& o) { o.views = v; }), Catch::StartsWith("views"));
}

TEST_CASE("invalid input is refused") {
  const BindOptions o = on_cpu(32);
  Figure nothing_deforms = figure();
  for (Joint& j : nothing_deforms.joints) j.deforms = false;
  CHECK_THAT(refusal(nothing_deforms, o, ErrorKind::cannot_bind), Catch::Contains("no joint"));
  Figure none = figure();
  none.joints.clear();
  CHECK_THAT(refusal(none, o, ErrorKind::cannot_bind), Catch::Contains("no joint"));
  Figure late_parent = figure();
  late_parent.joints[3].parent = 9;
  CHECK(refusal(late_parent, o, ErrorKind::cannot_bind) ==
        "joint 3: its parent 9 is no earlier joint");
  Figure bare = figure();
  bare.shape.triangles.clear();
  CHECK_THAT(refusal(bare, o, ErrorKind::cannot_bind), Catch::Contains("no triangles"));
}

TEST_CASE("open sheets and slivers bind", "[slow][threads]") {
  Figure f;
  f.shape = box({0, 0, 0}, {1, 1, 1});
  f.shape.triangles = {{0, 2, 1}};
  f.joints = {{{0.2, 0.2, 0.0}, -1}, {{0.5, 0.2, 0.3}, 0}};
  const BindResult result = bind_figure(f, on_cpu(64));
  CHECK(result.weights.vertex_count() == 8);
  for (std::size_t v = 0; v < 8; ++v) CHECK(result.weights.first[v + 1] > result.weights.first[v]);
}

TEST_CASE("joints outside start from there, are moved there, are skipped, or refuse the bind") {
  Figure f = figure();
  f.joints.push_back({{0.1, 2.12, 0.1}, 2, true, "plume"});
  f.joints.push_back({{0.2, 2.2, 0.1}, 15, false});
  for (BindOptions options : {on_cpu(64), by_default(64)}) {
    options.controls = ControlRule::keep;
    const auto owned = [&](OutsideRule rule) {
      options.outside = rule;
      const BindResult result = bind_figure(f, options);
      REQUIRE(finding(result, "joint-outside"));
      CHECK(finding(result, "joint-outside")->pointer == "plume");
      const std::size_t vertices = result.statistics.joint_vertices[15];
      CHECK_THAT(finding(result, "joint-outside")->message,
                 Catch::Contains(" of the box away") &&
                     Catch::Contains(" owns " + std::to_string(vertices) + " ver"));
      CHECK_FALSE(finding(result, "joint-without-vertices"));
      double sum = 0.0;
      for (std::size_t k = 0; k < result.weights.joint.size(); ++k)
        if (result.weights.joint[k] == 15) sum += result.weights.weight[k];
      return sum;
    };
    const double extended = owned(OutsideRule::extend), snapped = owned(OutsideRule::snap);
    CHECK(extended > 0.0);
    CHECK(snapped > extended);
    CHECK(owned(OutsideRule::skip) == 0.0);
    options.outside = OutsideRule::error;
    CHECK_THAT(refusal(f, options, ErrorKind::cannot_bind),
               Catch::StartsWith("joint 'plume' is outside the mesh"));
  }
  Figure away = figure();
  for (Joint& j : away.joints) j.position.z() += 3.0;
  BindOptions options = on_cpu(32);
  options.outside = OutsideRule::skip;
  CHECK_THAT(refusal(away, options, ErrorKind::cannot_bind), Catch::Contains("no joint is inside"));
}

TEST_CASE("a mesh with faces turned inward binds like one without") {
  const Figure right = figure();
  Figure wrong = right;
  for (std::size_t t = 0; t < wrong.shape.triangles.size(); ++t)
    if (t % 5 < 2 || t < 200) std::swap(wrong.shape.triangles[t][1], wrong.shape.triangles[t][2]);
  const BindOptions options = by_default(64);
  const BindResult result = bind_figure(wrong, options);
  REQUIRE(finding(result, "faces-turned"));
  CHECK(same_bytes(result.weights, bind_figure(right, options).weights));
  CHECK_FALSE(finding(bind_figure(right, options), "faces-turned"));
  BindOptions kept = options;
  kept.faces = FaceRule::keep;
  CHECK_FALSE(finding(bind_figure(wrong, kept), "faces-turned"));
}

TEST_CASE("a character that was prepared before binds as its mesh does") {
  const Figure f = figure();
  const BindOptions options = by_default(64);
  const BindResult prepared =
      bind_character(prepare_character({f.shape.positions, f.shape.triangles}, f.joints,
                                       character_options(options)),
                     f.joints, options);
  const BindResult fresh = bind_figure(f, options);
  CHECK(same_bytes(prepared.weights, fresh.weights));
  CHECK(prepared.findings.size() == fresh.findings.size());
}

TEST_CASE("a bind ends soon after its stop is requested, at any stage") {
  const Figure f = figure();
  for (const std::string at : {"prepare", "solid", "distances", "weights"}) {
    std::stop_source source;
    std::string last;
    const Monitor monitor{[&](const char* stage, double) {
                            last = stage;
                            if (stage == at) source.request_stop();
                          },
                          source.get_token()};
    try {
      gvbind::bind_skin({f.shape.positions, f.shape.triangles}, f.joints, by_default(64), monitor);
      FAIL("it went on");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::canceled);
    }
    CHECK(last == at);
  }
}

TEST_CASE("a bind takes float positions with a stride, and any number of threads") {
  Figure f = figure();
  struct Vertex {
    std::uint8_t color;
    float position[3];
  };
  std::vector<Vertex> buffer;
  for (const Eigen::Vector3d& p : f.shape.positions)
    buffer.push_back({7, {float(p.x()), float(p.y()), float(p.z())}});
  const PositionView strided(buffer[0].position, buffer.size(), sizeof(Vertex));
  for (std::size_t i = 0; i < buffer.size(); ++i) f.shape.positions[i] = strided[i];
  BindOptions options = by_default(64);
  const SkinWeights expected = bind_figure(f, options).weights;
  for (const int threads : {0, 1, 3}) {
    options.threads = threads;
    CHECK(same_bytes(gvbind::bind_skin({strided, f.shape.triangles}, f.joints, options).weights,
                     expected));
  }
  options.threads = -1;
  CHECK_THROWS_AS(bind_figure(f, options), Error);
}
