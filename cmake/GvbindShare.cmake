# What packages for Linux hold beside the command, of the component `command`: manual pages and completion, as the command
# itself writes them, and documentation.
set(gvbind_share "${CMAKE_CURRENT_BINARY_DIR}/share")
add_custom_command(OUTPUT "${gvbind_share}/written"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${gvbind_share}"
  COMMAND gvbind manual "${gvbind_share}/man/man1"
  COMMAND "${CMAKE_COMMAND}" "-DGVBIND=$<TARGET_FILE:gvbind>" "-DSHARE=${gvbind_share}" "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}"
          -P "${PROJECT_SOURCE_DIR}/cmake/write_completions.cmake"
  DEPENDS gvbind "${PROJECT_SOURCE_DIR}/cmake/write_completions.cmake" VERBATIM)
add_custom_target(gvbind_share ALL DEPENDS "${gvbind_share}/written")

file(GLOB gvbind_pages "${PROJECT_SOURCE_DIR}/docs/*.md")
file(GLOB gvbind_measurements "${PROJECT_SOURCE_DIR}/docs/measurements/*.md")
install(DIRECTORY "${gvbind_share}/man" DESTINATION share COMPONENT command OPTIONAL)
foreach(completion bash-completion/completions/gvbind fish/vendor_completions.d/gvbind.fish zsh/vendor-completions/_gvbind)
  get_filename_component(folder "${completion}" DIRECTORY)
  install(FILES "${gvbind_share}/${completion}" DESTINATION share/${folder} COMPONENT command OPTIONAL)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md"
  "${PROJECT_SOURCE_DIR}/SECURITY.md" DESTINATION share/doc/gvbind COMPONENT command)
install(FILES ${gvbind_pages} DESTINATION share/doc/gvbind/docs COMPONENT command)
install(FILES ${gvbind_measurements} DESTINATION share/doc/gvbind/docs/measurements COMPONENT command)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/gvbind RENAME copyright COMPONENT command)
