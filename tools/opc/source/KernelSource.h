// A kernel source in Ascend C, compiled by a stock compiler into a shared object.

#ifndef OPC_TOOLS_OPC_SOURCE_KERNELSOURCE_H
#define OPC_TOOLS_OPC_SOURCE_KERNELSOURCE_H

#include "tools/opc/process/TemporaryFolder.h"
#include "tools/opc/source/compiler/SourceCompiler.h"
#include "tools/opc/source/debug/DebugInfo.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

struct SourceOptions {
  std::string path;
  std::string compiler; ///< empty: CXX, clang++-22, clang++, c++, g++
  std::string kernel;   ///< empty: the only one
  std::vector<std::string> includes, defines;
  std::string preface; ///< text that is compiled before the source: the tiling structures of host files
  /// The arguments of a kernel that is a template, as C++ text: "float, 8".
  std::string templateArguments;
  /// The version of the toolkit whose names are available; nullopt: the names of all versions, with a remark on each
  /// that only one has.
  std::optional<Cann> cann;
};

struct KernelSource {
  TemporaryFolder folder{"kernel"};
  std::string object;  ///< shared object
  std::string headers; ///< folder of kernel_operator.h's tree
  std::string compiler;
  std::unique_ptr<DebugInfo> debug;
  SourceFunction kernel;
  std::string path;              ///< as the user typed it
  std::string text;              ///< of that file
  std::vector<CodeBlock> blocks; ///< its scalar code; empty if the compiler does not count it

  /// The source line of an offset in the object; that of the kernel when it is unknown.
  Location lineOf(uint64_t offset) const;
  /// Whether the offset belongs to a line of the kernel.
  bool isKernels(uint64_t offset) const { return debug->lineOf(offset, headers).line != 0; }
};

/// Compiles a source; null after reporting E0800, E0801, E0600 or E0803 when it does not compile or has no kernel.
/// Checks ascendc_c21: a kernel uses only calls that emit instructions in the requested version (E0800); without a
/// requested version, calls that only one version has give a remark.
std::unique_ptr<KernelSource> compileKernelSource(const SourceOptions &options, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_KERNELSOURCE_H
