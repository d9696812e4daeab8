# The zip for Windows, by `--target package`: the command, and the licenses of what is linked into it.
set(CPACK_GENERATOR ZIP)
include(GvbindArchive)
set(CPACK_PACKAGE_FILE_NAME "gvbind-${PROJECT_VERSION}-windows-${CMAKE_SYSTEM_PROCESSOR}")
install(TARGETS gvbind RUNTIME DESTINATION .)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION .)
install(DIRECTORY "${GVBIND_WINDOWS_PREFIX}/licenses/" DESTINATION licenses)
# The C library, the threads and the runtime of the compiler, which are linked statically.
foreach(package mingw-w64-x86-64-dev g++-mingw-w64-x86-64-posix)
  install(FILES "/usr/share/doc/${package}/copyright" DESTINATION licenses RENAME "${package}")
endforeach()
include(CPack)
