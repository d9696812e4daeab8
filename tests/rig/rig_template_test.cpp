#include "rig/rig_template.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "gvbind/error.h"
#include "rig/builtin_templates.h"

namespace gvbind {

namespace {

std::string first_name(const RigTemplate& rig, const TemplateLimb& limb) {
  return rig.joints[static_cast<std::size_t>(limb.joints[limb.root])].name;
}

}  // namespace

TEST_CASE("our templates have the limbs that their bodies have, in pairs") {
  const RigTemplate biped = analyzed_template(builtin_template("biped").value());
  std::vector<std::string> roots;
  for (const TemplateLimb& limb : biped.limbs) roots.push_back(first_name(biped, limb));
  std::ranges::sort(roots);
  CHECK(roots ==
        std::vector<std::string>{"neck", "thigh.L", "thigh.R", "upper_arm.L", "upper_arm.R"});
  const RigTemplate dog = analyzed_template(builtin_template("quadruped").value());
  CHECK(dog.limbs.size() == 6);
  CHECK(std::ranges::count_if(dog.limbs, &TemplateLimb::is_axial) == 2);
  const RigTemplate bird = analyzed_template(builtin_template("bird").value());
  const RigTemplate fish = analyzed_template(builtin_template("fish").value());
  const RigTemplate spider = analyzed_template(builtin_template("spider").value());
  CHECK(bird.limbs.size() == 6);
  CHECK(fish.limbs.size() == 4);
  CHECK(spider.limbs.size() >= 8);
  for (const RigTemplate& rig : {biped, dog, bird, fish, spider})
    for (const TemplateLimb& limb : rig.limbs) CHECK(limb.is_axial == (limb.twin < 0));
  CHECK(analyzed_template(builtin_template("hand").value()).limbs.size() == 5);
}

TEST_CASE("a control of the rig between two bones is a link of the limb") {
  std::vector<Joint> joints = builtin_template("biped").value();
  const std::size_t limbs = analyzed_template(joints).limbs.size();
  for (Joint& joint : joints)
    if (joint.name.starts_with("shin")) joint.name = "MCH-" + joint.name;
  CHECK(analyzed_template(joints).limbs.size() == limbs);
  joints.push_back({joints[0].position + Eigen::Vector3d(0.0, 0.0, 2.0), 0, true, "ik_pole"});
  CHECK(analyzed_template(joints).limbs.size() == limbs);
}

TEST_CASE("every template by name is there, and no other") {
  for (const std::string& name : builtin_template_names()) {
    const auto joints = builtin_template(name);
    REQUIRE(joints);
    for (std::size_t j = 0; j < joints->size(); ++j)
      CHECK((*joints)[j].parent < static_cast<int>(j));
  }
  CHECK_FALSE(builtin_template("centaur"));
}

TEST_CASE("a template that cannot be embedded is refused") {
  const auto refusal = [](std::vector<Joint> joints) -> std::string {
    try {
      analyzed_template(joints);
    } catch (const Error& error) {
      return error.what();
    }
    return "taken";
  };
  CHECK(refusal({{{0, 0, 0}, -1, true, "one"}}) ==
        "the template has 1 joint; it takes three at least");
  CHECK(refusal({{{0, 0, 0}, 2, true, "a"}, {{0, 1, 0}, 0, true, "b"}, {{0, 2, 0}, 1, true, "c"}})
            .find("cycle") != std::string::npos);
  CHECK(refusal({{{0, 0, 0}, -1, true, "a"}, {{0, 0, 0}, 0, true, "b"}, {{0, 0, 0}, 1, true, "c"}})
            .find("one place") != std::string::npos);
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(
      refusal(
          {{{0, 0, 0}, -1, true, "a"}, {{0, infinity, 0}, 0, true, "b"}, {{0, 2, 0}, 1, true, "c"}})
          .find("'b'") != std::string::npos);
}

}  // namespace gvbind
