// @ts-check

const common = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
`;

/** Moves a vertex by the joints in its rows of weights; any number of them. Its results are kept: see Renderer.move(). */
export const skinningShader =
  common +
  `
in vec3 position;
in vec3 normal;
in uvec2 row;
uniform sampler2D rows, joints;
uniform mat4 model;
uniform bool skinned, dual;
out vec3 world;
out vec3 facing;

vec4 entry(sampler2D table, uint i) { return texelFetch(table, ivec2(int(i & 1023u), int(i >> 10u)), 0); }

vec3 rotated(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

void skin(inout vec3 p, inout vec3 n) {
  vec3 sum = vec3(0.0), turned = vec3(0.0);
  vec4 real = vec4(0.0), other = vec4(0.0), first = vec4(0.0);
  float total = 0.0;
  for (uint k = row.x; k < row.x + row.y; ++k) {
    vec2 weight = entry(rows, k).xy;
    uint at = ${5}u * uint(weight.x);
    vec4 x = entry(joints, at), y = entry(joints, at + 1u), z = entry(joints, at + 2u);
    sum += weight.y * vec3(dot(x.xyz, p) + x.w, dot(y.xyz, p) + y.w, dot(z.xyz, p) + z.w);
    turned += weight.y * vec3(dot(x.xyz, n), dot(y.xyz, n), dot(z.xyz, n));
    total += weight.y;
    if (!dual) continue;
    vec4 q = entry(joints, at + 3u);
    if (k == row.x) first = q;
    float w = dot(q, first) < 0.0 ? -weight.y : weight.y;
    real += w * q;
    other += w * entry(joints, at + 4u);
  }
  if (!(total > 0.0)) return;
  p = sum / total;
  n = turned;
  if (!dual) return;
  float size = length(real);
  real /= size;
  other /= size;
  p = rotated(real, p) + 2.0 * (real.w * other.xyz - other.w * real.xyz + cross(real.xyz, other.xyz));
  n = rotated(real, n);
}

void main() {
  vec3 p = position, n = normal;
  if (skinned) skin(p, n);
  else {
    p = (model * vec4(p, 1.0)).xyz;
    n = mat3(model) * n;
  }
  world = p;
  facing = n;
  gl_Position = vec4(0.0);
}
`;

export const surfaceVertexShader =
  common +
  `
in vec3 position;
in vec3 normal;
in vec2 uv;
in vec4 tint;
in vec3 weightColor;
uniform mat4 camera;
out vec3 world;
out vec3 facing;
out vec2 texel;
out vec4 vertexTint;
out vec3 vertexWeightColor;
void main() {
  world = position;
  facing = normal;
  texel = uv;
  vertexTint = tint;
  vertexWeightColor = weightColor;
  gl_Position = camera * vec4(position, 1.0);
}
`;

export const surfaceShader =
  common +
  `
in vec3 world;
in vec3 facing;
in vec2 texel;
in vec4 vertexTint;
in vec3 vertexWeightColor;
uniform sampler2D image;
uniform vec4 color;
uniform vec3 eye;
uniform vec4 textureMove;
uniform float cutoff;
uniform bool showsWeights, smooth_;
out vec4 pixel;

void main() {
  vec3 flat_ = cross(dFdx(world), dFdy(world));
  vec3 n = smooth_ && dot(facing, facing) > 0.0 ? normalize(facing) : normalize(flat_);
  vec3 toward = normalize(eye - world);
  float light = 0.38 + 0.62 * abs(dot(n, toward));
  // A gamma of 2: powers cost a third of a picture where no GPU draws.
  vec4 base;
  if (showsWeights) {
    base = vec4(vertexWeightColor * vertexWeightColor, 1.0);
  } else {
    base = texture(image, texel * textureMove.zw + textureMove.xy);
    base = vec4(base.rgb * base.rgb, base.a) * color * vertexTint;
    if (base.a < cutoff) discard;
  }
  pixel = vec4(sqrt(base.rgb * light), base.a);
}
`;

export const plainShader =
  common +
  `
uniform vec4 color;
out vec4 pixel;
void main() { pixel = color; }
`;

export const lineVertexShader =
  common +
  `
in vec3 position;
in vec3 weightColor;
uniform mat4 camera;
uniform float size;
out vec3 shade;
void main() {
  shade = weightColor;
  gl_Position = camera * vec4(position, 1.0);
  gl_PointSize = size;
}
`;

export const lineShader =
  common +
  `
in vec3 shade;
uniform bool dots;
out vec4 pixel;
void main() {
  if (dots && length(gl_PointCoord - 0.5) > 0.5) discard;
  pixel = vec4(shade, 1.0);
}
`;

export const pictureVertexShader =
  common +
  `
uniform mat4 camera;
uniform vec3 corner, right, up;
out vec2 texel;
void main() {
  texel = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = camera * vec4(corner + texel.x * right + texel.y * up, 1.0);
}
`;

export const pictureShader =
  common +
  `
in vec2 texel;
uniform sampler2D image;
out vec4 pixel;
void main() { pixel = texture(image, texel); }
`;
