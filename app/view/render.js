// @ts-check
import { edgesOf } from './edges.js';
import { identity, multiply } from './math.js';
import { lineShader, lineVertexShader, plainShader, surfaceShader, vertexShader } from './shaders.js';

/**
 * @typedef {import('./data.js').Rows} Rows
 * @typedef {import('./glb.js').MaterialData} MaterialData
 * @typedef {{program: WebGLProgram, at: (name: string) => WebGLUniformLocation | null}} Program
 * @typedef {{rows: WebGLTexture, vertices: WebGLVertexArrayObject, row: WebGLBuffer, color: WebGLBuffer}} Skin
 * @typedef {{count: number, skins: (Skin | null)[], position: WebGLBuffer, normal: WebGLBuffer | null,
 *            fills: {indices: WebGLBuffer, count: number, material: number}[], lines: WebGLBuffer | null,
 *            lineCount: number, triangles: Uint32Array}} Shape
 * @typedef {{positions: Float32Array, normals: Float32Array | null, uvs: Float32Array[], colors: Float32Array | null,
 *            primitives: {indices: Uint32Array, material: number}[], rows: (Rows | null)[]}} ShapeData
 */

const tableWidth = 1024;
const slots = ['position', 'normal', 'uv', 'tint', 'weightColor', 'row'];

/** Whether the browser draws without a GPU, where smooth edges cost more than they are worth. */
function drawsInSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /SwiftShader|llvmpipe|software/i.test(name);
}

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
    this.surface = this.program(vertexShader, surfaceShader);
    this.edges = this.program(vertexShader, plainShader);
    this.line = this.program(lineVertexShader, lineShader);
    this.joints = this.table();
    this.white = this.solidTexture();
    /** @type {WebGLTexture[]} */
    this.images = [];
    this.lineVertices = gl.createVertexArray();
    this.lineBuffer = gl.createBuffer();
    this.background = [0.95, 0.95, 0.95];
    this.edgeColor = [0, 0, 0, 0.35];
    this.feedback = /** @type {Program | null} */ (null);
  }

  /**
   * @param {string} vertex
   * @param {string} fragment
   * @param {string[]} [varyings] captured in place of drawing
   * @returns {Program}
   */
  program(vertex, fragment, varyings) {
    const { gl } = this;
    const program = /** @type {WebGLProgram} */ (gl.createProgram());
    for (const [kind, text] of /** @type {[number, string][]} */ ([
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ])) {
      const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    slots.forEach((name, i) => gl.bindAttribLocation(program, i, name));
    if (varyings) gl.transformFeedbackVaryings(program, varyings, gl.SEPARATE_ATTRIBS);
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS))
      throw new Error('The page cannot be drawn here: ' + gl.getProgramInfoLog(program));
    /** @type {Map<string, WebGLUniformLocation | null>} */
    const places = new Map();
    const at = (/** @type {string} */ name) => {
      if (!places.has(name)) places.set(name, gl.getUniformLocation(program, name));
      return /** @type {WebGLUniformLocation | null} */ (places.get(name));
    };
    return { program, at };
  }

  table() {
    const { gl } = this;
    const texture = /** @type {WebGLTexture} */ (gl.createTexture());
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return texture;
  }

  /**
   * @param {WebGLTexture} texture
   * @param {Float32Array} values
   * @param {2 | 4} lanes
   */
  fillTable(texture, values, lanes) {
    const { gl } = this;
    const height = Math.max(1, Math.ceil(values.length / lanes / tableWidth));
    const padded = new Float32Array(tableWidth * height * lanes);
    padded.set(values);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(
      gl.TEXTURE_2D,
      0,
      lanes === 2 ? gl.RG32F : gl.RGBA32F,
      tableWidth,
      height,
      0,
      lanes === 2 ? gl.RG : gl.RGBA,
      gl.FLOAT,
      padded,
    );
  }

  solidTexture() {
    const { gl } = this;
    const texture = /** @type {WebGLTexture} */ (gl.createTexture());
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
    return texture;
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

  /** @param {AllowSharedBufferSource} data @param {number} [target] */
  buffer(data, target = this.gl.ARRAY_BUFFER) {
    const { gl } = this;
    const made = /** @type {WebGLBuffer} */ (gl.createBuffer());
    gl.bindVertexArray(null);
    gl.bindBuffer(target, made);
    gl.bufferData(target, data, gl.STATIC_DRAW);
    return made;
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
      position: this.buffer(data.positions),
      normal: data.normals && this.buffer(data.normals),
      fills: data.primitives.map(({ indices, material }) => ({
        indices: this.buffer(indices, gl.ELEMENT_ARRAY_BUFFER),
        count: indices.length,
        material,
      })),
      lines: null,
      lineCount: 0,
      triangles: new Uint32Array(data.primitives.reduce((sum, part) => sum + part.indices.length, 0)),
    };
    data.primitives.reduce((at, part) => (shape.triangles.set(part.indices, at), at + part.indices.length), 0);
    const uv = data.uvs.length ? this.buffer(data.uvs[0]) : null;
    const tint = data.colors && this.buffer(data.colors);
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
    const vertices = /** @type {WebGLVertexArrayObject} */ (gl.createVertexArray());
    const color = this.buffer(new Uint8Array(4 * shape.count));
    const row = this.buffer(new Uint32Array(2 * shape.count));
    gl.bindVertexArray(vertices);
    const attribute = (
      /** @type {number} */ slot,
      /** @type {WebGLBuffer | null} */ from,
      /** @type {number} */ size,
    ) => {
      if (!from) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, from);
      gl.enableVertexAttribArray(slot);
      gl.vertexAttribPointer(slot, size, gl.FLOAT, false, 0, 0);
    };
    attribute(0, shape.position, 3);
    attribute(1, shape.normal, 3);
    attribute(2, uv, 2);
    attribute(3, tint, 4);
    gl.bindBuffer(gl.ARRAY_BUFFER, color);
    gl.enableVertexAttribArray(4);
    gl.vertexAttribPointer(4, 3, gl.UNSIGNED_BYTE, true, 4, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, row);
    gl.enableVertexAttribArray(5);
    gl.vertexAttribIPointer(5, 2, gl.UNSIGNED_INT, 0, 0);
    gl.bindVertexArray(null);
    const skin = { rows: this.table(), vertices, row, color };
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
    this.update(skin.row, ranges);
    const pairs = new Float32Array(2 * rows.joint.length);
    for (let k = 0; k < rows.joint.length; ++k) {
      pairs[2 * k] = rows.joint[k];
      pairs[2 * k + 1] = rows.weight[k];
    }
    this.fillTable(skin.rows, pairs, 2);
    gl.bindTexture(gl.TEXTURE_2D, null);
  }

  /** @param {WebGLBuffer} target @param {AllowSharedBufferSource} data */
  update(target, data) {
    const { gl } = this;
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, target);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
  }

  /** @param {Float64Array} packed of packedJoints() */
  setJoints(packed) {
    this.fillTable(this.joints, new Float32Array(packed), 4);
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
   * @param {Program} program
   * @param {number[]} camera
   * @param {Skin} skin
   * @param {{skinned: boolean, dual: boolean, model: number[]}} how
   */
  use(program, camera, skin, { skinned, dual, model }) {
    const { gl } = this;
    gl.useProgram(program.program);
    gl.uniformMatrix4fv(program.at('camera'), false, camera);
    gl.uniformMatrix4fv(program.at('model'), false, model);
    gl.uniform1i(program.at('skinned'), Number(skinned));
    gl.uniform1i(program.at('dual'), Number(dual));
    [skin.rows, this.joints].forEach((texture, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    });
    gl.uniform1i(program.at('rows'), 0);
    gl.uniform1i(program.at('joints'), 1);
    gl.activeTexture(gl.TEXTURE2);
    gl.uniform1i(program.at('image'), 2);
    gl.bindVertexArray(skin.vertices);
    gl.vertexAttrib4f(3, 1, 1, 1, 1);
    gl.vertexAttrib3f(1, 0, 0, 0);
  }

  /**
   * @param {Shape} shape
   * @param {Skin} skin
   * @param {{skinned: boolean, dual: boolean, model: number[], camera: number[], eye: number[], weights: boolean,
   *          materials: MaterialData[], blended: boolean}} how `blended`: draws blended materials alone, or all others
   */
  drawShape(shape, skin, how) {
    const { gl, surface } = this;
    this.use(surface, how.camera, skin, how);
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
   * @param {{skinned: boolean, dual: boolean, model: number[], camera: number[]}} how
   */
  drawEdges(shape, skin, how) {
    const { gl } = this;
    if (!shape.lines) {
      const edges = edgesOf(shape.triangles, shape.count);
      shape.lines = this.buffer(edges, gl.ELEMENT_ARRAY_BUFFER);
      shape.lineCount = edges.length;
    }
    this.use(this.edges, how.camera, skin, how);
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
   * Positions as the vertex shader has them, read back; for tests.
   * @param {Shape} shape
   * @param {Skin} skin
   * @param {{skinned: boolean, dual: boolean, model: number[]}} how
   * @returns {Float32Array}
   */
  readPositions(shape, skin, how) {
    const { gl } = this;
    this.feedback ??= this.program(vertexShader, plainShader, ['world']);
    this.use(this.feedback, multiply(identity(), identity()), skin, how);
    const target = gl.createBuffer();
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, target);
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 12 * shape.count, gl.STREAM_READ);
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, shape.count);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    const out = new Float32Array(3 * shape.count);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    gl.bindBuffer(gl.COPY_READ_BUFFER, target);
    gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, out);
    gl.deleteBuffer(target);
    return out;
  }
}
