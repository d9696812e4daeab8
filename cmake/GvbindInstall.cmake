# The libraries and their public headers for other projects (find_package(gvbind)), and the executable. What reads files has
# dependencies that the binding alone has not: those are components.
include(CMakePackageConfigHelpers)

install(TARGETS gvbind RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS gvbind_stages EXPORT gvbind_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gvbind_io gvbind_character gvbind_formats gvbind_bind gvbind_check gvbind_preview gvbind_transfer gvbind_rig gvbind_retarget gvbind_vrm gvbind_motion
  gvbind_egl
  EXPORT gvbind_asset_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(library gvbind bind check preview transfer rig vrm motion egl)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/lib/${library}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
foreach(targets gvbind_targets gvbind_asset_targets)
  install(EXPORT ${targets} NAMESPACE gvbind:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gvbind)
endforeach()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/gvbindConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/gvbindConfig.cmake" INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gvbind)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gvbindConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gvbindConfig.cmake" "${PROJECT_BINARY_DIR}/gvbindConfigVersion.cmake"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gvbind)
include(GvbindPackage)
