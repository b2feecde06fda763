# Installs the build to a fresh folder, then builds and runs a project that finds jitc there, by CMake and by pkg-config.
# Arguments: BUILD_DIR, WORK_DIR, PROJECT_DIR, CXX, GENERATOR, SANITIZE, LIBDIR, CONFIG.
set(prefix "${WORK_DIR}/prefix")
file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()

# step(<name> <command…>): runs it and leaves what it printed in `output`.
macro(step name)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${name}: ${result}\n${output}\n${errors}")
  endif()
endmacro()

function(expect_run program)
  step("run ${program}" "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${prefix}/${LIBDIR}" "${program}")
  if(NOT output STREQUAL "axpy ran on cpu\n")
    message(FATAL_ERROR "${program} printed: ${output}")
  endif()
endfunction()

step(install "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")
if(NOT EXISTS "${prefix}/bin/jitc")
  message(FATAL_ERROR "the command jitc was not installed")
endif()

step(configure "${CMAKE_COMMAND}" -S "${PROJECT_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
     "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${flags}")
step(build "${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
expect_run("${WORK_DIR}/build/user")

find_program(PKG_CONFIG pkg-config REQUIRED)
step(pkg-config "${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${prefix}/${LIBDIR}/pkgconfig"
     "${PKG_CONFIG}" --cflags --libs jitc)
separate_arguments(package_flags UNIX_COMMAND "${output}")
step(compile "${CXX}" -std=c++20 ${flags} "${PROJECT_DIR}/main.cpp" -o "${WORK_DIR}/by_pkg_config" ${package_flags})
expect_run("${WORK_DIR}/by_pkg_config")

# Users link jitc and nothing else.
file(GLOB target_files "${prefix}/${LIBDIR}/cmake/jitc/*.cmake")
foreach(file ${target_files})
  file(READ "${file}" text)
  if(text MATCHES "LLVM|INTERFACE_LINK_LIBRARIES")
    message(FATAL_ERROR "${file} makes users link ${CMAKE_MATCH_0}")
  endif()
endforeach()

# The driver is opened when it is needed, never by the loader.
find_program(LDD ldd REQUIRED)
foreach(file "${prefix}/${LIBDIR}/libjitc.so" "${prefix}/bin/jitc" "${WORK_DIR}/build/user")
  step(ldd "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${prefix}/${LIBDIR}" "${LDD}" "${file}")
  if(output MATCHES "libcuda|libnv")
    message(FATAL_ERROR "${file} needs a CUDA library:\n${output}")
  endif()
endforeach()

# Every symbol that the library exports is jitc's own.
find_program(NM nm REQUIRED)
step(nm "${NM}" --dynamic --defined-only --demangle --format=posix "${prefix}/${LIBDIR}/libjitc.so")
string(REPLACE "\n" ";" symbols "${output}")
list(FILTER symbols EXCLUDE REGEX "^(typeinfo for |typeinfo name for |vtable for )?jitc::[A-Z]")
list(FILTER symbols EXCLUDE REGEX "^(jitc::(compile|set_cache|cache_statistics)\\(|$)")
if(symbols)
  message(FATAL_ERROR "libjitc exports what is not its public API: ${symbols}")
endif()
