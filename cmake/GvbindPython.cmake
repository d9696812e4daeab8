# import gvbind: built where Python's headers are, unless told otherwise.
set(GVBIND_PYTHON_MODULE AUTO CACHE STRING "Build the Python module: ON, OFF, or AUTO: where Python's headers are found")
if(GVBIND_PYTHON_MODULE)
  # The distribution's own, not one that a version manager puts before it.
  if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python_EXECUTABLE /usr/bin/python3)
  endif()
  if(GVBIND_PYTHON_MODULE STREQUAL "AUTO")
    find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
    if(NOT Python_FOUND)
      set(GVBIND_PYTHON_MODULE OFF)
      message(STATUS "No Python module: python3-dev is missing")
    endif()
  else()
    find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module)  # Debian: python3-dev
  endif()
endif()
