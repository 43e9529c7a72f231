// Reports a C++ compiler's messages about a user's file, at the lines of that file.

#ifndef OPC_TOOLS_OPC_SOURCE_COMPILER_COMPILERMESSAGES_H
#define OPC_TOOLS_OPC_SOURCE_COMPILER_COMPILERMESSAGES_H

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/target/toolkit/KernelCalls.h"

#include <optional>
#include <string>

namespace opc::tool {

/// Reports the errors in a compiler's messages as E0800, with a replacement for a call that the chip lacks; if no error
/// has the usual form, reports the start of the messages at `path`. An error inside of `headers`, opc's own folder, is
/// reported at the line of the user that leads there.
void tellErrors(const std::string &messages, const std::string &headers, const std::string &path,
                std::optional<Cann> cann, Diagnostics &diagnostics);

/// For a file that compiles, reports calls that only one version of the toolkit has, as remarks in the order of lines.
void tellVersions(const std::string &messages, const std::string &headers, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_COMPILER_COMPILERMESSAGES_H
