#include "bind/scene_rules.h"

#include <catch2/catch.hpp>

#include "bind/bind_scene.h"
#include "character/selection.h"
#include "formats/import/samples.h"
#include "support/shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

SceneMesh mesh_of(const std::string& name, const test::Shape& shape) {
  SceneMesh mesh;
  mesh.name = name;
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  return mesh;
}

SceneJoint joint_at(const std::string& name, int parent, const Eigen::Vector3d& at) {
  SceneJoint joint;
  joint.name = name;
  joint.parent = parent;
  joint.bind.translation() = at;
  return joint;
}

/// An upright body from (-1, -1, -1) to (1, 5, 1), and beside it a sword as a separate part of the
/// same mesh.
Scene armed() {
  test::Shape body = capsule({0, 0, 0}, {0, 4, 0}, 1.0);
  const std::size_t body_triangles = body.triangles.size();
  body.append(capsule({1.1, 2, 0}, {4.8, 2, 0}, 0.2));
  Scene scene;
  scene.meshes = {mesh_of("body", body), mesh_of("hat", capsule({0, 5.2, 0}, {0, 6, 0}, 0.3))};
  scene.meshes[0].materials = {"skin", "steel"};
  scene.meshes[0].triangle_materials.assign(body.triangles.size(), 1);
  std::fill_n(scene.meshes[0].triangle_materials.begin(), body_triangles, 0);
  scene.joints = {joint_at("hips", -1, {0, 0.5, 0}), joint_at("spine", 0, {0, 2, 0}),
                  joint_at("head", 1, {0, 4, 0}), joint_at("control", -1, {0, 0, 3})};
  scene.joints[3].deforms = false;
  return scene;
}

RuleSet influences(const std::string& text) {
  RuleSet rules;
  rules.influences = parse_influences(text, "f");
  return rules;
}

BindRules resolved(const RuleSet& rules, Scene& scene, std::vector<std::string>& said) {
  Findings findings;
  BindRules made = resolve_rules(rules, scene.meshes, scene.joints, findings);
  for (const Finding& finding : findings) {
    CHECK(finding.code == "rule-unmatched");
    said.push_back(finding.message);
  }
  return made;
}

std::size_t given(const SceneMesh& mesh, int joint) {
  return static_cast<std::size_t>(std::ranges::count(mesh.assigned_joint, joint));
}

}  // namespace

TEST_CASE("percents are of the box, and in a joint's frame of its longest side", "[rules]") {
  Scene scene = armed();
  scene.joints[1].bind.rotate(Eigen::AngleAxisd(1.5707963267948966, Eigen::Vector3d::UnitZ()));
  scene.joints[1].bind.scale(3.0);
  RuleSet rules;
  rules.edits = parse_edits("add sphere 0% 50% 100% 10%\ncut sphere 1 0 0 10% in spine", "e");
  std::vector<std::string> said;
  const BindRules made = resolved(rules, scene, said);
  CHECK(said.empty());
  Eigen::AlignedBox3d box;
  for (const SceneMesh& mesh : scene.meshes)
    for (const Eigen::Vector3d& p : mesh.positions) box.extend(p);
  REQUIRE(made.edits.size() == 2);
  CHECK(made.edits[0].where.a.isApprox(
      Eigen::Vector3d(box.min().x(), box.center().y(), box.max().z())));
  CHECK(made.edits[0].where.radius == Approx(box.sizes().maxCoeff() / 10));
  // The joint's frame is rotated by 90 degrees about z, without scale.
  CHECK(distance_to(made.edits[1].where, {0, 3 + box.sizes().maxCoeff() / 10 + 0.25, 0}) ==
        Approx(0.25));
}

TEST_CASE("percents ignore vertices that no triangle has", "[rules]") {
  RuleSet rules;
  rules.edits = parse_edits("add sphere 100% 100% 100% 10%", "e");
  std::vector<std::string> said;
  Scene scene = armed();
  const BindRules plain = resolved(rules, scene, said);
  scene.meshes[0].positions.emplace_back(500, 500, 500);
  const BindRules made = resolved(rules, scene, said);
  CHECK(made.edits[0].where.a == plain.edits[0].where.a);
  CHECK(made.edits[0].where.radius == plain.edits[0].where.radius);
}

TEST_CASE("meshes are sized without vertices that no triangle has", "[rules]") {
  Scene scene = armed();
  scene.meshes[1].positions.emplace_back(500, 500, 500);
  CHECK(group_meshes(scene, Volume::automatic).size() == 1);
  for (Eigen::Vector3d& p : scene.meshes[1].positions) p *= 100.0;
  CHECK(group_meshes(scene, Volume::automatic).size() == 2);
}

TEST_CASE("meshes and materials whose names have brackets are given by them", "[rules]") {
  Scene scene = armed();
  scene.meshes[1].name = "hat [1]";
  scene.meshes[0].materials[1] = "steel [2]";
  RuleSet rules;
  rules.give = {parse_give("mesh:hat [1]=head"), parse_give("material:steel [2]=head")};
  std::vector<std::string> said;
  resolved(rules, scene, said);
  CHECK(said.empty());
  CHECK(given(scene.meshes[1], 2) == scene.meshes[1].positions.size());
  CHECK(given(scene.meshes[0], 2) > 20);
}

TEST_CASE("rules that match nothing are findings that name the line and the nearest name",
          "[rules]") {
  Scene scene = armed();
  RuleSet rules = influences(
      "start spin point 0 0 0\nonly hed|control sphere 0 0 0 1\ngive head sphere 9 9 9 1\n"
      "start head point 0 0 0 in Hips");
  rules.forbid = {parse_forbid("hips:tail*")};
  rules.give = {parse_give("mesh:swrd=head"), parse_give("material:stel=head")};
  std::vector<std::string> said;
  const BindRules made = resolved(rules, scene, said);
  CHECK(said == std::vector<std::string>{
                    "f:1: no joint matches 'spin'; is it 'spine'?",
                    "f:2: no joint matches 'hed'; is it 'head'?",
                    "f:2: 'control' matches no joint that may own weight",
                    "f:3: no part of a mesh lies wholly in it",
                    "f:4: no joint is called 'Hips'; is it 'hips'?",
                    "--forbid 'hips:tail*': no joint matches 'tail*'",
                    "--give 'mesh:swrd=head': no mesh that is bound matches 'swrd'",
                    "--give 'material:stel=head': no material that is bound matches 'stel'; is it "
                    "'steel'?"});
  CHECK(made.volumes.empty());
  CHECK(made.regions.empty());
  CHECK(made.forbidden.empty());
}

TEST_CASE("a rule for one joint that matches several is refused", "[rules]") {
  Scene scene = armed();
  Findings findings;
  CHECK_THAT(error_of(ErrorKind::usage,
                      [&] {
                        resolve_rules(influences("start h* point 0 0 0"), scene.meshes,
                                      scene.joints, findings);
                      }),
             Catch::Contains("f:1: 'h*' matches 2 joints (hips, head)"));
}

TEST_CASE("parts, meshes and materials are given to a joint", "[rules]") {
  std::vector<std::string> said;
  Scene by_part = armed(), by_material = armed(), by_mesh = armed();
  resolved(influences("give head box 0.5 1 -1 6 3 1"), by_part, said);
  RuleSet rules;
  rules.give = {parse_give("material:st?el=head")};
  resolved(rules, by_material, said);
  CHECK(by_part.meshes[0].assigned_joint == by_material.meshes[0].assigned_joint);
  CHECK(given(by_part.meshes[0], 2) > 20);
  CHECK(given(by_part.meshes[0], -1) > 20);
  CHECK(by_part.meshes[1].assigned_joint.empty());
  rules.give = {parse_give("mesh:*=hips"), parse_give("mesh:hat=head")};
  resolved(rules, by_mesh, said);
  CHECK(given(by_mesh.meshes[0], 0) == by_mesh.meshes[0].positions.size());
  CHECK(given(by_mesh.meshes[1], 2) == by_mesh.meshes[1].positions.size());
  CHECK(said.empty());
}

TEST_CASE("assigned meshes take no part in the solid, and the rest is as without them", "[rules]") {
  BindOptions options;
  options.resolution = 32;
  options.device = Device::cpu;
  Scene with_hat = armed(), bare = armed();
  bare.meshes[1].selected = false;
  std::vector<std::string> said;
  RuleSet rules;
  rules.give = {parse_give("mesh:hat=hips")};
  resolved(rules, with_hat, said);
  const SceneBinding a = bind_scene(with_hat, options), b = bind_scene(bare, options);
  CHECK(a.weights.meshes[0].joint == b.weights.meshes[0].joint);
  CHECK(a.weights.meshes[0].weight == b.weights.meshes[0].weight);
  for (std::size_t v = 0; v < with_hat.meshes[1].positions.size(); ++v) {
    REQUIRE(a.weights.meshes[1].row(v).size() == 1);
    CHECK(a.weights.meshes[1].row(v)[0].joint == 0);
  }
}

TEST_CASE("a scene all of which is given needs no bind", "[rules]") {
  Scene scene = armed();
  std::vector<std::string> said;
  RuleSet rules;
  rules.give = {parse_give("mesh:*=spine")};
  resolved(rules, scene, said);
  const SceneBinding made = bind_scene(scene, {});
  for (const SkinWeights& weights : made.weights.meshes) {
    CHECK_FALSE(weights.empty());
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) CHECK(weights.row(v)[0].joint == 1);
  }
  CHECK(resolution_of(scene, {}, Volume::automatic).resolution == ResolutionOptions{}.least);
}

TEST_CASE("rules that hold nothing of the solid are findings", "[rules]") {
  BindOptions options;
  options.resolution = 32;
  options.device = Device::cpu;
  Scene scene = armed();
  std::vector<std::string> said;
  RuleSet rules = influences("start head point 5 9 5\nonly hips sphere 9 9 9 0.1");
  rules.edits =
      parse_edits("cut sphere 9 9 9 0.1\nadd sphere 0 2 0 0.1\nadd sphere 3 6 0 0.5", "e");
  options.rules = resolved(rules, scene, said);
  const SceneBinding made = bind_scene(scene, options);
  std::vector<std::string> unmatched;
  for (const Finding& finding : made.findings)
    if (finding.code == "rule-unmatched") unmatched.push_back(finding.message);
  CHECK(unmatched == std::vector<std::string>{
                         "e:1: changes no voxel of the solid", "e:2: changes no voxel of the solid",
                         "f:1: holds no voxel of the solid", "f:2: holds no vertex"});
}
