// Tested by tests/command/sources_test.py.

#include "report/finding_kinds.h"

#include <array>

namespace gvbind {

namespace {

// Sorted by code. A test compares the codes with those in the sources.
constexpr auto file_kinds = std::to_array<FindingKind>({
    {"attributes-damaged", "warning", "mesh has damaged normals or texture coordinates",
     "meshes have damaged normals or texture coordinates",
     "The arrays of normals or texture coordinates cannot be read. A bind does not need them; an "
     "output in another format goes without.",
     "Export the mesh again if its shading matters."},
    {"axes-left-handed", "warning", "file has left-handed axes", "files have left-handed axes",
     "The FBX declares a left-handed coordinate system. It is read as a right-handed one, which "
     "exchanges left and right if the vertices are left-handed too.",
     "Look at the result; where it is mirrored, export the file with right-handed axes."},
    {"baseline-ambiguous", "error", "file has several namesakes in the baseline",
     "files have several namesakes in the baseline",
     "The baseline holds more than one file of this name, and their folders do not tell which is "
     "meant.",
     "Give more of the file's path, as it was when the baseline was written."},
    {"baseline-missing", "warning", "file of the baseline was not checked",
     "files of the baseline were not checked",
     "The baseline lists a file that is not among the files of this run.",
     "Check that file too, or write a new baseline with --report."},
    {"baseline-new", "note", "file is not in the baseline", "files are not in the baseline",
     "There is nothing to compare this file with.", "Write a new baseline with --report."},
    {"bind-differs", "warning", "mesh has its own bind pose", "meshes have bind poses of their own",
     "In glTF, each skin stores a bind pose for its joints. This skin places joints elsewhere than "
     "an earlier skin of the file. The mesh is bound in the pose of its own skin, so distances to "
     "those joints may be wrong.",
     "Export all skins of the character in one bind pose."},
    {"bind-last-row", "error", "skin has inverse bind matrices with a wrong last row",
     "skins have inverse bind matrices with a wrong last row",
     "An inverse bind matrix is affine: its last row is 0 0 0 1. gvbind reads it so; other "
     "programs use the row as it is, or refuse the file.",
     "Export the file again."},
    {"bind-poses-differ", "warning", "mesh has its own bind pose",
     "meshes have bind poses of their own",
     "In FBX, each skin stores a bind pose for its joints. This skin places joints elsewhere than "
     "an earlier skin of the file, whose bind pose is used.",
     "Export all skins of the character in one bind pose."},
    {"bind-singular", "warning", "skin has inverse bind matrices that cannot be inverted",
     "skins have inverse bind matrices that cannot be inverted",
     "The file does not say where these joints stood when the mesh was bound, so they are taken "
     "from the node pose.",
     "Look for joints that are scaled to zero, and export the character again."},
    {"bind-space", "warning", "mesh is bound in its own space",
     "meshes are bound in their own "
     "space",
     "The nodes of the file do not say where this skinned mesh stands beside the others, so its "
     "own coordinates are used.",
     "Check the mesh in a bent pose. If it is off, export with the mesh node at the origin."},
    {"bind-unset", "note", "skin has joints without a bind matrix of their own",
     "skins have joints without a bind matrix of their own",
     "Some exporters write the same inverse bind matrix, mostly the identity, for all joints that "
     "no "
     "vertex follows. These joints stand elsewhere, so they are taken from the node pose. One that "
     "gets weight gets a matrix as well.",
     "Nothing, unless a bone in a preview of the bind pose is out of place."},
    {"certificate-damaged", "error", "certificate is damaged", "certificates are damaged",
     "The file beside the output is no certificate of gvbind, or was changed since it was written.",
     "Bind the file again with --certificate."},
    {"certificate-failed", "error", "certificate was not written", "certificates were not written",
     "The output is whole, but its certificate could not be written, or the input changed "
     "meanwhile.",
     "Make room, or bind the file again when its input rests."},
    {"certificate-mismatch", "error", "certificate is of another file",
     "certificates are of other files", "The certificate beside the file names another output.",
     "Put each certificate beside its own output, and rename neither."},
    {"certificate-missing", "error", "file has no certificate", "files have no certificate",
     "--verify looks for FILE.certificate.json.", "Bind the file with --certificate."},
    {"certified-input", "error", "input has changed since its output was certified",
     "inputs have changed since their outputs were certified",
     "The output was bound from an earlier content of this file.",
     "Bind the file again with --certificate."},
    {"certified-input-missing", "note", "input of a certificate is not here",
     "inputs of certificates are not here",
     "The certificate names an input that is not where it was, so it cannot be compared.",
     "Nothing, where only the output was delivered."},
    {"certified-output", "error", "output has changed since it was certified",
     "outputs have changed since they were certified",
     "The file, or one beside it, is missing or has another content than gvbind wrote.",
     "Bind the file again with --certificate, or accept the change and remove the certificate."},
    {"certified-version", "warning", "output is of another version",
     "outputs are of other versions",
     "The output was written by another version of gvbind, which may weigh differently.",
     "Bind the file again with --certificate if all outputs need one version."},
    {"clip-rate", "note", "clip does not say how long a tick is",
     "clips do not say how long a tick is",
     "The format counts the times of keys in ticks, and the file does not say how many make a "
     "second. 25 are taken.",
     "Nothing; or write the rate into the file where the clip plays too fast or too slowly."},
    {"clusters-disagree", "warning", "mesh is placed differently by its clusters",
     "meshes are placed differently by their clusters",
     "In FBX, every cluster of a skin says where the mesh was when it was bound. Here they "
     "disagree, and the first one is used.",
     "Export the character again from the tool in which it was bound."},
    {"existing-damaged", "warning", "mesh has damaged weights that count as none",
     "meshes have damaged weights that count as none",
     "The file has weights that are negative, not finite, or of a joint or vertex that does not "
     "exist. With --existing keep such a mesh is bound anew; with fill its damaged vertices are.",
     "Nothing; or repair the file in the tool that wrote it."},
    {"fbx-not-reproduced", "warning", "file may differ outside its skin",
     "files may differ outside their skins",
     "This FBX was written in a way that gvbind does not reproduce byte for byte, such as padding "
     "between nodes. The nodes and their values are the same.",
     "Nothing, unless another tool depends on those bytes."},
    {"fbx-upgraded", "warning", "file is older than FBX 7.0", "files are older than FBX 7.0",
     "FBX 6.0 and 6.1 link objects by name and have no arrays. Such a file is written as FBX 7.1 "
     "with the same objects, connections and clips. The settings of viewers (Version5) and the "
     "cameras of a program's own views are left out.",
     "Nothing, unless a tool of yours reads only FBX 6."},
    {"folder-unreadable", "error", "folder cannot be listed", "folders cannot be listed",
     "A folder below an input of the batch cannot be listed, so it is unknown which assets it "
     "holds. "
     "All others were bound; outputs of inputs below it stay.",
     "Give the batch the right to read the folder, or leave it out by naming the others."},
    {"foreign-lines", "note", "file has points or lines", "files have points or lines",
     "Points and lines cannot be bound and are left out of the output.", "Nothing."},
    {"format-changed", "warning", "output has another format than its input",
     "outputs have another format than their inputs",
     "Between FBX and glTF everything is carried over except the features that the finding lists; "
     "without losses there is no finding. A VRM is made from an FBX with meshes, joints, base "
     "colors and the "
     "skin alone; its other materials, animations, cameras and custom data are lost.",
     "Write the input's own format to keep everything, or a .glb, which keeps most of an FBX."},
    {"geometries-left", "warning", "geometry of a mesh is left as it is",
     "geometries of meshes are left as they are",
     "An FBX model has more than one mesh geometry. Only the first is bound; most programs show no "
     "other.",
     "Give each geometry a model of its own in the tool that wrote the file."},
    {"input-changed", "warning", "input changed while it was bound",
     "inputs changed while they were bound",
     "Another program wrote to an input or a file beside it during the bind, so the output may "
     "belong to the earlier state.",
     "Run the batch again; it binds this asset once more."},
    {"joint-sets-uneven", "error", "mesh has joints without weights",
     "meshes have joints without weights",
     "JOINTS_n and WEIGHTS_n go together. A set that lacks the other is passed over, so its joints "
     "move nothing.",
     "Export the mesh again, or bind it."},
    {"joints-as-floats", "error", "mesh has joints stored as floats",
     "meshes have joints stored as floats",
     "JOINTS_n holds 8 or 16 bit integers in glTF. gvbind reads floats as well; most other "
     "programs do not.",
     "Export the mesh again, or bind it."},
    {"mesh-without-skin", "note", "mesh has no skin and hangs from no joint",
     "meshes have no skin and hang from no joint",
     "The mesh stays behind when the character moves.", "Bind it too, or parent it to a joint."},
    {"missing-material-file", "warning", "material file is missing", "material files are missing",
     "The OBJ names a file of materials (mtllib) that is not where it is looked for. Meshes lose "
     "the materials of that file.",
     "Put the file there, or write its name into the OBJ as it is."},
    {"missing-picture", "warning", "picture is missing", "pictures are missing",
     "The file names a picture that is not where it is looked for, or that lies outside the asset "
     "root. The output goes without it.",
     "Put the picture there, or pass --asset-root with a folder that holds it."},
    {"no-skin", "error", "file has no skin", "files have no skin",
     "No mesh of the file is skinned, so there is nothing to check.",
     "Bind the file first: gvbind bind FILE -o OUT."},
    {"no-triangles", "warning", "skin has no triangles", "skins have no triangles",
     "Bleed and stretch are measured on triangles, and the skinned meshes have none.",
     "Check that the file holds the meshes that you expect."},
    {"node-pose", "warning", "skin is torn in the pose of its nodes",
     "skins are torn in the pose of their nodes",
     "Vertices are pulled far apart in the pose that the file holds, which every program shows. "
     "Either a node scales its joint otherwise than the bind pose does, as a weapon's joint that "
     "brings the weapon to its size, or the skin's inverse bind matrices or its joints are not "
     "those of the nodes: missing, transposed, or in another order.",
     "Let a joint that scales move its own mesh alone (--exclude it for the others), or apply the "
     "scale in the tool that made the file. Export a skin with wrong matrices again; a bind makes "
     "new ones."},
    {"nothing-to-bind", "note", "file holds nothing to bind", "files hold nothing to bind",
     "The file came from a folder or a pattern and has no mesh or no joints, so it was skipped.",
     "Nothing; or give it a skeleton with --skeleton or in the manifest."},
    {"orphan-output", "warning", "output has lost its input", "outputs have lost their inputs",
     "The batch made an output of an input that is no longer there. Whoever takes the folder of "
     "outputs takes this one too.",
     "--delete-orphans removes it where it is as the batch wrote it; where it has changed since, "
     "or is a link now, remove it yourself. If the input was moved, its new output is bound beside "
     "the old one."},
    {"orphan-removed", "note", "output without its input was removed",
     "outputs without their inputs were removed",
     "--delete-orphans removed an output whose input is gone, with the files beside it that no "
     "other output needs.",
     "Nothing."},
    {"out-differs", "note", "report is of another output folder",
     "reports are of other output folders",
     "The reports that were merged come from runs that wrote to different folders.",
     "Pass --pictures if the page shows no pictures."},
    {"output-kept", "warning", "output would be kept", "outputs would be kept",
     "A file is in the place of the output that gvbind did not write, or that has changed since. A "
     "batch keeps it, and the asset fails.",
     "Move the file or choose another -o; --force overwrites it."},
    {"outside-scenes", "note", "file has meshes that are in no scene",
     "files have meshes that are in no scene",
     "glTF nodes that no scene reaches are not drawn. They are bound all the same.",
     "Nothing; or leave them out with --meshes."},
    {"picture-failed", "warning", "picture or page could not be made",
     "pictures or pages could not be made",
     "The output is fine, but the page of --html lacks its picture, or --pages its page.",
     "Look at the message: most often the output folder cannot be written."},
    {"rule-unmatched", "warning", "rule matches nothing", "rules match nothing",
     "A rule of --edits, --influences, --forbid, --give or --rules names a joint, mesh or material "
     "that does not exist, or a region that contains no part of the mesh. The rest is bound "
     "without it.",
     "Correct the name or the place ('gvbind inspect' lists names, 'gvbind voxels' shows the "
     "solid), or remove the rule."},
    {"rule-without-asset", "warning", "rule matches no asset", "rules match no asset",
     "A [[rule]] of the manifest matches no input. Perhaps a folder was renamed, and its assets "
     "are now bound with other settings.",
     "Correct the rule's 'match', or remove the rule."},
    {"shard-missing", "error", "shard has no report", "shards have no report",
     "The merged reports lack one of the shards, so the results of its assets are unknown.",
     "Run that shard again, and merge with its report."},
    {"shared-geometry", "warning", "mesh shares its weights with another",
     "meshes share their weights with others",
     "Two FBX models show the same geometry. FBX keeps weights with the geometry, so both get the "
     "weights of the first.",
     "Make the geometry unique in the tool that wrote the file."},
    {"sidecar-renamed", "note", "file beside the output has another name",
     "files beside the output have other names",
     "A buffer or a picture of the output would have had the name of a file that is another's, so "
     "it was written under a name of its own.",
     "Nothing; or bind the assets into different folders."},
    {"stale-list-outdated", "warning", "list of --load-stale is outdated",
     "lists of --load-stale are outdated",
     "Inputs changed, appeared or vanished between --save-stale and this shard. Each shard judges "
     "its assets itself, so changed ones are bound; only the split is less even.",
     "Nothing; or do not change inputs while a farm runs."},
    {"stale-output", "warning", "output of an earlier bind is still there",
     "outputs of earlier binds are still there",
     "This asset failed or was skipped, and the file under its output's name comes from an earlier "
     "bind.",
     "Mend the failure and run the batch again, or remove the file."},
    {"texture-left-out", "warning", "texture cannot be drawn", "textures cannot be drawn",
     "The texture's file is missing, or it is in a format that a preview does not read; the "
     "surface is drawn in its plain color.",
     "Put the file where the document names it, as a PNG or JPEG."},
    {"units-not-used", "note", "file says its unit", "files say their units",
     "glTF and FBX say their unit, which holds; --units is for OBJ, PLY and STL.",
     "Nothing; or leave --units out."},
    {"weight-sum", "note or error", "skin has weights that do not sum to one",
     "skins have weights that do not sum to one",
     "glTF requires that the weights of a vertex sum to one. Readers of FBX divide by the sum, so "
     "there it is a note.",
     "Normalize the weights, or raise --sum-tolerance."},
    {"weights-damaged", "warning or error", "mesh has damaged weights",
     "meshes have damaged weights",
     "Weights are negative, not finite, or belong to a joint or vertex that does not exist. In a "
     "bind the old weights are replaced anyway; in a check it is an error.",
     "Bind the mesh again, or repair the file in the tool that wrote it."},
});

}  // namespace

std::span<const FindingKind> file_finding_kinds() { return file_kinds; }

}  // namespace gvbind
