#include "egl/slab_renderer.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "gvbind/error.h"

namespace gvbind::egl {
namespace {

constexpr char faces_vertex_source[] = R"(#version 330 core
layout(location = 0) in vec2 position;
layout(location = 1) in vec4 plane;
layout(location = 2) in vec2 depth_range;
layout(location = 3) in vec2 reference;
uniform float scale;
flat out vec4 face_plane;
flat out vec2 face_range;
flat out vec2 face_reference;
void main() {
  face_plane = plane;
  face_range = depth_range;
  face_reference = reference + 0.5;
  gl_Position = vec4(position * scale - 1.0, 0.0, 1.0);
}
)";

// Depth comes from the face's plane, because interpolated depths differ between a triangle and its
// reverse. Clamping keeps slivers inside the slabs in which they are drawn.
constexpr char faces_fragment_source[] = R"(#version 330 core
flat in vec4 face_plane;
flat in vec2 face_range;
flat in vec2 face_reference;
uniform vec2 origin;
uniform vec2 slab;
uniform uvec4 mask;
layout(location = 0) out uvec4 slices;
void main() {
  vec2 offset = gl_FragCoord.xy + origin - face_reference;
  float depth = face_plane.z + face_plane.x * offset.x + face_plane.y * offset.y;
  depth = clamp(depth, face_range.x, face_range.y);
  if (depth <= slab.x - face_plane.w || depth > slab.y - face_plane.w) discard;
  slices = mask;
  gl_FragDepth = (face_plane.w + floor(depth + 0.5)) * (1.0 / 524288.0);
}
)";

constexpr char carry_vertex_source[] = R"(#version 330 core
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(corner * 4.0 - 1.0, 0.0, 1.0);
}
)";

constexpr char carry_fragment_source[] = R"(#version 330 core
uniform usampler2D carried;
uniform uvec4 carried_bit;
layout(location = 0) out uvec4 slices;
void main() {
  uvec4 found = texelFetch(carried, ivec2(gl_FragCoord.xy), 0) & carried_bit;
  slices = uvec4(any(notEqual(found, uvec4(0u))) ? 0xffffffffu : 0u);
}
)";

struct Mask {
  GLuint words[4] = {};

  // Bits from `first` on, out of 128.
  static Mask from(int first) {
    Mask mask;
    for (int w = 0; w < 4; ++w) {
      const int bit = first - 32 * w;
      mask.words[w] = bit <= 0 ? ~0u : bit >= 32 ? 0u : ~0u << bit;
    }
    return mask;
  }
  static Mask below(int last) {
    Mask mask = from(last);
    for (GLuint& word : mask.words) word = ~word;
    return mask;
  }
};

const void* offset_pointer(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

void fill_buffer(const GladGLContext& gl, GLenum target, const void* data, std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<GLsizeiptr>::max()))
    throw Error(ErrorKind::resource, "OpenGL: the mesh is too large for the device");
  gl.BufferData(target, static_cast<GLsizeiptr>(bytes), data, GL_STATIC_DRAW);
}

}  // namespace

SlabPrograms::SlabPrograms(const GladGLContext& gl)
    : faces(make_program(gl, faces_vertex_source, faces_fragment_source)),
      carry(make_program(gl, carry_vertex_source, carry_fragment_source)),
      no_vertices(make_vertex_array(gl)),
      scale(gl.GetUniformLocation(faces.id(), "scale")),
      origin(gl.GetUniformLocation(faces.id(), "origin")),
      slab(gl.GetUniformLocation(faces.id(), "slab")),
      mask(gl.GetUniformLocation(faces.id(), "mask")),
      carried(gl.GetUniformLocation(carry.id(), "carried")),
      carried_bit(gl.GetUniformLocation(carry.id(), "carried_bit")) {}

SlabRenderer::SlabRenderer(const GladGLContext& gl, const SlabPrograms& programs,
                           const SlabPlan& plan, std::span<const PixelRect> tiles,
                           std::size_t max_indices)
    : gl_(gl), programs_(programs), plan_(plan), max_indices_(max_indices) {
  upload_faces();
  make_targets(tiles);
}

void SlabRenderer::upload_faces() {
  vertex_array_ = make_vertex_array(gl_);
  vertices_ = make_buffer(gl_);
  indices_ = make_buffer(gl_);
  gl_.BindVertexArray(vertex_array_.id());
  gl_.BindBuffer(GL_ARRAY_BUFFER, vertices_.id());
  fill_buffer(gl_, GL_ARRAY_BUFFER, plan_.vertices.data(),
              plan_.vertices.size() * sizeof(SlabVertex));
  gl_.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
  const auto attribute = [&](GLuint location, GLint count, GLenum type, std::size_t offset) {
    gl_.EnableVertexAttribArray(location);
    gl_.VertexAttribPointer(location, count, type, GL_FALSE, sizeof(SlabVertex),
                            offset_pointer(offset));
  };
  attribute(0, 2, GL_FLOAT, offsetof(SlabVertex, u));
  attribute(1, 4, GL_FLOAT, offsetof(SlabVertex, slope_u));
  attribute(2, 2, GL_FLOAT, offsetof(SlabVertex, low));
  attribute(3, 2, GL_SHORT, offsetof(SlabVertex, ref_u));
  check_gl(gl_, "copying the mesh to the device");
}

void SlabRenderer::make_targets(std::span<const PixelRect> tiles) {
  GLsizei width = 1, height = 1;
  for (const PixelRect& tile : tiles) {
    width = std::max(width, tile.width);
    height = std::max(height, tile.height);
  }
  depth_ = make_renderbuffer(gl_);
  gl_.BindRenderbuffer(GL_RENDERBUFFER, depth_.id());
  gl_.RenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, width, height);
  for (int i = 0; i < 2; ++i) {
    colors_[i] = make_texture(gl_);
    gl_.BindTexture(GL_TEXTURE_2D, colors_[i].id());
    gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, width, height, 0, GL_RGBA_INTEGER,
                   GL_UNSIGNED_INT, nullptr);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    framebuffers_[i] = make_framebuffer(gl_);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffers_[i].id());
    gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colors_[i].id(),
                             0);
    gl_.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
    if (gl_.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      throw Error(ErrorKind::resource, "OpenGL: the device cannot draw into a " +
                                           std::to_string(width) + " x " + std::to_string(height) +
                                           " RGBA32UI target");
  }
  check_gl(gl_, "making the targets");
}

void SlabRenderer::select_tile(const PixelRect& tile) {
  tile_ = tile;
  ranges_ = split_slabs(plan_, tile, max_indices_);
  loaded_ = {};
}

void SlabRenderer::load_slabs(SlabRange slabs) {
  SlabIndices sorted = sort_into_slabs(plan_, tile_, slabs);
  gl_.BindVertexArray(vertex_array_.id());
  fill_buffer(gl_, GL_ELEMENT_ARRAY_BUFFER, sorted.indices.data(),
              sorted.indices.size() * sizeof(std::uint32_t));
  check_gl(gl_, "copying the order of the faces to the device");
  loaded_ = slabs;
  starts_ = std::move(sorted.seeds);
}

void SlabRenderer::draw_view(bool along, SlabReadback& readback, BitGrid& grid) {
  for (int i = 0; i < plan_.slice_groups; ++i) {
    const int group = along ? plan_.slice_groups - 1 - i : i;
    start_group(group, i == 0, along);
    draw_group(group, along);
    readback.start(plan_, tile_, group, grid);
  }
  check_gl(gl_, "drawing slabs");
}

void SlabRenderer::start_group(int group, bool first, bool along) {
  const auto current = static_cast<std::size_t>(group & 1);
  gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffers_[current].id());
  gl_.DepthMask(GL_TRUE);
  if (first) {
    const GLuint nothing[4] = {};
    const GLfloat farthest = along ? 1.0f : 0.0f;
    gl_.ClearBufferuiv(GL_COLOR, 0, nothing);
    gl_.ClearBufferfv(GL_DEPTH, 0, &farthest);
    return;
  }
  // The final state of the last group applies to every slice of this one until a face changes it.
  gl_.Disable(GL_COLOR_LOGIC_OP);
  gl_.Disable(GL_DEPTH_TEST);
  gl_.Viewport(0, 0, tile_.width, tile_.height);
  gl_.UseProgram(programs_.carry.id());
  gl_.ActiveTexture(GL_TEXTURE0);
  gl_.BindTexture(GL_TEXTURE_2D, colors_[1 - current].id());
  gl_.Uniform1i(programs_.carried, 0);
  gl_.Uniform4ui(programs_.carried_bit, along ? 1u : 0u, 0u, 0u, along ? 0u : 1u << 31);
  gl_.BindVertexArray(programs_.no_vertices.id());
  gl_.DrawArrays(GL_TRIANGLES, 0, 3);
  gl_.BindTexture(GL_TEXTURE_2D, 0);
}

void SlabRenderer::draw_group(int group, bool along) {
  gl_.Viewport(-tile_.left, -tile_.bottom, plan_.resolution, plan_.resolution);
  gl_.Disable(GL_CULL_FACE);
  gl_.Enable(GL_DEPTH_TEST);
  gl_.Enable(GL_COLOR_LOGIC_OP);
  gl_.UseProgram(programs_.faces.id());
  gl_.Uniform1f(programs_.scale, 2.0f / static_cast<float>(plan_.resolution * voxel_steps));
  gl_.Uniform2f(programs_.origin, static_cast<float>(tile_.left), static_cast<float>(tile_.bottom));
  gl_.BindVertexArray(vertex_array_.id());
  // Slab n decides slices up to n - 1 along the axis, from n on against it.
  const int first = plan_.first_slice + group * 128 + (along ? 1 : 0);
  const int last = std::min(first + 127, along ? plan_.resolution : plan_.resolution - 1);
  const int low = std::max(first, plan_.first_slab), high = std::min(last, plan_.last_slab);
  for (int i = 0; i <= high - low; ++i) draw_slab(along ? high - i : low + i, group, along);
}

void SlabRenderer::draw_slab(int slab, int group, bool along) {
  if (slab < loaded_.first || slab > loaded_.last)
    load_slabs(*std::find_if(ranges_.begin(), ranges_.end(),
                             [&](const SlabRange& range) { return slab <= range.last; }));
  const std::size_t* start = &starts_[static_cast<std::size_t>(slab - loaded_.first) * 2];
  if (start[0] == start[2]) return;
  const int slice = slab - plan_.first_slice - group * 128;
  const Mask mask = along ? Mask::below(slice) : Mask::from(slice);
  gl_.Uniform4uiv(programs_.mask, 1, mask.words);
  const auto middle = static_cast<float>(slab * voxel_steps);
  gl_.Uniform2f(programs_.slab, middle - voxel_steps / 2, middle + voxel_steps / 2);
  const auto draw = [&](std::size_t list, GLenum operation, GLenum test) {
    const std::size_t count = start[list + 1] - start[list];
    if (count == 0) return;
    gl_.LogicOp(operation);
    gl_.DepthFunc(test);
    gl_.DrawElements(GL_TRIANGLES, static_cast<GLsizei>(count), GL_UNSIGNED_INT,
                     offset_pointer(start[list] * sizeof(std::uint32_t)));
  };
  // Faces whose normal points away from the eye set bits; faces toward it clear bits and win ties.
  const std::size_t back = along ? 0 : 1;
  draw(back, GL_OR, along ? GL_LESS : GL_GREATER);
  draw(1 - back, GL_AND_INVERTED, along ? GL_LEQUAL : GL_GEQUAL);
}

}  // namespace gvbind::egl
