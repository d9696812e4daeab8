// parts_by_shape FILE...: parts of upright bodies by shape beside those by the names of their
// joints, a line per file and a table of parts. Bodies whose trunk lies are beasts, which are right
// if they get no parts. Files whose names tell no body with arms and legs are left out.
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "retarget/retarget_file.h"
#include "retarget/shape_roles.h"

using namespace gvbind;
using namespace gvbind::retarget;

namespace {

struct Count {
  int all = 0, right = 0, wrong = 0;
};

const std::vector<std::string> middle_parts = {"hips", "head"};
const std::vector<std::string> limb_parts = {"upper_arm", "forearm", "hand",
                                             "thigh",     "shin",    "foot"};

std::vector<std::string> main_parts() {
  std::vector<std::string> out = middle_parts;
  for (const std::string& part : limb_parts)
    for (const std::string side : body_sides) out.push_back(part + side);
  return out;
}

/// The same joint or one at the same place.
bool is_same(const RestSkeleton& rest, int a, int b, double size, const std::string& part) {
  const double near = part == "hips" ? 0.07 : 0.02;
  return a == b || (rest.world.positions[a] - rest.world.positions[b]).norm() < near * size;
}

void judge(const std::string& path, std::map<std::string, Count>& counts, Count& files,
           Count& beasts) {
  Findings findings;
  const MotionFile motion = read_motion(path, {}, findings);
  RestSkeleton rest = node_pose_skeleton(motion.scene);
  const BodyRoles named = body_roles(rest, motion.bones);
  for (const std::string& part : main_parts())
    if (named.first(part) < 0) return;
  if (has_level_trunk(rest, named)) {
    ++beasts.all;
    (parts_by_shape(motion.scene).by_shape ? beasts.wrong : beasts.right) += 1;
    return;
  }
  if (auto bound = bind_pose_skeleton(motion.scene)) rest = std::move(*bound);
  const BodyRoles found = parts_by_shape(motion.scene);
  Eigen::AlignedBox3d box;
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (rest.is_joint[i]) box.extend(rest.world.positions[i]);
  std::string wrong;
  for (const std::string& part : main_parts()) {
    const int at = found.first(part);
    const bool right =
        at >= 0 && is_same(rest, at, named.first(part), box.sizes().maxCoeff(), part);
    Count& count = counts[part];
    ++count.all;
    count.right += right;
    count.wrong += !right && at >= 0;
    if (!right) wrong += " " + part;
  }
  ++files.all;
  files.right += wrong.empty();
  files.wrong += found.is_body() && !wrong.empty();
  std::printf("%s\t%s\t%s\n", path.c_str(), found.is_body() ? "found" : "none",
              wrong.empty() ? "right" : wrong.c_str() + 1);
}

void print(const std::string& name, const Count& count) {
  std::printf("%-12s %4d of %4d right, %4d wrong\n", name.c_str(), count.right, count.all,
              count.wrong);
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, Count> counts;
  Count files, beasts;
  for (int i = 1; i < argc; ++i) try {
      judge(argv[i], counts, files, beasts);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
  for (const std::string& part : main_parts()) print(part, counts[part]);
  print("files", files);
  print("beasts", beasts);
}
