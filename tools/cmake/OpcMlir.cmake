# MLIR and LLVM as the two shared libraries of the distribution, never one of their static parts beside them.

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(opc_mlir INTERFACE)
target_include_directories(opc_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(OPC_LLVM_DEFINITIONS UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(opc_mlir INTERFACE ${OPC_LLVM_DEFINITIONS})
target_link_libraries(opc_mlir INTERFACE MLIR LLVM)

# Every generated header; targets that see MLIR wait for it.
add_custom_target(opc_headers)

# opc_add_tablegen(<target> <file.td> <output> <action> [<output> <action> ...]), in the folder of the .td file.
# An action is quoted with its options: "-gen-op-decls". Outputs have the same path below the build folder.
function(opc_add_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(outputs "")
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest output action)
    separate_arguments(options UNIX_COMMAND "${action}")
    mlir_tablegen(${output} ${options} EXTRA_INCLUDES ${CMAKE_SOURCE_DIR} ${MLIR_INCLUDE_DIRS})
    list(APPEND outputs ${CMAKE_CURRENT_BINARY_DIR}/${output})
  endwhile()
  add_custom_target(${target} DEPENDS ${outputs})
  add_dependencies(opc_headers ${target})
endfunction()
