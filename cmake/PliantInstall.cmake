# cmake --install: headers, library, CLI, `find_package(pliant)` and a pkg-config file.
#
# A static libpliant leaves its private dependencies to whoever links it, so both package files
# name them; a shared one carries them itself.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(PLIANT_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/pliant")
set(PLIANT_PRIVATE_PACKAGES "fmt, protobuf-lite")

install(TARGETS pliant EXPORT pliant-targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/pliant" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(EXPORT pliant-targets NAMESPACE pliant:: DESTINATION "${PLIANT_PACKAGE_DIR}")

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/pliant-config.cmake.in"
  "${PROJECT_BINARY_DIR}/pliant-config.cmake" INSTALL_DESTINATION "${PLIANT_PACKAGE_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/pliant-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/pliant-config.cmake" "${PROJECT_BINARY_DIR}/pliant-config-version.cmake"
  DESTINATION "${PLIANT_PACKAGE_DIR}")

# pkg-config has no notion of "static only": what a static library needs must be public there.
if(BUILD_SHARED_LIBS)
  set(PLIANT_PC_REQUIRES "")
  set(PLIANT_PC_THREADS "")
else()
  set(PLIANT_PC_REQUIRES "${PLIANT_PRIVATE_PACKAGES}")
  set(PLIANT_PC_THREADS "-pthread")
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/pliant.pc.in" "${PROJECT_BINARY_DIR}/pliant.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/pliant.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

if(TARGET pliant_cli)
  install(TARGETS pliant_cli DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
