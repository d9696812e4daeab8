# import gvbind: built where Python's headers and pybind11 are, unless told otherwise.
set(GVBIND_PYTHON_MODULE AUTO CACHE STRING "Build the Python module: ON, OFF, or AUTO: where pybind11 is found")
if(GVBIND_PYTHON_MODULE)
  # The distribution's own, not one that a version manager puts before it.
  if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python_EXECUTABLE /usr/bin/python3)
  endif()
  set(PYBIND11_FINDPYTHON ON)
  if(GVBIND_PYTHON_MODULE STREQUAL "AUTO")
    find_package(Python 3 QUIET COMPONENTS Interpreter Development.Module)
    find_package(pybind11 2.10 QUIET)
    if(NOT Python_FOUND OR NOT pybind11_FOUND)
      set(GVBIND_PYTHON_MODULE OFF)
      message(STATUS "No Python module: python3-dev or pybind11-dev is missing")
    endif()
  else()
    find_package(Python 3 REQUIRED COMPONENTS Interpreter Development.Module)  # Debian: python3-dev
    find_package(pybind11 2.10 REQUIRED)                                        # Debian: pybind11-dev
  endif()
endif()
# The package lies in gvbind/, its extension goes beside it.
set(GVBIND_PYTHON_DIR "lib/python3/dist-packages" CACHE STRING "Where the Python package is installed, below the prefix")
