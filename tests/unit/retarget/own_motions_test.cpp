#include "retarget/own_motions.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "bodies.h"
#include "gvbind/error.h"
#include "retarget/beast_legs.h"
#include "retarget/beast_motions.h"

using namespace gvbind;
using bodies::template_body;
using bodies::Vector3d;

namespace {

const std::vector<std::string> beasts = {"quadruped", "bird", "fish", "spider", "hand"};

Vector3d place_of_end(const retarget::OwnBody& body, const retarget::OwnLeg& leg,
                      const retarget::PlacedPose& placed) {
  if (leg.toe >= 0) return placed.positions[leg.toe];
  if (leg.foot >= 0) return placed.positions[leg.foot];
  return placed.positions[leg.limb.lower] +
         placed.turns[leg.limb.lower] * (leg.limb.end - body.at(leg.limb.lower));
}

/// A fish with a body of two points, and a tail fin of two more that are so far from each other.
NodeScene fish_with_fin(const Vector3d& apart) {
  NodeScene scene = template_body("fish");
  const retarget::RestSkeleton rest = retarget::node_pose_skeleton(scene);
  const auto node = [&](const std::string& name) {
    return static_cast<int>(std::ranges::find(rest.names, name) - rest.names.begin());
  };
  Mesh mesh;
  Skin skin;
  for (const char* name : {"chest", "tail_fin"}) {
    const int joint = node(name);
    const Vector3d at = rest.world.positions[joint];
    Eigen::Affine3d bind = Eigen::Affine3d::Identity();
    bind.linear() = rest.world.rotations[joint].toRotationMatrix();
    bind.translation() = at;
    for (const double side : {0.5, -0.5}) {
      mesh.positions.push_back((at + side * apart).cast<float>());
      mesh.weights.joint.push_back(static_cast<std::uint32_t>(skin.joints.size()));
      mesh.weights.weight.push_back(1.0f);
      mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
    }
    skin.joints.push_back(joint);
    skin.inverse_binds.push_back(bind.inverse());
  }
  scene.meshes.push_back(mesh);
  scene.skins.push_back(skin);
  Node body;
  body.name = "body";
  body.mesh = body.skin = 0;
  scene.nodes.push_back(body);
  return scene;
}

}  // namespace

TEST_CASE("the kind of a body follows from its joints", "[retarget]") {
  for (const std::string& name : beasts)
    CHECK(retarget::kind_name(retarget::own_body(template_body(name), {}).kind) == name);
  CHECK(retarget::own_body(template_body("biped"), {}).kind == retarget::BodyKind::biped);
  CHECK(retarget::own_body(bodies::plain_body(), {}).kind == retarget::BodyKind::biped);
}

TEST_CASE("bodies of templates look to the front, with their left side at the left", "[retarget]") {
  for (const std::string& name : beasts) {
    INFO(name);
    const retarget::OwnBody body = retarget::own_body(template_body(name), {});
    CHECK((body.left - Vector3d::UnitX()).norm() < 0.1);
    CHECK((body.front - Vector3d::UnitZ()).norm() < 0.1);
  }
}

TEST_CASE("motions of our own end as they begin, and all joints follow them", "[retarget]") {
  std::vector<std::string> bodies_of_rig = beasts;
  bodies_of_rig.push_back("biped");
  for (const std::string& kind : bodies_of_rig)
    for (const std::string& name : retarget::own_motion_names(kind)) {
      INFO(kind << " " << name);
      const NodeScene hero = template_body(kind), scene = retarget::own_motion(name, hero);
      REQUIRE(scene.clips.size() == 1);
      CHECK(retarget::sample_motion(scene, scene.clips[0]).closed);
      const bodies::Both both(scene, hero);
      const retarget::RetargetedClip made =
          retarget::retarget_clip(both.between, scene, scene.clips[0], hero, {});
      CHECK(made.figures.joints_to_move > 0);
      CHECK(made.figures.joints_moved == made.figures.joints_to_move);
      CHECK(made.figures.foot_slide < 0.02);
      CHECK(retarget::motion_findings(made.figures, name).empty());
    }
}

TEST_CASE("the limits move every joint of a body", "[retarget]") {
  for (const std::string& kind : beasts) {
    INFO(kind);
    const retarget::OwnBody body = retarget::own_body(template_body(kind), {});
    const retarget::BeastMotion motion = retarget::beast_motion(body, "limits");
    for (std::size_t i = 0; i < body.rest.size(); ++i) {
      if (static_cast<int>(i) == body.mover) continue;
      INFO(body.rest.names[i]);
      double most = 0.0;
      for (const retarget::OwnPose& pose : motion.poses)
        most = std::max(most, bodies::Quaterniond::Identity().angularDistance(pose.turns[i]));
      CHECK(most > 0.1);
    }
  }
}

TEST_CASE("a foot that stands goes with the ground, and the others step forward", "[retarget]") {
  for (const char* kind : {"quadruped", "bird", "spider"}) {
    INFO(kind);
    const retarget::OwnBody body = retarget::own_body(template_body(kind), {});
    const std::vector<retarget::OwnLeg> legs = retarget::legs_of(body);
    CHECK(legs.size() == (kind == std::string("bird")     ? 2u
                          : kind == std::string("spider") ? 8u
                                                          : 4u));
    const retarget::Gait gait = retarget::gait_of(body, legs);
    const retarget::BeastMotion walk = retarget::beast_motion(body, "walk");
    for (const retarget::OwnLeg& leg : legs) {
      double slide = 0.0, high = 0.0;
      Vector3d stood = Vector3d::Zero();
      int standing = 0;
      for (int f = 0; f <= walk.frames; ++f) {
        const Vector3d at = place_of_end(body, leg, retarget::place_pose(body, walk.poses[f]));
        const double p = std::fmod(static_cast<double>(f) / walk.frames + leg.phase, 1.0);
        high = std::max(high, at.y() - leg.contact(body).y());
        CHECK(at.y() - leg.contact(body).y() > -0.01 * gait.sweep);
        const bool stands = p < gait.duty && p > 1e-9;
        if (stands && standing++ > 0) slide = std::max(slide, (at - stood).norm());
        if (!stands) standing = 0;
        stood = at;
      }
      CHECK(slide < 0.01 * gait.way());
      CHECK(high > 0.5 * gait.lift);
    }
  }
}

TEST_CASE("a leg whose lower bone has next to no length walks", "[retarget]") {
  NodeScene scene = template_body("quadruped");
  const retarget::OwnBody whole = retarget::own_body(scene, {});
  const int foot = retarget::legs_of(whole).front().foot;
  for (Node& node : scene.nodes)
    if (node.name == whole.rest.names[foot]) node.local.translation *= 1e-5;
  const retarget::OwnBody body = retarget::own_body(scene, {}, retarget::BodyKind::quadruped);
  for (const retarget::OwnPose& pose : retarget::beast_motion(body, "walk").poses)
    for (const Vector3d& at : retarget::place_pose(body, pose).positions) CHECK(at.allFinite());
}

TEST_CASE("tails beat to both sides, those of whales up and down", "[retarget]") {
  for (const bool is_whale : {true, false}) {
    const Vector3d apart = is_whale ? Vector3d(0.1, 0.02, 0.0) : Vector3d(0.02, 0.1, 0.0);
    const retarget::OwnBody body = retarget::own_body(fish_with_fin(apart), {});
    CHECK(body.level_tail == is_whale);
    for (const char* name : {"swim", "idle"}) {
      double up = 0.0, aside = 0.0;
      for (const retarget::OwnPose& pose : retarget::beast_motion(body, name).poses) {
        const retarget::PlacedPose placed = retarget::place_pose(body, pose);
        const int fin = retarget::tail_joints(body).back(), mover = body.mover;
        const Vector3d since_rest =
            placed.positions[fin] - placed.positions[mover] - (body.at(fin) - body.at(mover));
        up = std::max(up, std::abs(since_rest.y()));
        aside = std::max(aside, std::abs(since_rest.x()));
      }
      CHECK((is_whale ? up : aside) > 0.01);
      CHECK((is_whale ? aside : up) < 1e-9);
    }
  }
}

TEST_CASE("a kind of body has its own motions", "[retarget]") {
  CHECK_THROWS_WITH(
      retarget::own_motion("fly", template_body("quadruped")),
      Catch::Contains(
          "motion 'fly': the joints are those of a quadruped, which has idle, walk, limits"));
  CHECK_THROWS_WITH(retarget::own_motion("wlak", bodies::plain_body()),
                    Catch::Contains("biped") && Catch::Contains("'walk'"));
  NodeScene plain = template_body("fish");
  for (Node& node : plain.nodes) node.name = "Bone";
  CHECK_THROWS_WITH(retarget::own_motion("swim", plain),
                    Catch::Contains("a fish has it") && Catch::Contains("rig --template fish"));
  CHECK_THROWS_WITH(retarget::own_motion("fly", template_body("fish")),
                    Catch::Contains("those of a fish, which has idle, swim, limits"));
}
