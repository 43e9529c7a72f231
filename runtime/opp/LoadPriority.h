// vendors/config.ini: the line `load_priority=a,b` has the order in which the framework searches vendors. Other lines
// belong to other tools and are not changed.

#ifndef OPC_RUNTIME_OPP_LOADPRIORITY_H
#define OPC_RUNTIME_OPP_LOADPRIORITY_H

#include "runtime/diagnostic/Diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

struct LoadPriority {
  std::vector<std::string> vendors;
  std::vector<std::string> before, after; ///< other lines, before and after the list

  bool has(const std::string &vendor) const;
};

/// Reads the file of a `vendors` folder; an empty list when the file does not exist. Returns nullopt after reporting
/// E0543 when the file is malformed: two lists, an invalid name, too long, not text.
std::optional<LoadPriority> readLoadPriority(const std::string &vendors, Diagnostics &diagnostics);

/// Replaces the file atomically; false after reporting E0601.
bool writeLoadPriority(const std::string &vendors, const LoadPriority &priority, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_OPP_LOADPRIORITY_H
