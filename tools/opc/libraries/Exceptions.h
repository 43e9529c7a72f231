// Reports exceptions that a command does not catch.

#ifndef OPC_TOOLS_OPC_LIBRARIES_EXCEPTIONS_H
#define OPC_TOOLS_OPC_LIBRARIES_EXCEPTIONS_H

#include "runtime/diagnostic/Diagnostic.h"

namespace opc::tool {

/// Reports the exception that is being handled: E0901 without memory, E0606 for a library of opc that cannot be opened,
/// E0900 for all others, which are internal errors. Call it only in a handler.
void reportException(Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_LIBRARIES_EXCEPTIONS_H
