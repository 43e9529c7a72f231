// The debug information of a shared object: the functions in a section with the names of their parameters, and the
// source line of an address.

#ifndef OPC_TOOLS_OPC_SOURCE_DEBUG_DEBUGINFO_H
#define OPC_TOOLS_OPC_SOURCE_DEBUG_DEBUGINFO_H

#include "tools/opc/source/debug/CodeBlocks.h"

#include <memory>
#include <string>
#include <vector>

namespace opc::tool {

struct SourceFunction {
  std::string name;   ///< "add_custom"
  std::string symbol; ///< the exported name
  Location location;
  std::vector<std::string> parameters;
  std::string wrongParameter; ///< the first parameter that is not a pointer; empty when all are pointers
};

class DebugInfo {
public:
  /// Opens an object; null with the reason in `why` when it has no readable debug information. Opens the library that
  /// reads it; throws MissingLibrary.
  static std::unique_ptr<DebugInfo> open(const std::string &path, std::string &why);
  virtual ~DebugInfo() = default;

  /// The functions in a section and the instances of a template, in the order of the source: not every compiler places
  /// instances in sections.
  virtual std::vector<SourceFunction> functionsIn(const std::string &section,
                                                  const std::string &ofTemplate = {}) const = 0;
  /// The source line of an offset from the load address, with an absolute path. Among inlined calls it is the
  /// innermost one outside the folder `header`. Line 0 when there is none.
  virtual Location lineOf(uint64_t offset, const std::string &header) const = 0;
  /// The blocks of the kernel's own code (CodeBlocks.h).
  virtual std::vector<CodeBlock> codeBlocks(const std::string &headers) const = 0;
};

/// The function of libopc_debug_info.so that `DebugInfo::open` calls; the caller owns the result.
extern "C" DebugInfo *opc_open_debug_info(const std::string &path, std::string &why);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_DEBUG_DEBUGINFO_H
