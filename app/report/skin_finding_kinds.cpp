// Tested by tests/command/sources_test.py.

#include "report/finding_kinds.h"

#include <array>

namespace gvbind {

namespace {

// Sorted by code. A test compares the codes with those in the sources.
constexpr auto skin_kinds = std::to_array<FindingKind>({
    {"bleed", "warning or error", "skin has weight that jumps a gap",
     "skins have weight that jumps a gap",
     "Part of the weight goes to joints that are far away along the surface and along the "
     "skeleton: a finger moves its neighbor, or one thigh the other.",
     "Look at the named vertex in 'gvbind preview'. In a bind of gvbind's, a larger --resolution "
     "separates surfaces that lie close together."},
    {"body-turned", "note", "mesh was turned for the template",
     "meshes were turned for the template",
     "The template's limbs fit the mesh best when it is turned by right angles, so that is how "
     "'gvbind rig' embedded it. The mesh itself stays as it is.",
     "If left and right, or front and back, are the wrong way round, give --up and --front."},
    {"dead-joint", "warning", "joint is dead", "joints are dead",
     "The joint may own weight and owns none, although part of the surface lies at it, or it moved "
     "vertices with the weights that the input had. The part stays with another joint when this "
     "one turns.",
     "Look at both joints in 'gvbind preview'. A larger --resolution helps a joint in a thin part; "
     "--give hands it a mesh or a region, and --exclude leaves it out if it should move nothing."},
    {"device-failed", "warning", "device failed", "devices failed",
     "The GPU or its driver failed while it rendered the solid, and the CPU took over. The "
     "weights may differ in a few vertices.",
     "Run 'gvbind doctor', or pass --device cpu."},
    {"faces-turned", "note", "mesh has triangles that face inward",
     "meshes have triangles that face inward",
     "Pieces of the mesh are inside out. To tell inside from outside they are counted the other "
     "way round. The file's own faces stay as they are.",
     "Nothing; or pass --faces keep if the faces are right."},
    {"far-joint", "warning or error", "skin follows joints that lie elsewhere",
     "skins follow joints that lie elsewhere",
     "Vertices move with a joint that is far from them, although other joints are near. Left and "
     "right may be swapped, a limb may follow another one, or the weights may be in the wrong "
     "order.",
     "Look at the named joint in 'gvbind preview'. Where a rig means it so, allow it with "
     "--max-far-joint and --max-far-surface."},
    {"garment-off-body", "warning", "garment is mostly off the body",
     "garments are mostly off the body",
     "Less than half of the garment's vertices have the body beneath, so that there are few "
     "weights "
     "to take. The others have those of a bind of garment and body, or where that is far from the "
     "body's own weights, those of the body's nearest points.",
     "Look at it in a pose, and raise --max-distance if the body is beneath. Of nearest points, "
     "try `gvbind bind` on garment and body together."},
    {"instances-left", "note", "mesh is drawn in several places and left as it is",
     "meshes are drawn in several places and left as they are",
     "The node of the mesh has EXT_mesh_gpu_instancing, and engines place a mesh with a skin by "
     "its "
     "joints alone, so that its copies would fall into one.",
     "Nothing; or bind it and lose its copies: --meshes NAME."},
    {"joint-away", "note", "joint lies on a branch away from the mesh",
     "joints lie on branches away from the mesh",
     "The joint belongs to a branch beside the body, such as pole targets, and gets no weight.",
     "Nothing; or pass --controls keep if it should deform the mesh."},
    {"joint-collapsed", "warning", "joint has a scale of zero", "joints have a scale of zero",
     "Such a joint has no direction, so its vertices cannot be posed.",
     "Give the joint a scale and export again, or leave it out with --exclude."},
    {"joint-holds-others", "note", "joint only holds others", "joints only hold others",
     "The joint lies outside the mesh with its bones, above the joints inside, as a root on the "
     "floor does. It gets no weight.",
     "Nothing; or pass --controls keep if it should deform the mesh."},
    {"joint-of-other-scene", "warning", "mesh may follow joints of another scene",
     "meshes may follow joints of other scenes",
     "The file has several scenes and no skin. All its joints may own weight of the mesh, also "
     "those "
     "of scenes that the mesh is not in, and a viewer that shows one scene does not show them.",
     "Name the skeleton with --root, and the meshes that belong to it with --meshes."},
    {"joint-out-of-range", "warning", "mesh names joints that its skin does not have",
     "meshes name joints that their skins do not have",
     "JOINTS_n has an index beyond the joints of the skin, with a weight of 0. It moves nothing, "
     "but strict readers refuse the file.",
     "Bind the mesh again, or write 0 in these places."},
    {"joint-outside", "note or warning", "joint is outside the mesh", "joints are outside the mesh",
     "No voxel of the mesh meets the joint's bone. By default the joint starts from the nearest "
     "voxel, and the gap is added to its distances, so it owns little or nothing. Where it owns "
     "nothing, this is a note.",
     "Compare the sizes and positions of mesh and skeleton with 'gvbind inspect'. If the joint is "
     "a prop or a control, leave it out with --exclude; --outside chooses another rule."},
    {"joint-repeats", "note", "joint duplicates another", "joints duplicate others",
     "The joint belongs to a branch that repeats joints of the body, such as an IK chain, or is "
     "one that moves those named DEF-, as in Rigify. It gets no weight.",
     "Nothing; or pass --controls keep if it should deform the mesh."},
    {"joint-scaled-to-zero", "note", "skin has joints that are scaled to zero",
     "skins have joints that are scaled to zero",
     "The nodes of these joints, or nodes above them, have a scale of 0, so all that follows them "
     "is one point until a clip gives them a scale.",
     "Nothing, where that hides a part of the character."},
    {"joint-twice", "warning", "mesh has joints twice in a vertex",
     "meshes have joints twice in a vertex",
     "A vertex has more than one weight for the same joint. Programs that add them up show the "
     "mesh as meant; glTF forbids it.",
     "Bind the mesh again, or add such weights up."},
    {"joint-unsure", "warning", "skeleton has joints that may be misplaced",
     "skeletons have joints that may be misplaced",
     "Another end of the mesh fits a limb of the template nearly as well as the one taken, none "
     "was found, or a joint lies outside the mesh.",
     "Look at the skeleton with 'gvbind preview', and give the joints' places with --hints."},
    {"joint-without-vertices", "note", "joint owns no vertex", "joints own no vertex",
     "Other joints are nearer to every vertex.",
     "Nothing, if the joint is tiny or buried. A larger --resolution may help where it should own "
     "some."},
    {"joints-as-given", "note", "skeleton is taken as it lies", "skeletons are taken as they lie",
     "The joints of --template FILE lie in the mesh as well as those that 'gvbind rig' would place "
     "there, so they stay where the file has them, or are moved and scaled as a whole.",
     "Nothing; --hints places joints anew."},
    {"joints-near", "note", "mesh is smaller than its skeleton",
     "meshes are smaller than their skeletons",
     "The skeleton is much larger than the mesh, as around a garment alone. Only joints whose "
     "bones come near the mesh may own weight.",
     "Nothing; or pass --controls keep to let all joints own weight."},
    {"joints-without-effect", "note or error", "skin has joints that move nothing",
     "skins have joints that move nothing",
     "These joints of the skin own no weight, and neither do the joints below them. For end "
     "joints, pole targets and twist helpers that is ordinary.",
     "Nothing, unless one of them should deform the mesh. --max-idle-joints makes it an error."},
    {"kept-without-weight", "warning", "mesh keeps weights that are not complete",
     "meshes keep weights that are not complete",
     "With --existing keep the mesh keeps its weights, but some of its vertices have none and stay "
     "behind when the character moves.",
     "Pass --existing fill, which gives weights to those vertices alone."},
    {"lock-needs-excluded", "warning", "skin keeps weights of joints that should get none",
     "skins keep weights of joints that should get none",
     "Where --lock holds a vertex and the new weights know no other joint, the weights of before "
     "fill the rest. Some of their joints were excluded.",
     "Lock fewer joints, or exclude fewer."},
    {"mesh-collapsed", "note", "mesh has a scale of zero and is left as it is",
     "meshes have a scale of zero and are left as they are",
     "All vertices of the mesh are in one place, or in a plane, as exporters and tools hide a "
     "mesh. "
     "A skin would not bring them apart.",
     "Nothing, if it is hidden on purpose. Else give its node a scale and export again."},
    {"mesh-motion-lost", "warning", "mesh loses the motion of its node",
     "meshes lose the motion of their nodes",
     "Animations move the mesh's node, or one above it that holds no joint. Readers place a mesh "
     "with a skin by its joints alone, so this motion is gone in the output.",
     "Leave the mesh out with --meshes, or parent it to a joint that is animated so."},
    {"mesh-scaled", "note", "mesh was scaled to meters", "meshes were scaled to meters",
     "The format of the file names no unit (OBJ, PLY, STL). 'rig' takes it for the first of "
     "meters, centimeters and millimeters in which the mesh has a usual size for its template, or "
     "for that of --units; 'transfer' for the one that brings it nearest to the body.",
     "Nothing; or give the unit with --units."},
    {"mesh-split", "note", "mesh was split by joints", "meshes were split by joints",
     "Its skin had more joints than --max-joints. It has a skin of fewer now, or parts that have "
     "one each; all triangles move as before.",
     "Nothing; a larger --max-joints makes fewer parts."},
    {"mesh-stood-up", "note", "mesh was stood up", "meshes were stood up",
     "The format of the file does not say where up is (OBJ, PLY, STL). 'rig' turns the mesh so "
     "that it stands along +y and looks along +z, by --up and --front or as the template fits "
     "best; "
     "'transfer' turns it so that it lies nearest to the body.",
     "Nothing; or pass --keep-axes to leave it as it lies."},
    {"mirror-refused", "warning", "file has no two sides to mirror",
     "files have no two sides to mirror",
     "--mirror-axis found no plane beyond which vertices have twins, so the weights stay as bound.",
     "Name the axis (--mirror-axis x), or leave --mirror-axis out."},
    {"mirror-without-twin", "note", "joint or vertex has no twin on the other side",
     "joints or vertices have no twins on the other side",
     "Nothing stands at the mirrored place, so --mirror-axis leaves these weights as they are "
     "bound.",
     "Nothing, if it is there once, like a sword. Else make both sides equal in the tool that made "
     "the file."},
    {"mirrored", "note", "skin was mirrored", "skins were mirrored",
     "--mirror-axis made the weights of vertices and their twins on the other side equal.",
     "Nothing."},
    {"motion-by-shape", "note", "skeleton was matched by its shape",
     "skeletons were matched by their shape",
     "The names of the joints tell no legs, so parts of the body were found by lengths of bones "
     "and "
     "places of joints.",
     "Look at the motion. 'gvbind retarget --map FILE' says which joint follows which."},
    {"motion-damaged", "warning", "joint loses damaged keys of a clip",
     "joints lose damaged keys of clips",
     "The file that a clip comes from has keys that are not finite numbers or not later than the "
     "key before, or a channel that does not fit its data. They are left out, so the joint moves "
     "less or not at all. Figures and fits that take poses of the file's own clips leave out the "
     "whole clip.",
     "Export the clip again."},
    {"motion-jump", "warning", "joint jumps in a retargeted clip",
     "joints jump in retargeted clips",
     "A joint turns from one frame to the next by more than in the clip that the motion comes "
     "from.",
     "Look at the clip there. If a leg is stretched out, try '--feet off'."},
    {"motion-limits", "warning", "joint turns too far in a retargeted clip",
     "joints turn too far in retargeted clips",
     "A joint turns farther than a human's joint can, by at least 20 degrees more than in the clip "
     "that the motion comes from.",
     "Look at the clip there. If joints were matched wrongly, name them with --map."},
    {"motion-lost", "warning", "clip loses tracks that are not carried over",
     "clips lose tracks that are not carried over",
     "A clip scales joints or moves morph targets, and only turns and ways of joints are put on "
     "another character.",
     "Nothing if the character does without. Else export the clip with turns alone."},
    {"motion-mirrored", "warning", "skeleton of a clip or of the character is mirrored",
     "skeletons of clips or of the character are mirrored",
     "A negative scale at or above the hips mirrors one of the two skeletons, so what turns left "
     "there turns right here.",
     "Apply the scale in a modeling program, then retarget."},
    {"motion-sinks", "warning", "foot goes below the ground in a retargeted clip",
     "feet go below the ground in retargeted clips",
     "A foot goes deeper than where it stands at rest, and the foot of the clip does not.",
     "Keep '--feet ik'. If the character does not stand on its feet at rest, that is why."},
    {"motion-slide", "warning", "foot slides in a retargeted clip",
     "feet slide in retargeted clips",
     "A foot moves over the ground while that of the clip stands.",
     "Keep '--feet ik'. Legs that are too short for the clip's steps slide still."},
    {"motion-still", "warning", "joint does not move in a retargeted clip",
     "joints do not move in retargeted clips",
     "A joint moves in the clip, and the joint of the character that follows it does not.",
     "Name the joints that follow each other with --map."},
    {"motion-stretch", "warning", "skin tears in a retargeted clip",
     "skins tear in retargeted clips",
     "In poses of the clip, one edge in a hundred becomes more than 15 times as long.",
     "Look at the clip there. 'gvbind check' tells whether the skin tears in other poses, too."},
    {"motion-unmatched", "note", "joint of a clip finds no partner",
     "joints of a clip find no partner",
     "The character has no joint that follows this joint of the clip, so its motion is left out.",
     "Nothing for ends, props and controls; others are named with --map."},
    {"nodes-not-joints", "note", "file has nodes that are not taken for joints",
     "files have nodes that are not taken for joints",
     "The file has no skin. Its nodes only hold meshes, or are a few that mark places, so that "
     "they are no skeleton, and the one that was asked for is added.",
     "Nothing; if they are the skeleton, bind without --rig and --skeleton."},
    {"outside-field", "note", "input has vertices outside the kept solid",
     "inputs have vertices outside the kept solid",
     "Weights were taken from the distances of another mesh, and some vertices lie outside its "
     "solid. They have the weights of the nearest place inside.",
     "Nothing where it is little; bind the input itself where it is another shape."},
    {"parts-joined", "note or warning", "solid has parts without a bone",
     "solids have parts without a bone",
     "Parts that hold no bone, such as buttons or a floating pauldron, are joined to the nearest "
     "part that has weights, at a cost that grows with the gap. A gap of more than half of the "
     "box is a warning: the part may stand in the wrong place.",
     "Nothing, unless the gap is large: look with 'gvbind preview' whether the part is where it "
     "should be. Some exporters write the parts of a character in different spaces."},
    {"refined", "note", "skin was refined by poses", "skins were refined by poses",
     "With --refine the weights are fitted to random poses. The figures are of other poses "
     "than those: before the fit and after it. Where the fit does no better there, the weights "
     "stay.",
     "Nothing."},
    {"resolution", "note", "resolution was chosen", "resolutions were chosen",
     "With --resolution auto, this is the resolution that was taken, and why.", "Nothing."},
    {"rig-not-used", "note", "file has joints of its own", "files have joints of their own",
     "--rig makes a skeleton for files without joints. This one has joints, and is bound to them.",
     "Nothing; or give the file without its joints where the template's skeleton is wanted."},
    {"rigid-parts", "note", "mesh has rigid parts", "meshes have rigid parts",
     "Parts of the mesh that hold the bones of one joint only follow that joint rigidly.",
     "Nothing; or pass --rigid off if they should bend."},
    {"root-added", "note", "node was added for root motion", "nodes were added for root motion",
     "The hips hang from no joint, so '--root extract' put a node 'root' above them, which takes "
     "the "
     "way on the ground.",
     "Nothing."},
    {"root-spared", "note", "joint is a root", "joints are roots",
     "FBX marks the joint as a root, which moves the whole character, so it owns no weight.",
     "Nothing; or name it with --joints if it should deform the mesh."},
    {"rotation-zero", "error", "joint has a rotation of length zero",
     "joints have rotations of length zero",
     "A rotation is a quaternion of length 1. One of length 0 turns nothing here; in other "
     "programs the joint vanishes.",
     "Give the joint the rotation [0, 0, 0, 1]."},
    {"scenery-left", "note", "file has scenery that is left as it is",
     "files have scenery that is left as it is",
     "Some meshes of the file have a skin. Those that have none and hang from no joint, such as "
     "rocks around a figure, stay as they are.",
     "Nothing; or bind them as well: --meshes '*', or --existing fill."},
    {"skeleton-not-above", "warning", "skin has a skeleton root that is not above its joints",
     "skins have skeleton roots that are not above their joints",
     "A skin's \"skeleton\" names the node above all of its joints. Most programs do not use it; "
     "some take only joints below it.",
     "Remove the skin's \"skeleton\", or name the node above all joints."},
    {"skeleton-outside", "warning", "skeleton lies outside the meshes",
     "skeletons lie outside the meshes",
     "Most joints of --skeleton lie outside the box of the meshes, so the two probably do not "
     "belong together or differ in size.",
     "Compare both files with 'gvbind inspect'."},
    {"skeleton-scaled", "note or warning", "skeleton was scaled", "skeletons were scaled",
     "--skeleton-scale moved the joints about the origin. Joints of --skeleton are written at "
     "their new places. Joints of the input's own are scaled for the weighing only and stay "
     "where they are in the file, which is a warning: the mesh bends about those places.",
     "Scale the input's own skeleton in the tool that made the file."},
    {"skeleton-units", "note or warning", "skeleton has no stated unit",
     "skeletons have no stated unit",
     "The format of the skeleton or of the meshes does not state units and up axis, so they were "
     "chosen to fit. It is a warning where even the best fit is off by a factor of two.",
     "Convert the file to a format that states its units (FBX, glTF) if the choice is wrong."},
    {"springs-added", "note", "file got spring bones", "files got spring bones",
     "Chains of joints that hang from the body swing by themselves in a viewer that knows "
     "VRMC_springBone.",
     "Look at them in motion: stiffness and gravity are a matter of taste."},
    {"springs-left-out", "note", "joints outside the body got no spring",
     "joints outside the body got no spring",
     "--springs auto goes by names, and on a human body by chains that lead away from it. These "
     "joints do not hang, or move by other means.",
     "Give joints that should swing a name that says so: hair, skirt, tail, ear, ribbon."},
    {"springs-none", "warning", "file got no spring bones", "files got no spring bones",
     "--springs auto found no chain of joints that hangs from the body and moves vertices.",
     "Leave --springs out, or give the joints a name that says so: hair, skirt, tail, ear."},
    {"stretch", "warning or error", "skin stretches in poses", "skins stretch in poses",
     "In random poses, edges of the surface become many times longer: neighboring vertices follow "
     "different joints.",
     "Look at the named place in 'gvbind preview'. Rigs whose feet hang from the root stretch by "
     "design; set --max-stretch for them."},
    {"surfaces-too-thin", "note", "mesh has places that are too thin to separate",
     "meshes have places that are too thin to separate",
     "Surfaces of different limbs touch where a limb is only a few voxels thick, so weights may "
     "bleed there.",
     "Use a larger --resolution."},
    {"surfaces-touch", "note", "pair of joints has surfaces that touch",
     "pairs of joints have surfaces that touch",
     "Surfaces of joints that are far apart in the skeleton, such as fingers or thighs, are closer "
     "than one voxel. They were separated, so that weights do not cross.",
     "Nothing; or pass --touching join if they belong together."},
    {"target-influences", "warning", "mesh keeps more joints per vertex than the target reads",
     "meshes keep more joints per vertex than the target reads",
     "--existing kept weights of more joints per vertex than what --engine names reads. It will "
     "leave out the smallest, or those of the further sets.",
     "Bind the mesh anew, or limit its weights in the tool that made them."},
    {"target-joints", "warning", "mesh has more joints than the target takes",
     "meshes have more joints than the target takes",
     "What --engine names moves a mesh by a limited number of joints. It splits the mesh, or does "
     "not show it right.",
     "Split it with --max-joints (glTF and VRM), or leave joints out with --exclude."},
    {"template-unsure", "warning", "mesh does not look like its template",
     "meshes do not look like their templates",
     "The skeleton that was placed has joints that may be wrong, and another template of 'gvbind "
     "rig' "
     "fits the mesh clearly better, or none fits an upright human at all.",
     "Take the template that the message names. For a head, arms or a garment alone, give a "
     "skeleton "
     "of your own with --template FILE."},
    {"too-many-influences", "note or error", "skin has vertices with many joints",
     "skins have vertices with many joints",
     "Many engines use the four largest weights of a vertex and drop the rest.",
     "Nothing, unless your engine does so. Bind with --max-influences 4; -n makes more an error."},
    {"units-unsure", "note", "mesh has no usual size", "meshes have no usual size",
     "The format of the file names no unit, and neither in meters, centimeters nor millimeters has "
     "the mesh a usual size for its template, or the template is a file. It is left as meters.",
     "Give the unit with --units."},
    {"vertices-unreached", "warning", "mesh has vertices that no joint reaches",
     "meshes have vertices that no joint reaches",
     "No path inside the volume leads from a joint to these vertices. They take the weights of the "
     "nearest vertex that has some.",
     "Use a larger --resolution, or look for parts that lie far from the body."},
    {"vertices-without-weight", "warning or error", "skin has vertices without weight",
     "skins have vertices without weight", "These vertices stay behind when the character moves.",
     "Bind the mesh again, or paint the missing weights."},
    {"volume-alone", "warning", "mesh is of another size than the rest",
     "meshes are of another size than the rest",
     "The mesh is many times as large as the skeleton and the other meshes, such as a weapon "
     "whose node carries its scale. In one solid with it the others would be a few voxels, so it"
     " is bound in a solid of its own.",
     "Apply the node's scale to the mesh in the tool that made it, or pass --volume all."},
    {"vrm-authors", "note", "VRM names no author", "VRMs name no author",
     "VRM 1.0 requires an author, and none was given.",
     "Give one with --author NAME of 'gvbind rig', or in a VRM tool."},
    {"vrm-incomplete", "warning", "file is no VRM: human bones are missing",
     "files are no VRM: human bones are missing",
     "VRM 1.0 requires hips, spine, head, and upper and lower parts and ends of both arms and "
     "legs. "
     "The file was written as a glTF with the extension .vrm.",
     "Use --template biped, or a skeleton with these joints."},
    {"vrm-pose", "warning", "VRM is not in a T pose", "VRMs are not in a T pose",
     "VRM 1.0 asks for arms that are level and point to the sides at rest. Clips made for VRM will "
     "raise or lower these arms too far.",
     "Pose the mesh before it is rigged."},
    {"weights-locked", "note", "skin keeps weights of before", "skins keep weights of before",
     "--lock keeps the weights of these joints, and the other joints share the rest.", "Nothing."},
    {"worse", "error", "measure is worse than in the baseline",
     "measures are worse than in the baseline",
     "A measure of the skin grew by more than its tolerance since the baseline was written "
     "(docs/check.md lists both).",
     "Look at what changed. If it is meant, write a new baseline with --report."},
    {"worse-than-before", "note", "skin is judged worse than the one it replaces",
     "skins are judged worse than those they replace",
     "The input had weights, and the new ones bleed more, stretch more, follow joints farther "
     "away or leave joints dead (docs/check.md has the rule).",
     "Compare both in 'gvbind preview'. --existing keep leaves weights that are there, and "
     "--fail-on worse-than-before makes the exit code 1."},
});

}  // namespace

std::span<const FindingKind> skin_finding_kinds() { return skin_kinds; }

}  // namespace gvbind
