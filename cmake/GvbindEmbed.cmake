# gvbind_embed(TARGET FILES...): the texts of files as string views in namespace gvbind::embedded, named as the files
# with every other character than letters and digits an underscore; a header of the target declares them.
function(gvbind_embed target)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp")
  set(files)
  foreach(file IN LISTS ARGN)
    get_filename_component(file "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND files "${file}")
  endforeach()
  list(JOIN files "|" joined)
  add_custom_command(OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DFILES=${joined}" "-DSOURCE=${source}"
            -P "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake"
    DEPENDS ${files} "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake" VERBATIM)
  target_sources(${target} PRIVATE "${source}")
endfunction()

# gvbind_bundle(TARGET NAME MODULES...): one script NAME in the build folder from ECMAScript modules that import only from
# each other, named in the order in which they run. Names at the top of a module must be its own among all of them.
function(gvbind_bundle target name)
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE files)
  list(JOIN files "|" joined)
  add_custom_command(OUTPUT "${script}"
    COMMAND "${CMAKE_COMMAND}" "-DFILES=${joined}" "-DSCRIPT=${script}"
            -P "${PROJECT_SOURCE_DIR}/cmake/bundle_modules.cmake"
    DEPENDS ${files} "${PROJECT_SOURCE_DIR}/cmake/bundle_modules.cmake" VERBATIM)
  add_custom_target(${target}_bundle DEPENDS "${script}")
  add_dependencies(${target} ${target}_bundle)
endfunction()
