# Debian's packages, by `--target package`: gvbind and libgvbind-dev, which use the distribution's libraries. Build without tests
# with the preset package. See GvbindTarball.cmake for any other Linux.
include(GvbindShare)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION share/doc/gvbind/docs COMPONENT command
  FILES_MATCHING PATTERN "*.png" PATTERN "*.gif" PATTERN "example" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/libgvbind-dev RENAME copyright
  COMPONENT development)

find_program(GVBIND_SHLIBDEPS dpkg-shlibdeps)
find_program(GVBIND_FILE_TYPE file)
if(NOT GVBIND_SHLIBDEPS OR NOT GVBIND_FILE_TYPE OR CMAKE_CROSSCOMPILING)
  return()
endif()
include(GvbindArchive)
set(CPACK_PACKAGE_CONTACT "gvbind maintainers <gvbind@localhost>")
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL command development)
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
