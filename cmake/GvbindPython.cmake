# import gvbind: built where Python's headers are, unless told otherwise.
set(GVBIND_PYTHON_MODULE AUTO CACHE STRING "Build the Python module: ON, OFF, or AUTO: where Python's headers are found")
if(GVBIND_PYTHON_MODULE)
  # The distribution's own, not one that a version manager puts before it. Any from 3.9 on makes the same module.
  find_program(Python_EXECUTABLE NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
  execute_process(COMMAND "${Python_EXECUTABLE}" -c "import sysconfig; print(sysconfig.get_paths()['include'])"
    OUTPUT_VARIABLE Python_INCLUDE_DIRS OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT EXISTS "${Python_INCLUDE_DIRS}/Python.h")
    if(NOT GVBIND_PYTHON_MODULE STREQUAL "AUTO")
      message(FATAL_ERROR "No Python.h for ${Python_EXECUTABLE}: install python3-dev")
    endif()
    set(GVBIND_PYTHON_MODULE OFF)
    message(STATUS "No Python module: python3-dev is missing")
  endif()
endif()
if(GVBIND_PYTHON_MODULE AND CMAKE_CROSSCOMPILING)
  # Debian's pyconfig.h includes that of the machine. They are the same for Linux with 64 bits.
  get_filename_component(python "${Python_INCLUDE_DIRS}" NAME)
  file(COPY "/usr/include/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu/${python}/pyconfig.h"
    DESTINATION "${CMAKE_CURRENT_BINARY_DIR}/python/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu/${python}")
  list(APPEND Python_INCLUDE_DIRS "${CMAKE_CURRENT_BINARY_DIR}/python")
endif()
