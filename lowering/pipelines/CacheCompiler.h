// The compiler behind the kernel cache: from a request of runtime/compiler.h to the files of an op folder.
//
// A key names everything that decides the result: the row's types and formats, attributes that are bound when
// compiling, the chip, the build of this compiler and of MLIR (build ids of the libraries, so that a changed compiler
// never finds what an old one made), the author's schedule, and a hash of contract and body.

#ifndef OPC_LOWERING_PIPELINES_CACHECOMPILER_H
#define OPC_LOWERING_PIPELINES_CACHECOMPILER_H

#include "runtime/compiler.h"

#include <memory>
#include <string>

namespace opc {

std::shared_ptr<KernelCompiler> createCacheCompiler();

/// "opc 0.1.0 1f3a...": the version and a hash of what is loaded, as keys have it.
const std::string &compilerBuild();

/// What libopc_runtime.so calls when it opens a contract and finds this library beside it.
extern "C" void opc_register_kernel_compiler();

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_CACHECOMPILER_H
