#include "rig/rig_skeleton.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "character/selection.h"
#include "formats/document.h"
#include "gvbind/base/utf8.h"
#include "rig/builtin_templates.h"
#include "rig/engine_axes.h"
#include "rig/face_parts.h"
#include "rig/held_things.h"
#include "rig/rig_template.h"
#include "rig/skeleton_words.h"
#include "rig/template_guess.h"

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

// Of 1, for humans and others; docs/rig.md explains confidence.
constexpr double unsure_human = 0.5, unsure_other = 0.25;
constexpr double no_human = 0.1;  // bodies below it are no upright humans, with few exceptions

/// Orients frames so that y points along the bone: to the first child, or away from the parent.
void point_frames(std::vector<SceneJoint>& joints) {
  std::vector<Vector3d> along(joints.size(), Vector3d::Zero());
  const auto place = [&](std::size_t j) { return joints[j].bind.translation(); };
  for (std::size_t j = joints.size(); j-- > 0;) {
    if (joints[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(joints[j].parent);
    along[parent] = place(j) - place(parent);
    if (along[j].isZero()) along[j] = place(j) - place(parent);
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (!along[j].isZero())
      joints[j].bind.linear() = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitY(), along[j])
                                    .normalized()  // of vectors that are nearly opposite it is none
                                    .toRotationMatrix();
}

/// Orients the frames of a biped as the skeleton of its names has them, if that has published ones.
/// `turn` is the one from bind space to that of the template.
void take_axes_of_names(const NamedTemplate& from, JointNames names, const Eigen::Matrix3d& turn,
                        std::vector<SceneJoint>& joints) {
  const std::optional<SkeletonForm> form = form_of(names);
  if (!form || from.name != "biped") return;
  BonePlaces places;
  std::vector<std::string> bones;
  std::size_t written = 0;
  for (const Joint& joint : from.joints) {
    if (!joint.deforms) continue;
    bones.push_back(biped_joint_name(joint.name, JointNames::vrm).value_or(""));
    places[bones.back()] = turn * joints[written++].bind.translation();
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (!bones[j].empty())
      joints[j].bind.linear() =
          turn.transpose() * engine_rotation(*form, places, bones[j]).toRotationMatrix();
}

std::string written_name(const NamedTemplate& from, const Joint& joint, JointNames names) {
  if (from.name != "biped") return joint.name;
  return biped_joint_name(joint.name, names).value_or(joint.name);
}

void report_unsure(const MadeSkeleton& made, Findings& findings) {
  const double unsure = made.is_calibrated ? unsure_human : unsure_other;
  std::string names;
  std::size_t count = 0;
  for (std::size_t j = 0; j < made.confidence.size(); ++j)
    if (made.confidence[j] < unsure && ++count <= 4)
      names += (names.empty() ? "" : ", ") + made.scene.joints[j].name;
  if (count > 0)
    findings.push_back({Severity::warning, "joint-unsure",
                        counted(count, "joint", "joints") + " may be misplaced (" + names +
                            (count > 4 ? ", ..." : "") +
                            "): look at 'gvbind preview', and place them with 'gvbind rig "
                            "--hints'",
                        ""});
}

bool is_unsure(const MadeSkeleton& made) {
  return *std::ranges::min_element(made.confidence) <
         (made.is_calibrated ? unsure_human : unsure_other);
}

/// Says which template fits better, or that none does.
void report_template(const NamedTemplate& from, const MadeSkeleton& made,
                     const std::optional<TemplateGuess>& guess, Findings& findings) {
  std::string message;
  if (guess && guess->name != from.name)
    message = "looks like a " + guess->name + ": --template " + guess->name + ", or --rig " +
              guess->name + " in a bind";
  else if (!guess && made.is_calibrated && *std::ranges::max_element(made.confidence) < no_human)
    message = "has none of the proportions of a " + from.name +
              ", and no other template of ours fits it clearly: a head, arms or a garment alone "
              "needs a skeleton of its own, as --template FILE";
  if (!message.empty()) findings.push_back({Severity::warning, "template-unsure", message, ""});
}

std::vector<Vector3d> positions_of(const std::vector<Joint>& joints) {
  std::vector<Vector3d> positions;
  for (const Joint& joint : joints) positions.push_back(joint.position);
  return positions;
}

/// A template's joints where its file has them: in the units of the mesh, and as plain numbers, as
/// converters change the one or the other.
std::vector<std::vector<Vector3d>> given_places(const NamedTemplate& from, const Units& mesh) {
  std::vector<std::vector<Vector3d>> given = from.as_it_is;
  const double scale = from.meters / mesh.meters;
  if (!from.has_units || !mesh.known || scale == 1.0) return given;
  for (std::size_t i = 0; i < from.as_it_is.size(); ++i) {
    given.push_back(from.as_it_is[i]);
    for (Vector3d& place : given.back()) place *= scale;
  }
  return given;
}

struct TurnedMesh {
  std::vector<Vector3d> positions;
  std::vector<Triangle> triangles;  ///< of the body, without the things that it holds
  std::vector<Triangle> face;       ///< of parts that are named as of a face
  Eigen::AlignedBox3d box;          ///< of all triangles
};

/// All selected meshes as one.
TurnedMesh turned_mesh(const Scene& scene, const Eigen::Matrix3d& turn) {
  TurnedMesh made;
  const std::vector<std::vector<Triangle>> body = body_triangles(scene);
  const std::vector<std::vector<Triangle>> face = face_triangles(scene);
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (!mesh.selected) continue;
    const auto base = static_cast<std::uint32_t>(made.positions.size());
    for (const Vector3d& p : mesh.positions) made.positions.push_back(turn * p);
    for (const Triangle& t : mesh.triangles)
      for (const std::uint32_t v : t) made.box.extend(made.positions[base + v]);
    for (const Triangle& t : body[m])
      made.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    for (const Triangle& t : face[m]) made.face.push_back({t[0] + base, t[1] + base, t[2] + base});
  }
  return made;
}

/// Percents are of the box of all that the file has; they rotate about its center, which is at 50 %
/// in every space.
void turn_hints(const Eigen::Matrix3d& turn, const Eigen::AlignedBox3d& box,
                std::vector<JointHint>& hints) {
  const Vector3d middle = Vector3d::Constant(0.5);
  for (JointHint& hint : hints) {
    const Vector3d share = turn * (hint.position - middle) + middle;
    hint.position = hint.of_box ? Vector3d(box.min() + share.cwiseProduct(box.sizes()))
                                : Vector3d(turn * hint.position);
    hint.of_box = false;
  }
}

}  // namespace

Eigen::Matrix3d standing_turn(const Vector3d& up, const Vector3d& front) {
  Eigen::Matrix3d turn;
  turn << up.cross(front).transpose(), up.transpose(), front.transpose();
  return turn;
}

Vector3d front_across(const Vector3d& up, const Vector3d& front) {
  if (std::abs(up.dot(front)) < 0.5) return front;
  return std::abs(up.z()) > 0.5 ? Vector3d(0, -1, 0) : Vector3d(0, 0, 1);
}

void name_as_template(const NamedTemplate& from, JointNames names, std::span<JointHint> hints) {
  std::vector<std::string> known;
  for (const Joint& joint : from.joints)
    if (joint.deforms) known.push_back(written_name(from, joint, names));
  for (JointHint& hint : hints) {
    const auto is_meant = [&](const Joint& joint) {
      return hint.name == joint.name ||
             (joint.deforms && hint.name == written_name(from, joint, names));
    };
    const auto found = std::ranges::find_if(from.joints, is_meant);
    if (found == from.joints.end()) {
      const std::string near = nearest_name(hint.name, known);
      throw Error(ErrorKind::usage, "no joint of the template '" + from.name + "' is named '" +
                                        hint.name + "'" +
                                        (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    hint.name = found->name;
  }
}

NamedTemplate open_template(const std::string& name, const ReadLimits& limits) {
  if (auto own = builtin_template(name)) return {name, std::move(*own)};
  Findings ignored;
  const Document document = read_document(name, ignored, read_options(limits, name));
  const Scene scene = naming(name, [&] {
    return scene_of(document, {}, ignored, {.weights = false, .attributes = false});
  });
  if (scene.joints.empty()) throw Error(ErrorKind::cannot_bind, name + ": holds no joints");
  const Eigen::Matrix3d turn = standing_turn(scene.units.up, scene.units.front);
  NamedTemplate made{name, {}};
  made.meters = scene.units.meters;
  made.has_units = scene.units.known;
  for (const SceneJoint& joint : scene.joints)
    made.joints.push_back(
        {turn * joint.bind.translation(), joint.parent, !is_body_end(joint.name), joint.name});
  // A joint that is named as an end and leads on is none.
  for (std::size_t j = made.joints.size(); j-- > 0;)
    if (const int parent = made.joints[j].parent; parent >= 0 && made.joints[j].deforms)
      made.joints[parent].deforms = true;
  // The bind pose of many converted files lies, whatever their axes are.
  const Eigen::Matrix3d upright = upright_turn(made.joints);
  made.as_it_is.push_back(positions_of(made.joints));
  for (Joint& joint : made.joints) joint.position = upright * joint.position;
  if (!upright.isIdentity()) made.as_it_is.push_back(positions_of(made.joints));
  // Errors of the template have to name its file.
  naming(name, [&] { analyzed_template(made.joints); });
  return made;
}

MadeSkeleton made_skeleton(const Scene& bare, const NamedTemplate& from, JointNames names,
                           const Standing& standing, RigOptions options, Findings& findings) {
  const Vector3d up = standing.up.value_or(bare.units.up);
  const Eigen::Matrix3d turn =
      standing_turn(up, front_across(up, standing.front.value_or(bare.units.front)));
  if (standing.up || standing.front)
    options.orient = OrientRule::given;
  else if (bare.units.known)
    options.orient = OrientRule::upright;
  const auto [positions, triangles, face, box] = turned_mesh(bare, turn);
  turn_hints(turn, box, options.hints);
  options.face = surface_center(positions, face);
  options.given = given_places(from, bare.units);
  const RiggedCharacter rigged = rig_character({positions, triangles}, from.joints, options);
  MadeSkeleton made;
  made.is_mirrored = rigged.is_mirrored;
  made.symmetry = rigged.symmetry;
  made.is_calibrated = rigged.is_calibrated;
  made.scene.units = bare.units;
  std::vector<int> index(from.joints.size(), -1);
  for (std::size_t j = 0; j < from.joints.size(); ++j) {
    if (!from.joints[j].deforms) continue;
    const int parent = from.joints[j].parent;
    index[j] = static_cast<int>(made.scene.joints.size());
    SceneJoint joint;
    joint.name = written_name(from, from.joints[j], names);
    joint.parent = parent < 0 ? -1 : index[parent];
    joint.bind.translation() = turn.transpose() * rigged.joints[j].position;
    made.scene.joints.push_back(joint);
    made.confidence.push_back(rigged.joints[j].confidence);
  }
  point_frames(made.scene.joints);
  take_axes_of_names(from, names, turn, made.scene.joints);
  if (rigged.is_given)
    findings.push_back({Severity::note, "joints-as-given",
                        "the template's joints lie right in the mesh: they stay as they are in its "
                        "file, or moved and scaled as a whole",
                        ""});
  else if (!rigged.turn.isIdentity())
    findings.push_back({Severity::note, "body-turned",
                        "the template fits best with the mesh turned by right angles; --up and "
                        "--front of 'gvbind rig' say where they are",
                        ""});
  report_unsure(made, findings);
  if (is_unsure(made) && from.as_it_is.empty() && options.hints.empty())
    report_template(
        from, made,
        guessed_template({positions, triangles},
                         bare.units.known ? OrientRule::upright : OrientRule::automatic),
        findings);
  return made;
}

}  // namespace gvbind::rig
