// Judges a glTF OUTPUT by three.js: node judge_three.mjs INPUT OUTPUT
//
// GLTFLoader must load it, every node with a skin must become skinned meshes with a skeleton, and their vertices, with the
// nodes as they are and with a joint turned, must lie where the raw accessors say.
import {load} from './modules.mjs';
import {accessor, embedded, multiply, parents, read, worlds} from './raw_gltf.mjs';

const three = await load('three/build/three.module.js');
const {GLTFLoader} = await load('three/examples/jsm/loaders/GLTFLoader.js');

const tolerance = 1e-4;  // of the mesh's size
const influences = 4;    // all that three reads
let failed = false;

function fail(message) {
  failed = true;
  console.log(`three: FAIL: ${message}`);
}

function parse(raw) {
  globalThis.self ??= globalThis;
  globalThis.ProgressEvent ??= class extends Event {};
  const loader = new GLTFLoader();
  loader.register(() => ({name: 'no pictures', loadTexture: async () => new three.Texture()}));
  return loader.parseAsync(embedded(raw), '');
}

// The rotation by 40 degrees about a line through the joint.
function turn(world) {
  const center = new three.Vector3(world[12], world[13], world[14]);
  const rotation = new three.Matrix4().makeRotationAxis(new three.Vector3(1, 2, -1).normalize(), Math.PI * 40 / 180);
  const away = new three.Matrix4().makeTranslation(center);
  return away.multiply(rotation).multiply(new three.Matrix4().makeTranslation(center.negate())).elements;
}

function skinned(raw, skin, primitive, world) {
  const identity = new three.Matrix4().elements;
  const inverse = skin.inverseBindMatrices === undefined ? null : accessor(raw, skin.inverseBindMatrices);
  const joints = skin.joints.map((j, i) => multiply(world[j], inverse ? inverse.slice(i * 16, i * 16 + 16) : identity));
  const points = accessor(raw, primitive.attributes.POSITION);
  const index = accessor(raw, primitive.attributes.JOINTS_0), weight = accessor(raw, primitive.attributes.WEIGHTS_0);
  const out = new Float64Array(points.length);
  for (let v = 0; v < points.length / 3; v++) {
    const shares = weight.subarray(v * influences, v * influences + influences);
    const sum = shares.reduce((a, b) => a + b, 0) || 1;
    for (let k = 0; k < influences; k++) {
      if (shares[k] === 0) continue;
      const m = joints[index[v * influences + k]];
      for (let r = 0; r < 3; r++)
        out[v * 3 + r] += shares[k] / sum *
          (m[r] * points[v * 3] + m[4 + r] * points[v * 3 + 1] + m[8 + r] * points[v * 3 + 2] + m[12 + r]);
    }
  }
  return out;
}

function threes(mesh) {
  mesh.skeleton.update();
  const rest = mesh.geometry.attributes.position, point = new three.Vector3();
  const out = new Float64Array(rest.count * 3);
  for (let v = 0; v < rest.count; v++) {
    mesh.applyBoneTransform(v, point.fromBufferAttribute(rest, v)).applyMatrix4(mesh.matrixWorld);
    out.set([point.x, point.y, point.z], v * 3);
  }
  return out;
}

function size(points) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  points.forEach((x, i) => {
    low[i % 3] = Math.min(low[i % 3], x);
    high[i % 3] = Math.max(high[i % 3], x);
  });
  return Math.hypot(...low.map((x, i) => high[i] - x));
}

function compare(what, theirs, ours) {
  if (theirs.length !== ours.length) return fail(`${what}: ${theirs.length / 3} vertices for ${ours.length / 3}`);
  let error = 0;
  ours.forEach((x, i) => { error = Math.max(error, Number.isFinite(theirs[i]) ? Math.abs(theirs[i] - x) : Infinity); });
  error /= size(ours) || 1;
  if (!(error <= tolerance)) fail(`${what}: vertices off by ${error.toExponential(1)} of the size`);
  return error;
}

// The joint with the most weight on the primitive.
function heaviest(raw, skin, primitive) {
  const index = accessor(raw, primitive.attributes.JOINTS_0), weight = accessor(raw, primitive.attributes.WEIGHTS_0);
  const mass = new Float64Array(skin.joints.length);
  weight.forEach((w, i) => { mass[index[i]] += w; });
  return mass.indexOf(Math.max(...mass));
}

function turned(raw, world, node) {
  const above = parents(raw.json), motion = turn(world[node]);
  const follows = i => i === node || (i >= 0 && follows(above[i]));
  return {motion, world: world.map((m, i) => follows(i) ? multiply(motion, m) : m)};
}

function turnBone(bone, motion) {
  const still = bone.matrix.clone();
  const inverse = bone.parent.matrixWorld.clone().invert();
  bone.matrixAutoUpdate = false;
  bone.matrix.copy(inverse.multiply(new three.Matrix4().fromArray(motion)).multiply(bone.matrixWorld));
  return () => { bone.matrix.copy(still); };
}

function meshesOf(gltf) {
  const out = new Map();
  gltf.scenes.forEach(scene => scene.traverse(object => {
    if (!object.isMesh) return;
    const {meshes, primitives = 0} = gltf.parser.associations.get(object);
    const holder = [object, object.parent].find(o => gltf.parser.associations.get(o)?.nodes !== undefined);
    out.set(`${gltf.parser.associations.get(holder).nodes} ${meshes} ${primitives}`, object);
  }));
  return out;
}

function judge(raw, gltf, node, mesh, part, found) {
  const {json} = raw;
  const primitive = json.meshes[mesh].primitives[part], skin = json.skins[json.nodes[node].skin];
  const what = `node ${node} (${json.nodes[node].name ?? ''}) primitive ${part}`;
  if (!found?.isSkinnedMesh) return fail(`${what}: is no skinned mesh`);
  if (found.skeleton?.bones.length !== skin.joints.length) return fail(`${what}: skeleton of ${found.skeleton?.bones.length} bones`);
  const scene = gltf.scenes.find(s => { let holds = false; s.traverse(o => { holds ||= o === found; }); return holds; });
  const world = worlds(json), joint = heaviest(raw, skin, primitive);
  scene.updateMatrixWorld(true);
  compare(what, threes(found), skinned(raw, skin, primitive, world));
  const moved = turned(raw, world, skin.joints[joint]);
  const back = turnBone(found.skeleton.bones[joint], moved.motion);
  scene.updateMatrixWorld(true);
  const name = json.nodes[skin.joints[joint]].name;
  const error = compare(`${what}, ${name} turned`, threes(found), skinned(raw, skin, primitive, moved.world));
  back();
  scene.updateMatrixWorld(true);
  return error;
}

const raw = read(process.argv[3]);
const gltf = await parse(raw).catch(error => fail(`does not load: ${error.message}`));
if (gltf) {
  const found = meshesOf(gltf), errors = [];
  raw.json.nodes.forEach((node, i) => {
    if (node.mesh === undefined || node.skin === undefined) return;
    raw.json.meshes[node.mesh].primitives.forEach((_, part) =>
      errors.push(judge(raw, gltf, i, node.mesh, part, found.get(`${i} ${node.mesh} ${part}`))));
  });
  if (errors.length === 0) fail('no skin in the file');
  else console.log(`three: ${errors.length} skinned primitives, a joint turned: error ${Math.max(...errors).toExponential(1)} of the size`);
}
process.exitCode = failed ? 1 : 0;
