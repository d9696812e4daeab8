#include "egl/gl_handle.h"

#include <string>

#include "gvbind/error.h"

namespace gvbind::egl {
namespace {

std::string first_line(const std::string& text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

GlHandle make_shader(const GladGLContext& gl, GLenum stage, const char* source) {
  GlHandle shader(gl, gl.CreateShader(stage),
                  [](const GladGLContext& g, GLuint id) { g.DeleteShader(id); });
  gl.ShaderSource(shader.id(), 1, &source, nullptr);
  gl.CompileShader(shader.id());
  GLint compiled = 0;
  gl.GetShaderiv(shader.id(), GL_COMPILE_STATUS, &compiled);
  if (!compiled) {
    std::string log(1024, '\0');
    gl.GetShaderInfoLog(shader.id(), static_cast<GLsizei>(log.size()), nullptr, log.data());
    throw Error(ErrorKind::resource,
                "OpenGL: a shader does not compile: " + first_line(log.c_str()));
  }
  return shader;
}

const char* error_name(GLenum code) {
  switch (code) {
    case GL_INVALID_ENUM:
      return "invalid enum";
    case GL_INVALID_VALUE:
      return "invalid value";
    case GL_INVALID_OPERATION:
      return "invalid operation";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
      return "invalid framebuffer operation";
    case GL_OUT_OF_MEMORY:
      return "out of memory";
    default:
      return "unknown error";
  }
}

}  // namespace

GlHandle make_buffer(const GladGLContext& gl) {
  GLuint id = 0;
  gl.GenBuffers(1, &id);
  return {gl, id, [](const GladGLContext& g, GLuint i) { g.DeleteBuffers(1, &i); }};
}

GlHandle make_texture(const GladGLContext& gl) {
  GLuint id = 0;
  gl.GenTextures(1, &id);
  return {gl, id, [](const GladGLContext& g, GLuint i) { g.DeleteTextures(1, &i); }};
}

GlHandle make_renderbuffer(const GladGLContext& gl) {
  GLuint id = 0;
  gl.GenRenderbuffers(1, &id);
  return {gl, id, [](const GladGLContext& g, GLuint i) { g.DeleteRenderbuffers(1, &i); }};
}

GlHandle make_framebuffer(const GladGLContext& gl) {
  GLuint id = 0;
  gl.GenFramebuffers(1, &id);
  return {gl, id, [](const GladGLContext& g, GLuint i) { g.DeleteFramebuffers(1, &i); }};
}

GlHandle make_vertex_array(const GladGLContext& gl) {
  GLuint id = 0;
  gl.GenVertexArrays(1, &id);
  return {gl, id, [](const GladGLContext& g, GLuint i) { g.DeleteVertexArrays(1, &i); }};
}

GlHandle make_program(const GladGLContext& gl, const char* vertex_source,
                      const char* fragment_source) {
  const GlHandle vertex = make_shader(gl, GL_VERTEX_SHADER, vertex_source);
  const GlHandle fragment = make_shader(gl, GL_FRAGMENT_SHADER, fragment_source);
  GlHandle program(gl, gl.CreateProgram(),
                   [](const GladGLContext& g, GLuint id) { g.DeleteProgram(id); });
  gl.AttachShader(program.id(), vertex.id());
  gl.AttachShader(program.id(), fragment.id());
  gl.LinkProgram(program.id());
  GLint linked = 0;
  gl.GetProgramiv(program.id(), GL_LINK_STATUS, &linked);
  if (!linked) {
    std::string log(1024, '\0');
    gl.GetProgramInfoLog(program.id(), static_cast<GLsizei>(log.size()), nullptr, log.data());
    throw Error(ErrorKind::resource, "OpenGL: a program does not link: " + first_line(log.c_str()));
  }
  return program;
}

void check_gl(const GladGLContext& gl, const char* doing) {
  const GLenum code = gl.GetError();
  if (code == GL_NO_ERROR) return;
  // A lost context may report errors forever.
  for (int i = 0; i < 16 && gl.GetError() != GL_NO_ERROR; ++i) {
  }
  throw Error(ErrorKind::resource, std::string("OpenGL: ") + error_name(code) + " while " + doing);
}

}  // namespace gvbind::egl
