// @ts-check

/** @typedef {{program: WebGLProgram, at: (name: string) => WebGLUniformLocation | null}} Program */

const tableWidth = 1024;
const slots = ['position', 'normal', 'uv', 'tint', 'weightColor', 'row'];

/** Whether the browser draws without a GPU, where smooth edges cost more than they are worth. */
export function drawsInSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /SwiftShader|llvmpipe|software/i.test(name);
}

/**
 * @param {WebGL2RenderingContext} gl
 * @param {string} vertex
 * @param {string} fragment
 * @param {string[]} [varyings] captured in place of drawing
 * @returns {Program}
 */
export function makeProgram(gl, vertex, fragment, varyings) {
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

/** A texture that a shader reads as a table. @param {WebGL2RenderingContext} gl */
export function makeTable(gl) {
  const texture = /** @type {WebGLTexture} */ (gl.createTexture());
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return texture;
}

/**
 * @param {WebGL2RenderingContext} gl
 * @param {WebGLTexture} texture
 * @param {Float32Array} values
 * @param {2 | 4} lanes
 */
export function fillTable(gl, texture, values, lanes) {
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

/** @param {WebGL2RenderingContext} gl */
export function whiteTexture(gl) {
  const texture = /** @type {WebGLTexture} */ (gl.createTexture());
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
  return texture;
}

/**
 * @param {WebGL2RenderingContext} gl
 * @param {AllowSharedBufferSource} data
 * @param {number} [target]
 */
export function makeBuffer(gl, data, target = gl.ARRAY_BUFFER) {
  const made = /** @type {WebGLBuffer} */ (gl.createBuffer());
  gl.bindVertexArray(null);
  gl.bindBuffer(target, made);
  gl.bufferData(target, data, gl.STATIC_DRAW);
  return made;
}

/**
 * @param {WebGL2RenderingContext} gl
 * @param {WebGLBuffer} target
 * @param {AllowSharedBufferSource} data
 */
export function fillBuffer(gl, target, data) {
  gl.bindVertexArray(null);
  gl.bindBuffer(gl.ARRAY_BUFFER, target);
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
}

/**
 * Attributes of floats; those without a buffer keep one value for all vertices.
 * @param {WebGL2RenderingContext} gl
 * @param {{slot: number, buffer: WebGLBuffer | null, size: number}[]} attributes
 * @returns {WebGLVertexArrayObject}
 */
export function makeVertices(gl, attributes) {
  const vertices = /** @type {WebGLVertexArrayObject} */ (gl.createVertexArray());
  gl.bindVertexArray(vertices);
  for (const { slot, buffer, size } of attributes) {
    if (!buffer) continue;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(slot);
    gl.vertexAttribPointer(slot, size, gl.FLOAT, false, 0, 0);
  }
  gl.bindVertexArray(null);
  return vertices;
}
