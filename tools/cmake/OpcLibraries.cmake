# The three kinds of target. There is one include root, the repository; generated headers are below the build folder
# under the same paths.

# opc_add_library(<name> [EXCEPTIONS] [MLIR|AICORE] SOURCES ... LINK ... [PRIVATE_LINK ...])
#   EXCEPTIONS  the target uses a library that throws (yaml-cpp, CLI11, nlohmann-json) and returns values to its callers
#   MLIR        the target sees MLIR's headers and links MLIR and LLVM (OpcMlir.cmake)
#   AICORE      as MLIR, and most of its source files see the ops of the dialect aicore
function(opc_add_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS;MLIR;AICORE" "" "SOURCES;LINK;PRIVATE_LINK;DEPENDS" ${ARGN})
  add_library(${name} ${ARG_SOURCES})
  opc_configure_target(${name} ${ARGN})
  opc_choose_precompiled(${name} ${ARGN})
  if(BUILD_SHARED_LIBS)
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${name} LIBRARY DESTINATION lib COMPONENT opc OPTIONAL)
  endif()
endfunction()

# opc_add_tool(<name> ...): an executable in build/bin; the same arguments.
function(opc_add_tool name)
  cmake_parse_arguments(ARG "EXCEPTIONS;MLIR;AICORE" "" "SOURCES;LINK;PRIVATE_LINK;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  opc_configure_target(${name} ${ARGN})
  opc_choose_precompiled(${name} ${ARGN})
endfunction()

# opc_sources_throw(<files>): source files of a target without EXCEPTIONS that use a library that throws, and catch all of
# it.
function(opc_sources_throw)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fexceptions SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# opc_library_contracts(<variable> [AICORE]): the contracts of ops/library; with AICORE those whose first body has a kernel for
# the AI Core.
function(opc_library_contracts variable)
  file(GLOB contracts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ops/library/*/op_contract.yaml)
  set(taken "")
  foreach(contract IN LISTS contracts)
    file(STRINGS ${contract} cpu_alone REGEX "^    devices: cpu$")
    if(NOT cpu_alone OR NOT "AICORE" IN_LIST ARGN)
      list(APPEND taken ${contract})
    endif()
  endforeach()
  set(${variable} ${taken} PARENT_SCOPE)
endfunction()

# opc_add_unit_test(<name> ... [SHARDS <n> [ALONE <filter>]] [GENERATED <filter>]): a GoogleTest executable; every TEST
# in it is a CTest test named <name>.<suite>.<test>.
#   SHARDS     one CTest test for every <n>-th TEST, <name>.<i>of<n>, where a process takes longer to start, with MLIR and
#              LLVM or under sanitizers, than most tests run. Output names the tests that failed. Not for tests that change
#              what a process has once: its environment, its limits.
#   ALONE      of those, tests that are CTest tests of their own, by a filter of GoogleTest: tests that may be skipped
#   GENERATED  tests that look at numbers that generated code computes, by a filter of GoogleTest. Sanitizers do not see
#              that code, so builds with them leave these tests out.
# A test that reads files of the tree asks test/unit/Folders.h for its place; no other file depends on where the tree is.
function(opc_add_unit_test name)
  cmake_parse_arguments(ARG "EXCEPTIONS;MLIR;AICORE" "ALONE;GENERATED;SHARDS"
                        "SOURCES;LINK;PRIVATE_LINK;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  opc_configure_target(${name} ${ARGN} PRIVATE_LINK GTest::gtest_main GTest::gmock)
  if(TARGET test_folders)
    target_link_libraries(${name} PRIVATE test_folders)
  endif()
  opc_choose_precompiled(${name} TEST ${ARGN})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/bin)
  include(GoogleTest)
  set(discover TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 120 NO_PRETTY_VALUES PROPERTIES TIMEOUT 300 LABELS unit)
  set(left_out "")
  if(ARG_GENERATED AND OPC_SANITIZE)
    set(left_out ${ARG_GENERATED})
  endif()
  if(NOT ARG_SHARDS)
    gtest_discover_tests(${name} TEST_FILTER "*-${left_out}" ${discover})
    return()
  endif()
  if(ARG_ALONE)
    gtest_discover_tests(${name} TEST_FILTER "${ARG_ALONE}" ${discover})
    string(APPEND left_out ":${ARG_ALONE}")
  endif()
  math(EXPR last "${ARG_SHARDS} - 1")
  foreach(shard RANGE ${last})
    math(EXPR number "${shard} + 1")
    set(test ${name}.${number}of${ARG_SHARDS})
    add_test(NAME ${test} COMMAND ${name} "--gtest_filter=*-${left_out}"
             WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    set_tests_properties(${test} PROPERTIES TIMEOUT 600 LABELS unit
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()

function(opc_configure_target name)
  cmake_parse_arguments(ARG "EXCEPTIONS;MLIR;AICORE" "ALONE;GENERATED;SHARDS"
                        "SOURCES;LINK;PRIVATE_LINK;DEPENDS" ${ARGN})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE ${ARG_PRIVATE_LINK})
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
  endif()
  if(ARG_MLIR OR ARG_AICORE)
    target_link_libraries(${name} PRIVATE opc_mlir)
    # As options they come before the libraries of opc: in this order the loader looks for the names of their tables.
    foreach(part IN LISTS opc_mlir_parts)
      target_link_options(${name} PRIVATE $<TARGET_FILE:${part}>)
    endforeach()
    add_dependencies(${name} opc_headers)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()
