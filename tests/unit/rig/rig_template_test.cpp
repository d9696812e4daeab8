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

std::string first_name(const rig::RigTemplate& rig, const rig::TemplateLimb& limb) {
  return rig.joints[static_cast<std::size_t>(limb.joints[limb.root])].name;
}

using Names = std::vector<std::string>;

/// The joint names of the limb that begins with this joint; empty if there is none.
Names limb_names(const rig::RigTemplate& rig, const std::string& first) {
  Names names;
  for (const rig::TemplateLimb& limb : rig.limbs)
    if (first_name(rig, limb) == first)
      for (std::size_t i = limb.root; i < limb.joints.size(); ++i)
        names.push_back(rig.joints[static_cast<std::size_t>(limb.joints[i])].name);
  return names;
}

std::string parent_name(const std::vector<Joint>& joints, const Joint& joint) {
  return joint.parent < 0 ? "" : joints[static_cast<std::size_t>(joint.parent)].name;
}

std::string parent_name(const std::vector<Joint>& joints, const std::string& name) {
  return parent_name(joints, *std::ranges::find(joints, name, &Joint::name));
}

/// Our biped with its feet ("Foot.L") as children of a root and listed before its shins
/// ("LowerLeg.L"), as in rigs with controls.
std::vector<Joint> with_feet_at_root() {
  const std::vector<Joint> biped = rig::builtin_template("biped").value();
  std::vector<Joint> joints = {{{0.0, 0.0, 0.0}, -1, true, "Root"}};
  std::vector<int> index(biped.size());
  for (const bool feet : {true, false})
    for (std::size_t j = 0; j < biped.size(); ++j) {
      if (biped[j].name.starts_with("foot") != feet) continue;
      const int parent =
          feet || biped[j].parent < 0 ? 0 : index[static_cast<std::size_t>(biped[j].parent)];
      index[j] = static_cast<int>(joints.size());
      joints.push_back({biped[j].position, parent, biped[j].deforms, biped[j].name});
      std::string& name = joints.back().name;
      if (feet) name[0] = 'F';
      if (name.starts_with("shin")) name.replace(0, 4, "LowerLeg");
    }
  return joints;
}

}  // namespace

TEST_CASE("our templates have the limbs that their bodies have, in pairs") {
  const rig::RigTemplate biped = rig::analyzed_template(rig::builtin_template("biped").value());
  std::vector<std::string> roots;
  for (const rig::TemplateLimb& limb : biped.limbs) roots.push_back(first_name(biped, limb));
  std::ranges::sort(roots);
  CHECK(roots ==
        std::vector<std::string>{"neck", "thigh.L", "thigh.R", "upper_arm.L", "upper_arm.R"});
  const rig::RigTemplate dog = rig::analyzed_template(rig::builtin_template("quadruped").value());
  CHECK(dog.limbs.size() == 6);
  CHECK(std::ranges::count_if(dog.limbs, &rig::TemplateLimb::is_axial) == 2);
  const rig::RigTemplate bird = rig::analyzed_template(rig::builtin_template("bird").value());
  const rig::RigTemplate fish = rig::analyzed_template(rig::builtin_template("fish").value());
  const rig::RigTemplate spider = rig::analyzed_template(rig::builtin_template("spider").value());
  CHECK(bird.limbs.size() == 6);
  CHECK(fish.limbs.size() == 4);
  CHECK(spider.limbs.size() >= 8);
  for (const rig::RigTemplate& rig : {biped, dog, bird, fish, spider})
    for (const rig::TemplateLimb& limb : rig.limbs) CHECK(limb.is_axial == (limb.mirror_limb < 0));
  CHECK(rig::analyzed_template(rig::builtin_template("hand").value()).limbs.size() == 5);
}

TEST_CASE("a control of the rig between two bones is a link of the limb") {
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  const std::size_t limbs = rig::analyzed_template(joints).limbs.size();
  for (Joint& joint : joints)
    if (joint.name.starts_with("shin")) joint.name = "MCH-" + joint.name;
  CHECK(rig::analyzed_template(joints).limbs.size() == limbs);
  joints.push_back({joints[0].position + Eigen::Vector3d(0.0, 0.0, 2.0), 0, true, "ik_pole"});
  CHECK(rig::analyzed_template(joints).limbs.size() == limbs);
}

TEST_CASE("feet that hang from the root belong below the shins of their side") {
  const std::vector<Joint> joints = with_feet_at_root();
  const rig::RigTemplate rig = rig::analyzed_template(joints);
  REQUIRE(rig.joints.size() == joints.size());
  std::vector<std::size_t> sources = rig.sources;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const Joint& given = joints[sources[j]];
    CHECK(rig.joints[j].name == given.name);
    CHECK(rig.joints[j].position == given.position);
    CHECK(rig.joints[j].parent < static_cast<int>(j));
    const bool is_foot = given.name.starts_with("Foot");
    CHECK(parent_name(rig.joints, rig.joints[j]) ==
          (is_foot ? "LowerLeg" + given.name.substr(4) : parent_name(joints, given)));
  }
  CHECK(limb_names(rig, "thigh.L") == Names{"thigh.L", "LowerLeg.L", "Foot.L", "toe.L"});
  CHECK(limb_names(rig, "thigh.R") == Names{"thigh.R", "LowerLeg.R", "Foot.R", "toe.R"});
  CHECK(rig.limbs.size() == 5);
  std::ranges::sort(sources);
  for (std::size_t j = 0; j < sources.size(); ++j) CHECK(sources[j] == j);
}

TEST_CASE("feet at the root stay there where a leg has its own, or hangs from them") {
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  joints.push_back({{0.1, 0.1, 0.0}, 0, true, "Foot.L"});
  CHECK(parent_name(rig::analyzed_template(joints).joints, "Foot.L") == "hips");
  const std::vector<Joint> circle = {{{0, 1, 0}, -1, true, "hips"},
                                     {{0.1, 0, 0}, 0, true, "Foot.L"},
                                     {{0.1, 0.5, 0}, 1, true, "LowerLeg.L"},
                                     {{-0.1, 0, 0}, 0, true, "Foot.R"},
                                     {{-0.1, 0.5, 0}, 3, true, "LowerLeg.R"}};
  const rig::RigTemplate rig = rig::analyzed_template(circle);
  CHECK(rig.sources == std::vector<std::size_t>{0, 1, 2, 3, 4});
  CHECK(parent_name(rig.joints, "Foot.L") == "hips");
}

TEST_CASE("a spine that nothing hangs from is no limb") {
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  for (Joint& joint : joints) ++joint.parent;
  joints.insert(joints.begin(), {{0.0, 0.0, 0.0}, -1, true, "root"});
  for (Joint& joint : joints)
    if (joint.name == "neck" || joint.name.starts_with("shoulder") ||
        joint.name.starts_with("thigh"))
      joint.parent = 0;
  const rig::RigTemplate rig = rig::analyzed_template(joints);
  CHECK(rig.limbs.size() == 5);
  CHECK(limb_names(rig, "hips").empty());
}

TEST_CASE("unnamed children of a hand or head are not part of a limb") {
  const std::vector<Joint> without = rig::builtin_template("biped").value();
  for (const char* name : {"hand.L", "head"}) {
    std::vector<Joint> joints = without;
    const auto above = std::ranges::find(joints, name, &Joint::name);
    const auto parent = static_cast<int>(above - joints.begin());
    joints.push_back({above->position + Eigen::Vector3d(0.0, 0.3, 0.3), parent, true, "sabre"});
    joints.push_back({joints.back().position + Eigen::Vector3d(0.0, 0.3, 0.3),
                      static_cast<int>(joints.size()) - 1, true, "sabre_2"});
    const rig::RigTemplate rig = rig::analyzed_template(joints);
    CHECK(rig.limbs.size() == 5);
    for (const char* root : {"upper_arm.L", "neck"})
      CHECK(limb_names(rig, root) == limb_names(rig::analyzed_template(without), root));
  }
}

TEST_CASE("every template by name is there, and no other") {
  for (const std::string& name : rig::builtin_template_names()) {
    const auto joints = rig::builtin_template(name);
    REQUIRE(joints);
    for (std::size_t j = 0; j < joints->size(); ++j)
      CHECK((*joints)[j].parent < static_cast<int>(j));
  }
  CHECK_FALSE(rig::builtin_template("centaur"));
}

TEST_CASE("a template that cannot be embedded is refused") {
  const auto refusal = [](std::vector<Joint> joints) -> std::string {
    try {
      rig::analyzed_template(joints);
    } catch (const Error& error) {
      return error.what();
    }
    return "taken";
  };
  CHECK(refusal({{{0, 0, 0}, -1, true, "one"}}) ==
        "the template has 1 joint; it takes three at least");
  CHECK(refusal(std::vector<Joint>(3000, Joint{{0, 0, 0}, -1, true, "a"})) ==
        "the template has 3,000 joints; it takes 2,048 at most");
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
