// Opens a file with @pixiv/three-vrm and lets its springs run: node judge_vrm.mjs FILE
//
// stdout gets JSON: the names of the human bones, the number of spring joints and colliders; of their nodes how far the
// farthest went in 60 frames at rest, in 60 frames while the file's root turns and moves, and after 600 frames more; and the
// longest joint; and the degrees by which joints with roll constraints turn. Lengths are in meters. A file without VRMC_vrm is opened with the springs' plugin alone.
import {load} from './modules.mjs';
import {embedded, read} from './raw_gltf.mjs';

const three = await load('three/build/three.module.js');
const {GLTFLoader} = await load('three/examples/jsm/loaders/GLTFLoader.js');
const {VRMLoaderPlugin, VRMSpringBoneLoaderPlugin} = await load('@pixiv/three-vrm/lib/three-vrm.module.js');

globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};
const raw = read(process.argv[2]);
const isVrm = 'VRMC_vrm' in (raw.json.extensions ?? {});
const loader = new GLTFLoader();
loader.register(() => ({name: 'no pictures', loadTexture: async () => new three.Texture()}));
loader.register(parser => isVrm ? new VRMLoaderPlugin(parser) : new VRMSpringBoneLoaderPlugin(parser));
const gltf = await loader.parseAsync(embedded(raw), '');
const {vrm} = gltf.userData;
const springs = vrm?.springBoneManager ?? gltf.userData.vrmSpringBoneManager;
const root = gltf.scene;
root.updateMatrixWorld(true);
if (!vrm) springs?.setInitState();

const joints = springs ? [...springs.joints] : [];
const tails = () => {
  root.updateMatrixWorld(true);
  return joints.map(j => root.worldToLocal(j.child ? j.child.getWorldPosition(new three.Vector3()) : new three.Vector3(NaN)));
};
const farthest = (a, b) => a.reduce((most, p, i) => {
  const apart = p.distanceTo(b[i]);
  return Number.isNaN(apart) || Number.isNaN(most) ? NaN : Math.max(most, apart);
}, 0);

const rest = tails(), step = 1 / 60;
const run = (frames, move) => {
  let most = 0;
  for (let frame = 0; frame < frames; frame++) {
    move?.(frame);
    root.updateMatrixWorld(true);
    if (vrm) vrm.update(step);
    else springs?.update(step);
    most = Math.max(most, farthest(tails(), rest));
  }
  return most;
};
const atRest = run(60);
const moving = run(60, frame => {
  root.rotation.y = 0.5 * Math.sin(frame / 6);
  root.position.x = 0.3 * Math.sin(frame / 8);
});
run(600);
// How far each joint with a roll constraint turns about its axis, where the joint that drives it turns by 90 degrees about the same
// axis: its source, or the joint whose turns the source copies.
const turns = [];
if (vrm) vrm.humanoid.autoUpdateHumanBones = false;
const constraints = [...vrm?.nodeConstraintManager?.constraints ?? []];
for (const constraint of constraints) {
  if (!constraint.rollAxis) continue;
  const {source, destination} = constraint;
  const copied = constraints.find(one => one.destination === source)?.source;
  const driver = copied ?? source;
  const axis = new three.Vector3(...['X', 'Y', 'Z'].map(name => Number(name === constraint.rollAxis)));
  const turn = new three.Quaternion().setFromAxisAngle(axis, Math.PI / 2);
  // In the frame of the destination: a hand may have other axes.
  if (!copied) turn.setFromAxisAngle(axis.clone().applyQuaternion(destination.quaternion), Math.PI / 2);
  const [was, stood] = [driver.quaternion.clone(), destination.quaternion.clone()];
  if (copied) driver.quaternion.multiply(turn);
  else driver.quaternion.premultiply(turn);
  vrm.update(step);
  const {x, y, z, w} = stood.invert().multiply(destination.quaternion);
  turns.push(2 * Math.atan2(axis.dot(new three.Vector3(x, y, z)), w) * 180 / Math.PI);
  driver.quaternion.copy(was);
  vrm.update(step);
}
const report = {
  version: vrm?.meta?.metaVersion ?? null,
  bones: vrm ? Object.keys(vrm.humanoid.humanBones).filter(name => vrm.humanoid.getRawBoneNode(name)) : [],
  expressions: vrm?.expressionManager ? vrm.expressionManager.expressions.length : 0,
  joints: joints.length,
  colliders: springs ? springs.colliders.length : 0,
  turns,
  atRest, moving, settled: farthest(tails(), rest),
  longest: joints.reduce((most, j) => Math.max(most, j.child ? j.child.position.length() : 0), 0),
};
console.log(JSON.stringify(report));
