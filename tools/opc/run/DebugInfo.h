// What the debug information of a shared object says of its source: the functions in a section with the names of
// their parameters, and the line of an address.

#ifndef OPC_TOOLS_OPC_RUN_DEBUGINFO_H
#define OPC_TOOLS_OPC_RUN_DEBUGINFO_H

#include "runtime/diagnostic/Diagnostic.h"

#include <memory>
#include <string>
#include <vector>

namespace opc::tool {

struct SourceFunction {
  std::string name;   ///< "add_custom"
  std::string symbol; ///< as the object exports it
  Location location;
  std::vector<std::string> parameters;
  std::string wrongParameter; ///< the first that is no pointer; empty when all are
};

class DebugInfo {
public:
  /// Nothing, with the reason, for what is no object with debug information.
  static std::unique_ptr<DebugInfo> open(const std::string &path, std::string &why);
  ~DebugInfo();

  /// In the order of the source.
  std::vector<SourceFunction> functionsIn(const std::string &section) const;
  /// The line of an offset from where the object is loaded, the file as a whole path: of what is inlined there the
  /// innermost outside of files below `header`. No line when there is none.
  Location lineOf(uint64_t offset, const std::string &header) const;

private:
  struct Object;
  explicit DebugInfo(std::unique_ptr<Object> object);
  std::unique_ptr<Object> object;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_DEBUGINFO_H
