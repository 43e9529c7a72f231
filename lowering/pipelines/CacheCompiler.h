// The compiler of the kernel cache: from a request of runtime/compiler.h to the files of an op folder.
//
// A key contains everything that determines the result: the types and formats of the row, attributes that are bound
// at compile time, the chip, the build of this compiler and of MLIR (build ids of the libraries, so that a changed
// compiler never finds the output of an old one), the author's schedule, and a hash of contract and body.

#ifndef OPC_LOWERING_PIPELINES_CACHECOMPILER_H
#define OPC_LOWERING_PIPELINES_CACHECOMPILER_H

#include "runtime/compiler.h"

#include <memory>
#include <string>

namespace opc {

std::shared_ptr<KernelCompiler> createCacheCompiler();

/// "opc 0.1.0 1f3a...": the version, and a hash of the loaded libraries, as in keys.
const std::string &compilerBuild();

/// libopc_runtime.so calls this when it opens a contract and finds this library next to it.
extern "C" void opc_register_kernel_compiler();

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_CACHECOMPILER_H
