# The loader of EGL and OpenGL, generated into the build tree by the distribution's glad from the Khronos descriptions
# that come with it (--reproducible: nothing is fetched). Makes the object library gvbind_glad. libEGL itself is opened
# at run time, so the binary also starts on machines without it.
set(glad_dir "${CMAKE_BINARY_DIR}/third_party/glad")
set(glad_extensions
  EGL_EXT_device_base EGL_EXT_device_enumeration EGL_EXT_device_query EGL_EXT_platform_base EGL_EXT_platform_device
  EGL_MESA_platform_surfaceless EGL_KHR_create_context EGL_KHR_no_config_context EGL_KHR_surfaceless_context)
list(JOIN glad_extensions "," glad_extension_list)
# One OpenGL function table a context (--mx), since contexts of two drivers may live in one process.
set(glad_command "${GVBIND_PYTHON}" -m glad --quiet --reproducible --api "egl=1.5,gl:core=3.3"
  --extensions "${glad_extension_list}" --out-path "${glad_dir}" c --loader --mx)

set(glad_stamp "${glad_dir}/command.txt")
set(glad_made "")
if(EXISTS "${glad_stamp}")
  file(READ "${glad_stamp}" glad_made)
endif()
if(NOT glad_made STREQUAL "${glad_command}")
  execute_process(COMMAND ${glad_command} RESULT_VARIABLE glad_result OUTPUT_VARIABLE glad_log ERROR_VARIABLE glad_log)
  if(NOT glad_result EQUAL 0)
    message(FATAL_ERROR "glad cannot generate the EGL loader (Debian: python3-glad):\n${glad_log}")
  endif()
  file(WRITE "${glad_stamp}" "${glad_command}")
endif()

add_library(gvbind_glad OBJECT "${glad_dir}/src/egl.c" "${glad_dir}/src/gl.c")
target_include_directories(gvbind_glad SYSTEM PUBLIC $<BUILD_INTERFACE:${glad_dir}/include>)
set_target_properties(gvbind_glad PROPERTIES POSITION_INDEPENDENT_CODE ON)
