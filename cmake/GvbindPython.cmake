# The Python module needs all libraries as position-independent code, so this is settled before any of them.
option(GVBIND_PYTHON_MODULE "Build the Python module, and all libraries as position-independent code" OFF)
if(GVBIND_PYTHON_MODULE)
  # The distribution's own, not one that a version manager puts before it.
  if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python_EXECUTABLE /usr/bin/python3)
  endif()
  set(PYBIND11_FINDPYTHON ON)
  find_package(Python 3 REQUIRED COMPONENTS Interpreter Development.Module)  # Debian: python3-dev
  find_package(pybind11 2.10 REQUIRED)                                        # Debian: pybind11-dev
endif()
