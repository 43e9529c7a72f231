// The files of an operator in a project of the vendor's generator (msopgen):
//
//   DIR/op_kernel/<name>.cpp      the kernel
//   DIR/op_host/**/*.cpp, *.h     the operator's definition, its tiling, its shape inference
//
// DIR may also be a folder with several such operators, below one another.

#ifndef OPC_TOOLS_OPC_SOURCE_OPERATORFILES_H
#define OPC_TOOLS_OPC_SOURCE_OPERATORFILES_H

#include "runtime/diagnostic/Diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

struct OperatorFiles {
  std::string kernel;            ///< path of the kernel's source
  std::vector<std::string> host; ///< paths of the host sources, sorted; empty: there is only the kernel
  std::vector<std::string> includes;
};

/// Finds the files of `path`, a folder or the source of a kernel. `host` is a folder with host files, or empty: beside
/// a folder's kernel. `kernel` selects one of several kernels by the name of its file. Returns nullopt after reporting
/// E0801 if there is no kernel or more than one.
std::optional<OperatorFiles> findOperatorFiles(const std::string &path, const std::string &host,
                                               const std::string &kernel, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_OPERATORFILES_H
