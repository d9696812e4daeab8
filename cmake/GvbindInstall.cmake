# The stages and their headers for other projects (find_package(gvbind), gvbind::gvbind), and the executable.
include(CMakePackageConfigHelpers)

install(TARGETS gvbind RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS gvbind_stages EXPORT gvbind_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/lib/gvbind" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(EXPORT gvbind_targets NAMESPACE gvbind:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gvbind)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/gvbindConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/gvbindConfig.cmake" INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gvbind)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gvbindConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gvbindConfig.cmake" "${PROJECT_BINARY_DIR}/gvbindConfigVersion.cmake"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gvbind)
