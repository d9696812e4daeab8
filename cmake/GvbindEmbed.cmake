# gvbind_embed(TARGET FILES...): the texts of files as string views in namespace gvbind::embedded, named as the files
# with every other character than letters and digits an underscore; a header of the target declares them.
function(gvbind_embed target)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp")
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE files)
  list(JOIN files "|" joined)
  add_custom_command(OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DFILES=${joined}" "-DSOURCE=${source}"
            -P "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake"
    DEPENDS ${files} "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake" VERBATIM)
  target_sources(${target} PRIVATE "${source}")
endfunction()
