# MLIR's headers take three quarters of the time of a source file that sees them. They are read once, with the templates
# they instantiate, and every target that sees MLIR starts from there.
#
# For clang alone: it takes one such file for libraries and programs, whatever macros of their own they define. A source
# file must still include what it uses: what is read once is no part of any interface.

option(OPC_PRECOMPILE "Read MLIR's headers once for all source files" ON)
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(OPC_PRECOMPILE OFF)
endif()

if(OPC_PRECOMPILE)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/MlirHeaders.cpp CONTENT "// Compiled for the headers that are read in front of it.\n")
  add_library(opc_mlir_headers OBJECT ${CMAKE_BINARY_DIR}/MlirHeaders.cpp)
  opc_configure_target(opc_mlir_headers)
  target_link_libraries(opc_mlir_headers PRIVATE opc_mlir)
  # Times of files are no part of the result, so that ccache knows it again.
  target_compile_options(opc_mlir_headers PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  target_precompile_headers(opc_mlir_headers PRIVATE
    <functional> <map> <memory> <optional> <string> <vector>
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
endif()

# opc_use_precompiled(<name>): a target that sees MLIR and throws nothing.
function(opc_use_precompiled name)
  if(OPC_PRECOMPILE)
    target_precompile_headers(${name} REUSE_FROM opc_mlir_headers)
    # -fPIC in programs, too: the compiler takes these headers for one way to address data alone.
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp" -fPIC)
  endif()
endfunction()
