// @ts-check
import { edgesOf } from './edges.js';
import {
  drawsInSoftware,
  fillBuffer,
  fillTable,
  makeBuffer,
  makeProgram,
  makeTable,
  makeVertices,
  whiteTexture,
} from './gl.js';
import {
  lineShader,
  lineVertexShader,
  plainShader,
  skinningShader,
  surfaceShader,
  surfaceVertexShader,
} from './shaders.js';

/**
 * @typedef {import('./data.js').Rows} Rows
 * @typedef {import('./glb.js').MaterialData} MaterialData
 * @typedef {import('./gl.js').Program} Program
 * @typedef {{rows: WebGLTexture, sources: WebGLVertexArrayObject, vertices: WebGLVertexArrayObject, row: WebGLBuffer,
 *            color: WebGLBuffer, world: WebGLBuffer, facing: WebGLBuffer, pose: number}} Skin `world`, `facing`: positions
 *   and normals in a pose, of Renderer.pose
 * @typedef {{skinned: boolean, dual: boolean, model: number[]}} Movement
 * @typedef {{count: number, skins: (Skin | null)[], position: WebGLBuffer, normal: WebGLBuffer | null,
 *            fills: {indices: WebGLBuffer, count: number, material: number}[], lines: WebGLBuffer | null,
 *            lineCount: number, triangles: Uint32Array}} Shape
 * @typedef {{positions: Float32Array, normals: Float32Array | null, uvs: Float32Array[], colors: Float32Array | null,
 *            primitives: {indices: Uint32Array, material: number}[], rows: (Rows | null)[]}} ShapeData
 */

/** Draws with WebGL 2. Knows shapes, not what they mean. */
export class Renderer {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    const gl = canvas.getContext('webgl2', {
      antialias: !drawsInSoftware(),
      alpha: false,
      powerPreference: 'high-performance',
    });
    if (!gl) throw new Error('This browser has no WebGL 2, which the page draws with.');
    this.gl = gl;
    this.canvas = canvas;
    this.skinning = makeProgram(gl, skinningShader, plainShader, ['world', 'facing']);
    this.surface = makeProgram(gl, surfaceVertexShader, surfaceShader);
    this.edges = makeProgram(gl, surfaceVertexShader, plainShader);
    this.line = makeProgram(gl, lineVertexShader, lineShader);
    this.joints = makeTable(gl);
    this.white = whiteTexture(gl);
    /** @type {WebGLTexture[]} */
    this.images = [];
    this.lineVertices = gl.createVertexArray();
    this.lineBuffer = gl.createBuffer();
    this.background = [0.95, 0.95, 0.95];
    this.edgeColor = [0, 0, 0, 0.35];
    /** Counts the poses, so that a mesh is moved once for each. */
    this.pose = 0;
  }

  /** @param {ImageBitmap[]} pictures of the glTF */
  setImages(pictures) {
    const { gl } = this;
    const largest = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    this.images = pictures.map((picture) => {
      if (picture.width > largest || picture.height > largest) return this.white;
      const texture = /** @type {WebGLTexture} */ (gl.createTexture());
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, picture);
      gl.generateMipmap(gl.TEXTURE_2D);
      return texture;
    });
  }

  /**
   * @param {ShapeData} data
   * @returns {Shape}
   */
  shape(data) {
    const { gl } = this;
    const count = data.positions.length / 3;
    /** @type {Shape} */
    const shape = {
      count,
      skins: [],
      position: makeBuffer(gl, data.positions),
      normal: data.normals && makeBuffer(gl, data.normals),
      fills: data.primitives.map(({ indices, material }) => ({
        indices: makeBuffer(gl, indices, gl.ELEMENT_ARRAY_BUFFER),
        count: indices.length,
        material,
      })),
      lines: null,
      lineCount: 0,
      triangles: new Uint32Array(data.primitives.reduce((sum, part) => sum + part.indices.length, 0)),
    };
    data.primitives.reduce((at, part) => (shape.triangles.set(part.indices, at), at + part.indices.length), 0);
    const uv = data.uvs.length ? makeBuffer(gl, data.uvs[0]) : null;
    const tint = data.colors && makeBuffer(gl, data.colors);
    shape.skins = data.rows.map((rows) => this.skin(shape, rows, uv, tint));
    return shape;
  }

  /**
   * @param {Shape} shape
   * @param {Rows | null} rows
   * @param {WebGLBuffer | null} uv
   * @param {WebGLBuffer | null} tint
   * @returns {Skin}
   */
  skin(shape, rows, uv, tint) {
    const { gl } = this;
    const color = makeBuffer(gl, new Uint8Array(4 * shape.count));
    const row = makeBuffer(gl, new Uint32Array(2 * shape.count));
    const [world, facing] = [0, 1].map(() => makeBuffer(gl, new Float32Array(3 * shape.count)));
    const sources = makeVertices(gl, [
      { slot: 0, buffer: shape.position, size: 3 },
      { slot: 1, buffer: shape.normal, size: 3 },
    ]);
    gl.bindVertexArray(sources);
    gl.bindBuffer(gl.ARRAY_BUFFER, row);
    gl.enableVertexAttribArray(5);
    gl.vertexAttribIPointer(5, 2, gl.UNSIGNED_INT, 0, 0);
    const vertices = makeVertices(gl, [
      { slot: 0, buffer: world, size: 3 },
      { slot: 1, buffer: shape.normal && facing, size: 3 },
      { slot: 2, buffer: uv, size: 2 },
      { slot: 3, buffer: tint, size: 4 },
    ]);
    gl.bindVertexArray(vertices);
    gl.bindBuffer(gl.ARRAY_BUFFER, color);
    gl.enableVertexAttribArray(4);
    gl.vertexAttribPointer(4, 3, gl.UNSIGNED_BYTE, true, 4, 0);
    gl.bindVertexArray(null);
    const skin = { rows: makeTable(gl), sources, vertices, row, color, world, facing, pose: -1 };
    if (rows) this.setRows(skin, rows);
    return skin;
  }

  /** @param {Skin} skin @param {Rows} rows */
  setRows(skin, rows) {
    const { gl } = this;
    const ranges = new Uint32Array(2 * (rows.first.length - 1));
    for (let v = 0; v + 1 < rows.first.length; ++v) {
      ranges[2 * v] = rows.first[v];
      ranges[2 * v + 1] = rows.first[v + 1] - rows.first[v];
    }
    fillBuffer(gl, skin.row, ranges);
    const pairs = new Float32Array(2 * rows.joint.length);
    for (let k = 0; k < rows.joint.length; ++k) {
      pairs[2 * k] = rows.joint[k];
      pairs[2 * k + 1] = rows.weight[k];
    }
    fillTable(gl, skin.rows, pairs, 2);
    skin.pose = -1;
    gl.bindTexture(gl.TEXTURE_2D, null);
  }

  /** Another pose. @param {Float64Array} packed of packedJoints() */
  setJoints(packed) {
    ++this.pose;
    fillTable(this.gl, this.joints, new Float32Array(packed), 4);
  }

  /** Fits the picture to the page. @returns {number} width by height */
  resize() {
    const { canvas } = this;
    const scale = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((size) =>
      Math.max(1, Math.round(size * scale)),
    );
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    return width / height;
  }

  /**
   * Begins a picture, or the part of it from `left` to `right` (0 to 1).
   * @param {number} left
   * @param {number} right
   */
  begin(left, right) {
    const { gl, canvas } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.enable(gl.SCISSOR_TEST);
    const [from, to] = [left, right].map((part) => Math.round(part * canvas.width));
    gl.scissor(from, 0, Math.max(0, to - from), canvas.height);
    const [r, g, b] = this.background;
    gl.clearColor(r, g, b, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
  }

  /**
   * Moves the vertices of a mesh into the pose, unless they are there. Triangles share vertices, so drawing would
   * move each several times in every picture.
   * @param {Shape} shape
   * @param {Skin} skin
   * @param {Movement} how
   */
  move(shape, skin, { skinned, dual, model }) {
    if (skin.pose === this.pose) return;
    skin.pose = this.pose;
    const { gl, skinning } = this;
    gl.useProgram(skinning.program);
    gl.uniformMatrix4fv(skinning.at('model'), false, model);
    gl.uniform1i(skinning.at('skinned'), Number(skinned));
    gl.uniform1i(skinning.at('dual'), Number(dual));
    [skin.rows, this.joints].forEach((texture, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    });
    gl.uniform1i(skinning.at('rows'), 0);
    gl.uniform1i(skinning.at('joints'), 1);
    gl.bindVertexArray(skin.sources);
    gl.vertexAttrib3f(1, 0, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    const targets = [skin.world, skin.facing];
    targets.forEach((buffer, i) => gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, buffer));
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, shape.count);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    targets.forEach((_, i) => gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, null));
  }

  /**
   * @param {Program} program
   * @param {Shape} shape
   * @param {Skin} skin
   * @param {Movement & {camera: number[]}} how
   */
  use(program, shape, skin, how) {
    this.move(shape, skin, how);
    const { gl } = this;
    gl.useProgram(program.program);
    gl.uniformMatrix4fv(program.at('camera'), false, how.camera);
    gl.activeTexture(gl.TEXTURE2);
    gl.uniform1i(program.at('image'), 2);
    gl.bindVertexArray(skin.vertices);
    gl.vertexAttrib4f(3, 1, 1, 1, 1);
    gl.vertexAttrib3f(1, 0, 0, 0);
  }

  /**
   * @param {Shape} shape
   * @param {Skin} skin
   * @param {Movement & {camera: number[], eye: number[], weights: boolean, materials: MaterialData[],
   *          blended: boolean}} how `blended`: draws blended materials alone, or all others
   */
  drawShape(shape, skin, how) {
    const { gl, surface } = this;
    this.use(surface, shape, skin, how);
    gl.uniform3fv(surface.at('eye'), how.eye);
    gl.uniform1i(surface.at('showsWeights'), Number(how.weights));
    gl.uniform1i(surface.at('smooth_'), Number(shape.normal !== null));
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    for (const fill of shape.fills) {
      const material = how.materials[fill.material];
      const blends = !how.weights && material?.alpha === 'BLEND';
      if (blends !== how.blended) continue;
      this.setMaterial(material);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, fill.indices);
      gl.drawElements(gl.TRIANGLES, fill.count, gl.UNSIGNED_INT, 0);
    }
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  /** @param {MaterialData | undefined} material */
  setMaterial(material) {
    const { gl, surface } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.images[material?.image ?? -1] ?? this.white);
    if (material && this.images[material.image]) {
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, material.wrapS);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, material.wrapT);
    }
    gl.uniform4fv(surface.at('color'), material?.color ?? [0.8, 0.8, 0.8, 1]);
    gl.uniform4fv(surface.at('textureMove'), [...(material?.offset ?? [0, 0]), ...(material?.scale ?? [1, 1])]);
    gl.uniform1f(surface.at('cutoff'), material?.alpha === 'MASK' ? material.cutoff : 0);
  }

  /** @param {boolean} on */
  setBlending(on) {
    const { gl } = this;
    if (on) gl.enable(gl.BLEND);
    else gl.disable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(!on);
  }

  /**
   * @param {Shape} shape
   * @param {Skin} skin
   * @param {Movement & {camera: number[]}} how
   */
  drawEdges(shape, skin, how) {
    const { gl } = this;
    if (!shape.lines) {
      const edges = edgesOf(shape.triangles, shape.count);
      shape.lines = makeBuffer(gl, edges, gl.ELEMENT_ARRAY_BUFFER);
      shape.lineCount = edges.length;
    }
    this.use(this.edges, shape, skin, how);
    gl.uniform4fv(this.edges.at('color'), this.edgeColor);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, shape.lines);
    gl.drawElements(gl.LINES, shape.lineCount, gl.UNSIGNED_INT, 0);
  }

  /**
   * Lines or points over everything, each vertex with a color: x, y, z, r, g, b.
   * @param {number[]} vertices
   * @param {number[]} camera
   * @param {number} size of points in pixels; 0: lines
   */
  drawOver(vertices, camera, size) {
    if (vertices.length === 0) return;
    const { gl, line } = this;
    gl.disable(gl.DEPTH_TEST);
    gl.useProgram(line.program);
    gl.uniformMatrix4fv(line.at('camera'), false, camera);
    gl.uniform1f(line.at('size'), size * Math.min(2, devicePixelRatio || 1));
    gl.uniform1i(line.at('dots'), Number(size > 0));
    gl.bindVertexArray(this.lineVertices);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.lineBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.DYNAMIC_DRAW);
    for (const [slot, offset] of [
      [0, 0],
      [4, 12],
    ]) {
      gl.enableVertexAttribArray(slot);
      gl.vertexAttribPointer(slot, 3, gl.FLOAT, false, 24, offset);
    }
    gl.drawArrays(size > 0 ? gl.POINTS : gl.LINES, 0, vertices.length / 6);
    gl.enable(gl.DEPTH_TEST);
  }

  /**
   * Positions as the shader has moved them, read back; for tests.
   * @param {Shape} shape
   * @param {Skin} skin
   * @param {Movement} how
   * @returns {Float32Array}
   */
  readPositions(shape, skin, how) {
    const { gl } = this;
    this.move(shape, skin, how);
    const out = new Float32Array(3 * shape.count);
    gl.bindBuffer(gl.COPY_READ_BUFFER, skin.world);
    gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, out);
    gl.bindBuffer(gl.COPY_READ_BUFFER, null);
    return out;
  }
}
