// Libraries that a command opens when it first needs them.
//
// The compiler loads MLIR and LLVM, whose relocations take 25 ms of processor time. `opc run` of an op folder, `opc pkg
// install` and most other commands need neither, so the program does not link them.
//
//   libopc_pipelines.so    the compiler: compile, test, bench of a contract, ...
//   libopc_debug_info.so   LLVM's reader of debug information: everything with --source

#ifndef OPC_TOOLS_OPC_LIBRARIES_LIBRARIES_H
#define OPC_TOOLS_OPC_LIBRARIES_LIBRARIES_H

#include "lowering/pipelines/Compiler.h"

#include <stdexcept>
#include <string>

namespace opc::tool {

/// A library of the program that cannot be opened; the frame reports it as E0606.
struct MissingLibrary : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The function `entry` of the program's library lib<name>.so, which stays open until the process ends. Throws
/// MissingLibrary.
void *libraryFunction(const std::string &name, const char *entry);

/// The compiler. Throws MissingLibrary.
const Compiler &compiler();

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_LIBRARIES_LIBRARIES_H
