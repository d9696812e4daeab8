#include "gvbind/weights/rigid_components.h"

#include <catch2/catch.hpp>

using namespace gvbind;

TEST_CASE("rigid parts go with their joint, attached ones with the joint of most weight") {
  Components components;
  components.component = {0, 1, 2, 2, no_component, 1};
  components.vertices = {1, 2, 2};
  components.triangles.resize(3);
  ComponentJoints joints;
  joints.kind = {ComponentKind::open, ComponentKind::rigid, ComponentKind::attached};
  joints.joint = {0, 7, 0};
  SkinWeights weights;
  weights.first = {0, 2, 3, 5, 7, 8, 8};
  weights.joint = {1, 2, 3, 4, 5, 5, 4, 6};
  weights.weight = {0.75f, 0.25f, 1.0f, 0.6f, 0.4f, 0.9f, 0.1f, 1.0f};
  const RigidCount count =
      bind_rigid_components(components, component_owners(components, joints, weights), weights);
  CHECK(count.components == 2);
  CHECK(count.vertices == 3);
  CHECK(weights.first == std::vector<std::uint32_t>{0, 2, 3, 4, 5, 6, 6});
  CHECK(weights.joint == std::vector<std::uint32_t>{1, 2, 7, 5, 5, 6});
  CHECK(weights.weight == std::vector<float>{0.75f, 0.25f, 1.0f, 1.0f, 1.0f, 1.0f});
}

TEST_CASE("open parts keep their weights") {
  Components components;
  components.component = {0};
  components.vertices = {1};
  components.triangles.resize(1);
  ComponentJoints joints{{ComponentKind::open}, {0}, {{true, true}}};
  SkinWeights weights;
  weights.first = {0, 2};
  weights.joint = {1, 0};
  weights.weight = {0.75f, 0.25f};
  CHECK(bind_rigid_components(components, component_owners(components, joints, weights), weights)
            .components == 0);
  CHECK(weights.joint.size() == 2);
}

TEST_CASE("an attached part of which no joint has enough bends") {
  Components components;
  components.component = {0, 0};
  components.vertices = {2};
  components.triangles.resize(1);
  ComponentJoints joints{{ComponentKind::attached}, {0}, {{true, true, true}}};
  SkinWeights weights;
  weights.first = {0, 2, 4};
  weights.joint = {1, 0, 2, 1};
  weights.weight = {0.6f, 0.4f, 0.7f, 0.3f};
  const SkinWeights before = weights;
  CHECK(bind_rigid_components(components, component_owners(components, joints, weights), weights)
            .components == 0);
  CHECK(weights.joint == before.joint);
  CHECK(weights.weight == before.weight);
}

TEST_CASE("a rigid part is released for a joint that would be left without weight") {
  // Part 0 is rigid to joint 0, part 1 to joint 1; part 2 is bent.
  Components components;
  components.component = {0, 0, 1, 2};
  SkinWeights weights;
  weights.first = {0, 2, 4, 5, 6};
  weights.joint = {0, 2, 2, 0, 1, 0};
  weights.weight = {0.6f, 0.4f, 0.7f, 0.3f, 1.0f, 1.0f};
  const std::vector<std::uint32_t> rigid = {0, 1, no_owner};
  std::vector<std::uint32_t> owners = rigid;
  release_components(components, weights, owners);
  CHECK(owners == std::vector<std::uint32_t>{no_owner, 1, no_owner});

  owners = rigid;
  weights.joint[5] = 2;  // joint 2 has weight elsewhere
  release_components(components, weights, owners);
  CHECK(owners == rigid);

  weights.joint[5] = 0;
  weights.weight = {0.9f, 0.1f, 0.6f, 0.4f, 1.0f, 1.0f};
  weights.joint = {0, 2, 0, 2, 1, 0};  // joint 2 has a quarter of the part
  release_components(components, weights, owners);
  CHECK(owners == rigid);
}
