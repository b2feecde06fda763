# One static library per folder of the tree, and one test executable per folder of tests/unit.

# In builds with sanitizers the headers that nearly every file reads are read once: they take two thirds of a file's time.
# Other builds go without, so that a file which forgets to include something does not compile there.
if(JITC_SANITIZE)
  file(WRITE "${CMAKE_BINARY_DIR}/precompiled.cpp" "")
  add_library(jitc_precompiled OBJECT "${CMAKE_BINARY_DIR}/precompiled.cpp")
  target_link_libraries(jitc_precompiled PRIVATE jitc_build_options fmt::fmt)
  target_precompile_headers(jitc_precompiled PRIVATE <algorithm> <functional> <map> <memory> <optional> <set> <span>
                            <string> <string_view> <variant> <vector> <fmt/format.h>)
endif()

# jitc_folder(<target> SOURCES … [DEPS …] [LLVM component …]): headers are included by their path from the root.
function(jitc_folder target)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS;LLVM" ${ARGN})
  add_library(${target} STATIC ${arg_SOURCES})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:jitc_build_options> PUBLIC ${arg_DEPS})
  if(arg_LLVM)
    jitc_use_llvm(${target} ${arg_LLVM})
  elseif(JITC_SANITIZE AND "fmt::fmt" IN_LIST arg_DEPS)
    target_precompile_headers(${target} REUSE_FROM jitc_precompiled)
  endif()
endfunction()

# LLVM's headers are system headers (no warnings of theirs) and nobody but `target` sees them.
function(jitc_use_llvm target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
  if(JITC_LLVM_STATIC)
    llvm_map_components_to_libnames(libs ${ARGN})
  else()
    set(libs LLVM)
  endif()
  target_link_libraries(${target} PUBLIC ${libs})
endfunction()

# jitc_unit_test(<folder> SOURCES … DEPS …): builds unit_<folder> and registers its test cases as one ctest test. The
# target unit_tests builds them all.
function(jitc_unit_test folder)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(unit_${folder} ${arg_SOURCES})
  target_link_libraries(unit_${folder} PRIVATE jitc_build_options jitc_catch_main ${arg_DEPS})
  # Mostly assertions: to optimise them takes most of the time of a build, and with a sanitizer nearly all.
  target_compile_options(unit_${folder} PRIVATE -O0)
  # Reading Catch's one header is half of what a short test takes.
  list(LENGTH arg_SOURCES count)
  if(count GREATER 2)
    target_precompile_headers(unit_${folder} PRIVATE <catch2/catch.hpp>)
  endif()
  add_dependencies(unit_tests unit_${folder})
  add_test(NAME unit.${folder} COMMAND unit_${folder})
  set_tests_properties(unit.${folder} PROPERTIES LABELS unit TIMEOUT 300)
endfunction()
