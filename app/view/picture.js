// @ts-check
import { makeProgram, makeTable } from './gl.js';
import { pictureShader, pictureVertexShader } from './shaders.js';

/** A picture on a parallelogram in space, over everything. */
export class Picture {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.program = makeProgram(gl, pictureVertexShader, pictureShader);
    this.texture = makeTable(gl);
    this.vertices = gl.createVertexArray();
    this.corner = [0, 0, 0];
    this.right = [0, 0, 0];
    this.up = [0, 0, 0];
  }

  /**
   * @param {Uint8Array} pixels RGBA
   * @param {number} width
   */
  setPixels(pixels, width) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, pixels.length / 4 / width, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  }

  /** @param {number[]} camera */
  draw(camera) {
    const { gl, program } = this;
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.useProgram(program.program);
    gl.uniformMatrix4fv(program.at('camera'), false, camera);
    gl.uniform3fv(program.at('corner'), this.corner);
    gl.uniform3fv(program.at('right'), this.right);
    gl.uniform3fv(program.at('up'), this.up);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.uniform1i(program.at('image'), 0);
    gl.bindVertexArray(this.vertices);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
  }
}
