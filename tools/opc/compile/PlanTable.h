// The output of `opc compile --explain-plan`: the buffers in UB of each kernel, with the lines of the body; or one
// JSON record.

#ifndef OPC_TOOLS_OPC_COMPILE_PLANTABLE_H
#define OPC_TOOLS_OPC_COMPILE_PLANTABLE_H

#include "lowering/pipelines/UbTable.h"
#include "ops/contract/Contract.h"
#include "runtime/target/Target.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace opc::tool {

/// Lines of text, each ended by '\n'.
std::string planTable(const std::vector<UbTable> &kernels, const Contract &contract, const Target &target);
/// "plans": one object for each kernel, with everything that the table shows.
nlohmann::ordered_json planRecord(const std::vector<UbTable> &kernels, const Contract &contract, const Target &target);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_PLANTABLE_H
