// The text of `opc compile --apply` about a change that it has written.

#ifndef OPC_TOOLS_OPC_COMPILE_APPLIEDTEXT_H
#define OPC_TOOLS_OPC_COMPILE_APPLIEDTEXT_H

#include "lowering/schedule/Explanation.h"

#include <string>

namespace opc::tool {

/// A sentence about a refused kernel whose first fix was written to the file: the change, its cost, the assumed
/// figures that the cost depends on, and whether results change.
std::string appliedText(const ScheduleRefusal &refusal, const std::string &file);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_APPLIEDTEXT_H
