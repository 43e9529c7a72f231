# LLVM as the shared library of the distribution, and MLIR as a library of ours, libopc_mlir.so, which is linked from
# the static parts of the distribution. In its shared library the loader looks up 30,000 names for each process that
# compiles; in this one they are bound when it is linked. Where static parts or lld are missing, the distribution's is
# taken. A process never has both, and no static part of LLVM: the shared library of LLVM was optimised as a whole, and
# generates code in an eighth less time than its parts.

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# opc_link_mlir(): the library opc_mlir_library. It has all of the parts below, and of the others what those need: who
# uses another part directly adds its name.
function(opc_link_mlir)
  set(used
    MLIRAffineDialect MLIRArithDialect MLIRArithToLLVM MLIRArithTransforms MLIRArithUtils MLIRAsmParser
    MLIRBufferizationDialect MLIRBuiltinToLLVMIRTranslation MLIRControlFlowDialect MLIRControlFlowInterfaces
    MLIRControlFlowToLLVM MLIRDialectUtils MLIREmitCDialect MLIRFuncDialect MLIRFuncToLLVM MLIRFunctionInterfaces
    MLIRIR MLIRInferIntRangeInterface MLIRInferTypeOpInterface MLIRLLVMCommonConversion MLIRLLVMDialect
    MLIRLLVMToLLVMIRTranslation MLIRLinalgDialect MLIRMathDialect MLIRMathToLLVM MLIRMemRefDialect MLIRMemRefToLLVM
    MLIROptLib MLIRParser MLIRPass MLIRRewrite MLIRSCFDialect MLIRSCFToControlFlow MLIRSideEffectInterfaces
    MLIRSupport MLIRTargetCpp MLIRTargetLLVMIRExport MLIRTensorDialect MLIRTransformUtils MLIRTransforms
    MLIRTranslateLib MLIRVectorDialect)
  list(TRANSFORM used REPLACE "(.+)" "${LLVM_LIBRARY_DIR}/lib\\1.a" OUTPUT_VARIABLE whole)
  string(JOIN " " whole ${whole})
  file(GLOB others ${LLVM_LIBRARY_DIR}/libMLIR*.a)
  list(FILTER others EXCLUDE REGEX "/libMLIR(CAPI.*|.*Test.*)\\.a$")

  set(source ${CMAKE_BINARY_DIR}/opc_mlir_library.cpp)
  file(GENERATE OUTPUT ${source} CONTENT "// All that this library has comes from archives.\n")
  add_library(opc_mlir_library SHARED ${source})
  # Names are bound to this library's own, of data too: what templates of MLIR have in two libraries is found by name
  # (TypeID) or is the same in both.
  target_link_options(opc_mlir_library PRIVATE LINKER:-Bsymbolic LINKER:-z,pack-relative-relocs LINKER:--strip-all
                      "SHELL:-Wl,--whole-archive ${whole} -Wl,--no-whole-archive")
  target_link_libraries(opc_mlir_library PRIVATE ${others} LLVM)
  set_target_properties(opc_mlir_library PROPERTIES
                        OUTPUT_NAME opc_mlir LINK_DEPENDS ${LLVM_LIBRARY_DIR}/libMLIRIR.a
                        INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS opc_mlir_library LIBRARY DESTINATION lib COMPONENT opc OPTIONAL)
endfunction()

set(opc_mlir_parts MLIR LLVM)
if(OPC_LINKS_WITH_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND BUILD_SHARED_LIBS
   AND EXISTS ${LLVM_LIBRARY_DIR}/libMLIRIR.a)
  opc_link_mlir()
  set(opc_mlir_parts opc_mlir_library LLVM)
endif()

add_library(opc_mlir INTERFACE)
target_include_directories(opc_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(OPC_LLVM_DEFINITIONS UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(opc_mlir INTERFACE ${OPC_LLVM_DEFINITIONS})
target_link_libraries(opc_mlir INTERFACE ${opc_mlir_parts})

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
