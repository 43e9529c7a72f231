// A kernel source in Ascend C, compiled by a stock compiler into a shared object.

#ifndef OPC_TOOLS_OPC_RUN_KERNELSOURCE_H
#define OPC_TOOLS_OPC_RUN_KERNELSOURCE_H

#include "runtime/target/toolkit/KernelCalls.h"
#include "tools/opc/run/DebugInfo.h"

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
  /// The version of the toolkit whose names are available; nullopt: the names of all versions, with a remark on each
  /// that only one has.
  std::optional<Cann> cann;
};

/// A temporary folder that the destructor removes.
class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  const std::string &path() const { return folder; } ///< empty when it could not be created

private:
  std::string folder;
};

struct KernelSource {
  ScratchFolder folder;
  std::string object;  ///< shared object
  std::string headers; ///< folder of kernel_operator.h's tree
  std::string compiler;
  std::unique_ptr<DebugInfo> debug;
  SourceFunction kernel;
  std::string path; ///< as the user typed it

  /// The source line of an offset in the object; that of the kernel when it is unknown.
  Location lineOf(uint64_t offset) const;
};

/// The folder of kernel_operator.h and the headers that it includes; empty after reporting E0803 when it is missing.
std::string findKernelHeaders(Diagnostics &diagnostics);
/// The include folder for "kernel_operator.h" in that tree.
std::string kernelHeaderFolder(const std::string &headers);

/// Compiles a source; null after reporting E0800, E0801, E0600 or E0803 when it does not compile or has no kernel.
/// Checks ascendc_c21: a kernel uses only calls that emit instructions in the requested version (E0800); without a
/// requested version, calls that only one version has give a remark.
std::unique_ptr<KernelSource> compileKernelSource(const SourceOptions &options, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_KERNELSOURCE_H
