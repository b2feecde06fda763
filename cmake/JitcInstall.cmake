# What users get: libjitc with the public API alone visible, its headers, and the files that CMake and pkg-config read.
if(NOT TARGET jitc_pipeline)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The folders that hold the public API go in as objects, so that the linker keeps all of it; the rest, LLVM among it, by
# need and hidden.
add_library(jitc_library SHARED $<TARGET_OBJECTS:jitc_engine> $<TARGET_OBJECTS:jitc_runtime_common>)
add_library(jitc::jitc ALIAS jitc_library)
set(exports "${CMAKE_CURRENT_LIST_DIR}/exports.map")
set_target_properties(jitc_library PROPERTIES
  OUTPUT_NAME jitc EXPORT_NAME jitc LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  LINK_DEPENDS "${exports}")
target_compile_features(jitc_library INTERFACE cxx_std_20)
target_include_directories(jitc_library INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_link_libraries(jitc_library PRIVATE jitc_build_options jitc_pipeline jitc_codegen jitc_cache jitc_runtime_cpu jitc_runtime_cuda
  ${CMAKE_DL_LIBS})
target_link_options(jitc_library PRIVATE "-Wl,--version-script=${exports}")

set(jitc_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/jitc")
install(TARGETS jitc_library EXPORT jitcTargets)
install(EXPORT jitcTargets NAMESPACE jitc:: DESTINATION "${jitc_package_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/jitc" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET jitc)
  install(TARGETS jitc)
endif()
if(TARGET jitc-cudaemu)
  install(TARGETS jitc-cudaemu LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/jitcConfig.cmake.in" "${PROJECT_BINARY_DIR}/jitcConfig.cmake"
  INSTALL_DESTINATION "${jitc_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/jitcConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
configure_file("${CMAKE_CURRENT_LIST_DIR}/jitc.pc.in" "${PROJECT_BINARY_DIR}/jitc.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/jitcConfig.cmake" "${PROJECT_BINARY_DIR}/jitcConfigVersion.cmake"
  DESTINATION "${jitc_package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/jitc.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
