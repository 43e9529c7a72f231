# Build type, flags and sanitizers that hold for every target of the project.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

# A shared library for each folder keeps links short; the tools stay a few hundred kilobytes.
option(OPC_RUNTIME_ONLY "Build libopc_runtime.so and its tests alone: no LLVM, gcc 11 or newer" OFF)
if(OPC_RUNTIME_ONLY)
  # One library that needs no other of ours.
  option(BUILD_SHARED_LIBS "Build the project's libraries as shared ones" OFF)
else()
  option(BUILD_SHARED_LIBS "Build the project's libraries as shared ones" ON)
endif()
option(OPC_SANITIZE "Build the project's own code with the address and undefined-behaviour sanitizers" OFF)

option(OPC_SANITIZE_THREAD "Build the project's own code with the thread sanitizer; for the runtime alone" OFF)

# Members that an aggregate does not list have their default, which is meant.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers)
# Each operation rounds once with every compiler, since results are compared bit by bit.
add_compile_options(-ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of gcc 12 in the headers of LLVM.
  add_compile_options(-Wno-dangling-reference -Wno-maybe-uninitialized -Wno-comment)
endif()

# A library beside libMLIR is linked in a seventh of the time that GNU ld takes.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld OPC_LINKS_WITH_LLD)
if(OPC_LINKS_WITH_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=lld)
endif()

# Content of a library, for keys of the kernel cache: what another compiler made is not found.
add_link_options(-Wl,--build-id=sha1)

# Functions of a library are not replaced by those of another one, so the loader looks up no names for them.
add_link_options(-Wl,-Bsymbolic-functions)

if(OPC_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  # libMLIR and libLLVM are not instrumented: type checks across that border see no vtables.
  add_compile_options(-fno-sanitize=vptr)
  # The check of a function's type reads the bytes in front of it. Kernels and host functions come from libraries that are
  # not instrumented, and one that begins a page has nothing there.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options(-fno-sanitize=function)
  endif()
  # Checks make of templates so much code that -O3 takes half as long again to compile; the simulator has it back.
  add_compile_options(-O1)
  add_link_options(-fsanitize=address,undefined)
endif()

if(OPC_SANITIZE_THREAD)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=thread)
endif()

# A second clone finds what the first one compiled: paths below the sources are taken relative to the build folder.
# ccache learns includes from the compiler (depend mode), which lists those of precompiled headers too; the precompiled
# file itself holds paths of its clone and counts by the sum beside it (OpcPrecompiled).
find_program(OPC_CCACHE ccache)
if(OPC_CCACHE)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_DEPEND=1 CCACHE_PCH_EXTSUM=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${OPC_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
