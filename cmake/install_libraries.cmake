# Run by the install of the component portable, with GVBIND_LOADER and GVBIND_MULTIARCH set: what GVBIND_EXECUTABLE loads, and what the distribution says
# of the licenses.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${GVBIND_EXECUTABLE}" RESOLVED_DEPENDENCIES_VAR libraries
  DIRECTORIES "/usr/lib/${GVBIND_MULTIARCH}"
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util)\\.so")
set(prefix "${CMAKE_INSTALL_PREFIX}")
foreach(library IN LISTS libraries)
  get_filename_component(name "${library}" NAME)
  get_filename_component(file "${library}" REALPATH)
  set(folder lib/gvbind)
  if(name MATCHES "^lib(stdc\\+\\+|gcc_s|z)\\.so")
    set(folder lib/gvbind/fallback)
  endif()
  file(INSTALL "${file}" DESTINATION "${prefix}/${folder}" TYPE PROGRAM RENAME "${name}")
  # Where /lib is a link to /usr/lib, packages may have it under either name.
  string(REGEX REPLACE "^/usr/lib/" "/lib/" other "${file}")
  foreach(path "${file}" "${other}")
    execute_process(COMMAND dpkg -S "${path}" OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE result)
    if(result EQUAL 0)
      string(REGEX REPLACE ":.*" "" owner "${owner}")
      list(APPEND packages "${owner}")
      break()
    endif()
  endforeach()
endforeach()
# The C library and its loader, for systems with an older one.
foreach(name "${GVBIND_LOADER}" libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1)
  file(REAL_PATH "/lib/${GVBIND_MULTIARCH}/${name}" file)
  file(INSTALL "${file}" DESTINATION "${prefix}/lib/gvbind/libc" TYPE PROGRAM RENAME "${name}")
endforeach()
list(APPEND packages libc6)
# Headers alone.
list(APPEND packages libeigen3-dev nlohmann-json3-dev libcli11-dev)
list(REMOVE_DUPLICATES packages)
foreach(package IN LISTS packages)
  if(EXISTS "/usr/share/doc/${package}/copyright")
    file(INSTALL "/usr/share/doc/${package}/copyright" DESTINATION "${prefix}/share/doc/gvbind/licenses"
      RENAME "${package}")
  endif()
endforeach()
