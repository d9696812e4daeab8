# The tarball for any Linux, by `--target package`: the command, which needs the C library alone, documentation without
# pictures, which are a quarter of its size, and the licenses of what is linked into it.
set(CPACK_GENERATOR TGZ)
include(GvbindArchive)
set(CPACK_PACKAGE_FILE_NAME "gvbind-${PROJECT_VERSION}-linux-${GVBIND_MACHINE}")
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_COMPONENTS_ALL command)
install(TARGETS gvbind RUNTIME DESTINATION bin COMPONENT command)
include(GvbindShare)
install(DIRECTORY "${GVBIND_LINUX_PREFIX}/licenses/" DESTINATION share/doc/gvbind/licenses COMPONENT command)
include(CPack)
