// The C++ compiler of the user's machine, for kernels and for host files of operators.

#ifndef OPC_TOOLS_OPC_SOURCE_COMPILER_SOURCECOMPILER_H
#define OPC_TOOLS_OPC_SOURCE_COMPILER_SOURCECOMPILER_H

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/target/toolkit/KernelCalls.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// The folder of kernel_operator.h and the headers that it includes; empty after reporting E0803 when it is missing.
std::string findKernelHeaders(Diagnostics &diagnostics);
/// The include folder for "kernel_operator.h" in that tree.
std::string kernelHeaderFolder(const std::string &headers);

/// `named`, or the first of CXX, clang++-22, clang++, c++ and g++ that exists; empty after reporting E0803.
std::string findCompiler(const std::string &named, Diagnostics &diagnostics);

/// The macros that a compiler defines by itself, its version among them, as preprocessor text; asked for once.
const std::string &compilerMacros(const std::string &compiler);

/// The options with which a compiler counts the kernel's scalar code (CodeBlocks.h); none if it cannot, as g++ 11.
std::vector<std::string> scalarCodeOptions(const std::string &compiler);

/// The options with which a compiler makes a shared library whose names are all defined and its own. Clang links with
/// LLD where it has it beside itself: a third of the time of GNU ld.
std::vector<std::string> sharedLibraryOptions(const std::string &compiler);

/// Runs a compiler and returns its messages; nullopt after reporting E0803 or E0800 if it failed. `headers` is opc's
/// own folder, `path` the file that the user named. If a source fails because it has classes named like calls that the
/// chip lacks, and `own` is given, their names are added to `own` instead of an error.
std::optional<std::string> runCompiler(const std::vector<std::string> &arguments, const std::string &headers,
                                       const std::string &path, std::optional<Cann> cann, Diagnostics &diagnostics,
                                       std::vector<std::string> *own = nullptr);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_COMPILER_SOURCECOMPILER_H
