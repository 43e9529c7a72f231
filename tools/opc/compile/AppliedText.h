// What `opc compile --apply` says of a change that it has written.

#ifndef OPC_TOOLS_OPC_COMPILE_APPLIEDTEXT_H
#define OPC_TOOLS_OPC_COMPILE_APPLIEDTEXT_H

#include "lowering/schedule/Explanation.h"

#include <string>

namespace opc::tool {

/// A sentence for a refused kernel whose first fix stands in the file now: what was changed, what it costs, on which
/// assumed figures that rests, and whether results change.
std::string appliedText(const ScheduleRefusal &refusal, const std::string &file);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_APPLIEDTEXT_H
