# Language level, warnings, sanitizers, ccache and the linker: the same for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(JITC_CCACHE ccache)
if(JITC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # pch_defines and time_macros let ccache reuse objects that were built with a precompiled header.
  set(jitc_ccache "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${JITC_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${jitc_ccache})
  set(CMAKE_C_COMPILER_LAUNCHER ${jitc_ccache})
endif()

find_program(JITC_MOLD mold)
if(JITC_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# A static LLVM stays our own affair (another LLVM may live in the same process) and leaves what nobody calls behind:
# about a fifth of the size.
if(JITC_LLVM_STATIC)
  add_link_options(-Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed)
endif()

# What every target of the project compiles with.
add_library(jitc_build_options INTERFACE)
target_compile_options(jitc_build_options INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Wold-style-cast
                       -Wno-missing-field-initializers)
# GCC 12 takes a vector that is indexed downwards for one that is freed at a shifted address.
target_compile_options(jitc_build_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-free-nonheap-object>)
if(JITC_WARNINGS_AS_ERRORS)
  target_compile_options(jitc_build_options INTERFACE -Werror)
endif()
if(JITC_SANITIZE)
  # GCC's manual: the sanitizers' instrumentation makes -Wmaybe-uninitialized report what is initialised.
  target_compile_options(jitc_build_options INTERFACE -fsanitize=${JITC_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=undefined -Wno-maybe-uninitialized)
  if(JITC_SANITIZE MATCHES undefined)
    # These look at every access through a pointer, take more compile time than all the rest, and find little that the
    # address sanitizer does not.
    target_compile_options(jitc_build_options INTERFACE -fno-sanitize=null,alignment,vptr,object-size)
  endif()
  target_link_options(jitc_build_options INTERFACE -fsanitize=${JITC_SANITIZE})
endif()
