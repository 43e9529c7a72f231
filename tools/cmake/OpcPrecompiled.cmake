# Precompiled headers, with the templates that they instantiate: MLIR's (three quarters of the compile time of files),
# the ops of the dialect aicore (half of the rest), GoogleTest's (two thirds of a test), and those of JSON.
#
# Only for clang, which accepts one such file for libraries and programs that define different macros. A source file
# must still include every header that it uses: the precompiled headers are not part of any interface.

option(OPC_PRECOMPILE "Read headers that many source files see once" ON)
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(OPC_PRECOMPILE OFF)
endif()

# clang finds the precompiled file beside the header. In CMake's own form ccache does not see the header's path as one.
set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include <PCH_HEADER>)

# The pragma by which std::stable_sort of libstdc++ 12 uses a deprecated function is not in the precompiled file.
set(OPC_PRECOMPILED_WARNINGS -Wno-deprecated-declarations)

# opc_precompile(<name> [EXCEPTIONS] LINK <libraries> HEADERS <headers>): headers for targets that throw nothing, or for
# those that may.
function(opc_precompile name)
  cmake_parse_arguments(ARG "EXCEPTIONS" "" "LINK;HEADERS" ${ARGN})
  set(exceptions "")
  if(ARG_EXCEPTIONS)
    set(exceptions EXCEPTIONS)
  endif()
  if(OPC_PRECOMPILE)
    set(source ${CMAKE_BINARY_DIR}/${name}.cpp)
    file(GENERATE OUTPUT ${source} CONTENT "// Compiled for the headers that are read in front of it.\n")
    add_library(${name} OBJECT ${source})
    opc_configure_target(${name} ${exceptions})
    target_link_libraries(${name} PRIVATE ${ARG_LINK})
    # The result does not depend on file times, so that ccache finds it.
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp" ${OPC_PRECOMPILED_WARNINGS})
    target_precompile_headers(${name} PRIVATE <functional> <map> <memory> <optional> <string> <vector> ${ARG_HEADERS})
    # ccache hashes this text instead of the precompiled file, and each header in it separately.
    file(WRITE ${CMAKE_BINARY_DIR}/CMakeFiles/${name}.dir/cmake_pch.hxx.pch.sum "${name} ${CMAKE_CXX_COMPILER_VERSION}\n")
  endif()
endfunction()

# opc_use_precompiled(<target> <name>): a target with the same use of exceptions as <name> reuses its headers.
function(opc_use_precompiled target name)
  if(OPC_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
    # -fPIC also in programs: the compiler accepts these headers only for one code model.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp" -fPIC ${OPC_PRECOMPILED_WARNINGS})
  endif()
endfunction()

opc_precompile(opc_json_headers EXCEPTIONS
  LINK nlohmann_json::nlohmann_json
  HEADERS <algorithm> <filesystem> <iostream> <nlohmann/json.hpp>)

# opc_choose_precompiled(<target> [EXCEPTIONS] [MLIR|AICORE] [TEST] ...): what suits a target with these words of
# opc_add_library. Targets with options of their own for the processor take none.
function(opc_choose_precompiled target)
  cmake_parse_arguments(ARG "EXCEPTIONS;MLIR;AICORE;TEST" "" "" ${ARGN})
  if(ARG_EXCEPTIONS)
    opc_use_precompiled(${target} opc_json_headers)
  elseif(ARG_TEST AND (ARG_MLIR OR ARG_AICORE))
    opc_use_precompiled(${target} opc_mlir_test_headers)
  elseif(ARG_TEST)
    opc_use_precompiled(${target} opc_test_headers)
  elseif(ARG_AICORE)
    opc_use_precompiled(${target} opc_aicore_headers)
  elseif(ARG_MLIR)
    opc_use_precompiled(${target} opc_mlir_headers)
  else()
    opc_use_precompiled(${target} opc_std_headers)
  endif()
endfunction()

# Those of the standard library, for everything else.
opc_precompile(opc_std_headers HEADERS <algorithm> <array> <set> <unordered_map> <variant>)

opc_precompile(opc_test_headers
  LINK GTest::gtest GTest::gmock
  HEADERS <filesystem> <fstream> <random> <sstream> <thread> <gmock/gmock.h> <gtest/gtest.h>)

if(MLIR_FOUND)
  set(mlir_headers
    <mlir/Dialect/Affine/IR/AffineOps.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/Linalg/IR/Linalg.h>
    <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/Dialect/Vector/IR/VectorOps.h>
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/Pass/Pass.h>
    <mlir/Transforms/GreedyPatternRewriteDriver.h>)

  opc_precompile(opc_mlir_headers LINK opc_mlir HEADERS ${mlir_headers})
  opc_precompile(opc_mlir_test_headers LINK opc_mlir GTest::gtest GTest::gmock
    HEADERS ${mlir_headers} <filesystem> <fstream> <random> <sstream> <gmock/gmock.h> <gtest/gtest.h>)
  opc_precompile(opc_aicore_headers LINK opc_mlir
    HEADERS ${mlir_headers} <dialect/aicore/AICoreOps.h>)
  if(OPC_PRECOMPILE)
    add_dependencies(opc_aicore_headers opc_headers)
  endif()
endif()
