// vendors/config.ini: the line `load_priority=a,b` says in which order vendors are asked. Every other line is
// somebody else's and stays as it is.

#ifndef OPC_RUNTIME_OPP_LOADPRIORITY_H
#define OPC_RUNTIME_OPP_LOADPRIORITY_H

#include "runtime/diagnostic/Diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

struct LoadPriority {
  std::vector<std::string> vendors;
  std::vector<std::string> before, after; ///< lines of others, around the one of the list

  bool has(const std::string &vendor) const;
};

/// The file of a `vendors` folder; an empty list when there is none. Nothing, with E0543, when it cannot be
/// understood: two lists, a name that is none, too long, bytes that are no text.
std::optional<LoadPriority> readLoadPriority(const std::string &vendors, Diagnostics &diagnostics);

/// Replaces the file at once. False, with E0601.
bool writeLoadPriority(const std::string &vendors, const LoadPriority &priority, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_OPP_LOADPRIORITY_H
