# Packages, by `--target package`: Debian's gvbind and libgvbind-dev, which use the distribution's libraries, and a tarball
# that brings everything beside glibc. Build without tests with the preset package.
set(CPACK_PACKAGE_VENDOR "gvbind")
set(CPACK_PACKAGE_CONTACT "gvbind maintainers <gvbind@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" gvbind_platform)
set(CPACK_PACKAGE_FILE_NAME "gvbind-${PROJECT_VERSION}-${gvbind_platform}")
set(CPACK_SOURCE_GENERATOR "")
set(CPACK_GENERATOR TGZ)
find_program(GVBIND_SHLIBDEPS dpkg-shlibdeps)
find_program(GVBIND_FILE_TYPE file)
if(GVBIND_SHLIBDEPS AND GVBIND_FILE_TYPE AND NOT CMAKE_CROSSCOMPILING)
  list(APPEND CPACK_GENERATOR DEB)
endif()

# What the command says of itself: manual pages and completion.
set(gvbind_share "${CMAKE_CURRENT_BINARY_DIR}/share")
set(gvbind_completions bash-completion/completions/gvbind fish/vendor_completions.d/gvbind.fish
  zsh/vendor-completions/_gvbind)
add_custom_command(OUTPUT "${gvbind_share}/written"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${gvbind_share}"
  COMMAND gvbind manual "${gvbind_share}/man/man1"
  COMMAND "${CMAKE_COMMAND}" "-DGVBIND=$<TARGET_FILE:gvbind>" "-DSHARE=${gvbind_share}" "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}"
          -P "${PROJECT_SOURCE_DIR}/cmake/write_completions.cmake"
  DEPENDS gvbind "${PROJECT_SOURCE_DIR}/cmake/write_completions.cmake" VERBATIM)
add_custom_target(gvbind_share ALL DEPENDS "${gvbind_share}/written")

file(GLOB gvbind_pages "${PROJECT_SOURCE_DIR}/docs/*.md")
file(GLOB gvbind_measurements "${PROJECT_SOURCE_DIR}/docs/measurements/*.md")
# install() again for the tarball, which nobody installs by `cmake --install`.
foreach(component command portable)
  set(only "")
  if(component STREQUAL "portable")
    set(only EXCLUDE_FROM_ALL)
  endif()
  install(DIRECTORY "${gvbind_share}/man" DESTINATION share COMPONENT ${component} ${only} OPTIONAL)
  foreach(completion IN LISTS gvbind_completions)
    get_filename_component(folder "${completion}" DIRECTORY)
    install(FILES "${gvbind_share}/${completion}" DESTINATION share/${folder} COMPONENT ${component} ${only}
      OPTIONAL)
  endforeach()
  install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md"
    "${PROJECT_SOURCE_DIR}/SECURITY.md" DESTINATION share/doc/gvbind COMPONENT ${component} ${only})
  install(FILES ${gvbind_pages} DESTINATION share/doc/gvbind/docs COMPONENT ${component} ${only})
  install(FILES ${gvbind_measurements} DESTINATION share/doc/gvbind/docs/measurements COMPONENT ${component} ${only})
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION share/doc/gvbind/docs COMPONENT ${component} ${only}
    FILES_MATCHING PATTERN "*.png" PATTERN "*.gif" PATTERN "example" EXCLUDE)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/gvbind RENAME copyright
    COMPONENT ${component} ${only})
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/libgvbind-dev RENAME copyright
  COMPONENT development)

# The tarball's command finds its libraries from where it lies. Of libraries that drivers of a GPU use as well, those of
# the system come first: a driver may need newer ones than ours, and a process holds one of each.
set(gvbind_system_libraries /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib64 /usr/lib)
add_executable(gvbind_portable "${PROJECT_SOURCE_DIR}/app/main.cpp")
target_link_libraries(gvbind_portable PRIVATE gvbind_app gvbind_flags)
# DT_RPATH, unlike DT_RUNPATH, holds for the libraries of libraries, too. Stripped here: what install() renames it does not.
target_link_options(gvbind_portable PRIVATE LINKER:--disable-new-dtags LINKER:--strip-all)
set_target_properties(gvbind_portable PROPERTIES BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "$ORIGIN;${gvbind_system_libraries};$ORIGIN/fallback")
install(PROGRAMS "$<TARGET_FILE:gvbind_portable>" DESTINATION lib/gvbind RENAME gvbind COMPONENT portable EXCLUDE_FROM_ALL)
# Starts that command with the C library of the system, or with that of the tarball where it is too old.
set(gvbind_libc_version GLIBC_2.36)  # of Debian 12; package_test.py compares
add_executable(gvbind_launcher "${PROJECT_SOURCE_DIR}/app/portable/launcher.cpp")
set(gvbind_loader ld-linux-x86-64.so.2)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(gvbind_loader ld-linux-aarch64.so.1)
endif()
target_compile_definitions(gvbind_launcher PRIVATE GVBIND_LIBC_VERSION="${gvbind_libc_version}"
  GVBIND_LOADER="${gvbind_loader}" GVBIND_MULTIARCH="${CMAKE_LIBRARY_ARCHITECTURE}")
install(CODE "set(GVBIND_LOADER \"${gvbind_loader}\")\nset(GVBIND_MULTIARCH \"${CMAKE_LIBRARY_ARCHITECTURE}\")
set(CMAKE_OBJDUMP \"${CMAKE_OBJDUMP}\")"
  COMPONENT portable EXCLUDE_FROM_ALL)
target_link_libraries(gvbind_launcher PRIVATE gvbind_flags)
# Sanitizers do not link statically; their builds make no packages.
target_link_options(gvbind_launcher PRIVATE $<$<NOT:$<BOOL:${GVBIND_SANITIZE}>>:-static> LINKER:--strip-all)
install(PROGRAMS "$<TARGET_FILE:gvbind_launcher>" DESTINATION bin RENAME gvbind COMPONENT portable EXCLUDE_FROM_ALL)
install(CODE "set(GVBIND_EXECUTABLE \"$<TARGET_FILE:gvbind_portable>\")" COMPONENT portable EXCLUDE_FROM_ALL)
install(SCRIPT "${PROJECT_SOURCE_DIR}/cmake/install_libraries.cmake" COMPONENT portable EXCLUDE_FROM_ALL)

set(CPACK_COMPONENTS_ALL command development portable)
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/package_generators.cmake")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME gvbind)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS libegl1)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "Computes skin weights of FBX and glTF characters from the command line.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libgvbind-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libeigen3-dev, libtbb-dev, zlib1g-dev, libdraco-dev, libmeshoptimizer-dev, libassimp-dev, libpng-dev, libxxhash-dev, pkg-config")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The libraries of gvbind, their headers and a CMake package.")
include(CPack)
