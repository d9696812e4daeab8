#include <Eigen/Core>
#include <locale>
#include <sstream>
#include <stdexcept>

#include "characters.h"

namespace gvbind {
namespace {

void write_vector(std::ostream& out, const Eigen::Vector3d& v) {
  out << v.x() << ' ' << v.y() << ' ' << v.z();
}

void write_joint(std::ostream& out, const Scene& skeleton, std::size_t j, int depth) {
  const std::string indent(static_cast<std::size_t>(depth), '\t');
  const SceneJoint& joint = skeleton.joints[j];
  const Eigen::Vector3d place = joint.bind.translation();
  const Eigen::Vector3d before =
      joint.parent < 0
          ? Eigen::Vector3d(Eigen::Vector3d::Zero())
          : Eigen::Vector3d(
                skeleton.joints[static_cast<std::size_t>(joint.parent)].bind.translation());
  out << indent << (joint.parent < 0 ? "ROOT " : "JOINT ") << joint.name << '\n'
      << indent << "{\n"
      << indent << "\tOFFSET ";
  write_vector(out, place - before);
  out << '\n' << indent << "\tCHANNELS ";
  if (joint.parent < 0)
    out << "6 Xposition Yposition Zposition ";
  else
    out << "3 ";
  out << "Zrotation Xrotation Yrotation\n";
  bool leaf = true;
  for (std::size_t child = j + 1; child < skeleton.joints.size(); ++child)
    if (skeleton.joints[child].parent == static_cast<int>(j)) {
      write_joint(out, skeleton, child, depth + 1);
      leaf = false;
    }
  if (leaf) {
    out << indent << "\tEnd Site\n" << indent << "\t{\n" << indent << "\t\tOFFSET ";
    write_vector(out, 0.5 * (place - before));
    out << '\n' << indent << "\t}\n";
  }
  out << indent << "}\n";
}

}  // namespace

std::string bvh_text(const Scene& skeleton) {
  if (skeleton.joints.empty() || skeleton.joints[0].parent >= 0)
    throw std::invalid_argument("a motion file has one root");
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(6);
  out << std::fixed << "HIERARCHY\n";
  write_joint(out, skeleton, 0, 0);
  out << "MOTION\nFrames: 1\nFrame Time: 0.033333\n";
  write_vector(out, skeleton.joints[0].bind.translation());
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) out << " 0 0 0";
  out << '\n';
  return out.str();
}

}  // namespace gvbind
