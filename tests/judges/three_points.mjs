// Where three.js draws the vertices of a .glb in poses of its clips: node three_points.mjs GLB OUT POSES
//
// OUT gets float64: for each clip, in the document's order, and each of POSES moments of it, every vertex that a triangle
// uses, by node, primitive and vertex. stdout gets the moments as JSON.
import fs from 'node:fs';
import {load} from './modules.mjs';
import {embedded, read} from './raw_gltf.mjs';

const three = await load('three/build/three.module.js');
const {GLTFLoader} = await load('three/examples/jsm/loaders/GLTFLoader.js');

function parse(raw) {
  globalThis.self ??= globalThis;
  globalThis.ProgressEvent ??= class extends Event {};
  const loader = new GLTFLoader();
  loader.register(() => ({name: 'no pictures', loadTexture: async () => new three.Texture()}));
  return loader.parseAsync(embedded(raw), '');
}

// Meshes by node, mesh and primitive of the document.
function meshesOf(gltf) {
  const out = new Map();
  gltf.scene.traverse(object => {
    if (!object.isMesh) return;
    const {meshes, primitives = 0} = gltf.parser.associations.get(object);
    const holder = [object, object.parent].find(o => gltf.parser.associations.get(o)?.nodes !== undefined);
    out.set(`${gltf.parser.associations.get(holder).nodes} ${meshes} ${primitives}`, object);
  });
  return out;
}

function usedVertices(geometry) {
  const count = geometry.attributes.position.count;
  if (!geometry.index) return Array.from({length: count}, (_, v) => v);
  return [...new Set(geometry.index.array)].sort((a, b) => a - b);
}

function points(drawn) {
  const out = [], point = new three.Vector3();
  for (const {mesh, vertices} of drawn) {
    mesh.skeleton?.update();
    for (const v of vertices) {
      mesh.getVertexPosition(v, point).applyMatrix4(mesh.matrixWorld);
      out.push(point.x, point.y, point.z);
    }
  }
  return out;
}

const [path, target, poses] = process.argv.slice(2);
const raw = read(path), gltf = await parse(raw), found = meshesOf(gltf), drawn = [];
raw.json.nodes.forEach((node, i) => {
  if (node.mesh === undefined) return;
  raw.json.meshes[node.mesh].primitives.forEach((_, part) => {
    const mesh = found.get(`${i} ${node.mesh} ${part}`);
    if (mesh) drawn.push({mesh, vertices: usedVertices(mesh.geometry)});
  });
});
const moments = [], file = fs.openSync(target, 'w');
for (const clip of gltf.animations) {
  const mixer = new three.AnimationMixer(gltf.scene), action = mixer.clipAction(clip);
  action.setLoop(three.LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  for (let pose = 0; pose < poses; pose++) {
    // Between keys and on them; the last one is before the end, where three starts anew.
    const seconds = clip.duration * pose / poses;
    mixer.setTime(seconds);
    gltf.scene.updateMatrixWorld(true);
    fs.writeSync(file, new Uint8Array(Float64Array.from(points(drawn)).buffer));
    moments.push({clip: clip.name, seconds});
  }
  action.stop();
  mixer.uncacheRoot(gltf.scene);
}
fs.closeSync(file);
console.log(JSON.stringify(moments));
