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
  /// The toolkit's version whose names there are; none: those of all, each that one alone has told.
  std::optional<Cann> cann;
};

/// A folder that goes with what it was made for.
class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  const std::string &path() const { return folder; } ///< empty when there is none

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
  std::string path; ///< as the user names it

  /// The line of the source for an offset in the object; that of the kernel when there is none.
  Location lineOf(uint64_t offset) const;
};

/// Where kernel_operator.h and what it includes lie; E0803 when they are not there.
std::string findKernelHeaders(Diagnostics &diagnostics);
/// The folder in that tree that a compiler gets to find "kernel_operator.h".
std::string kernelHeaderFolder(const std::string &headers);

/// Nothing, with E0800, E0801, E0600 or E0803, when the source is not compiled or has no kernel. Rule ascendc_c21: a
/// kernel takes calls that become instructions in the version asked for (E0800); a remark where none was asked for
/// and one version alone has the call.
std::unique_ptr<KernelSource> compileKernelSource(const SourceOptions &options, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_KERNELSOURCE_H
