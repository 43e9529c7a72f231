// `opc model check`: the operators of a model, and which contract computes each.

#ifndef OPC_TOOLS_OPC_MODEL_MODELCHECK_H
#define OPC_TOOLS_OPC_MODEL_MODELCHECK_H

#include "ops/onnx/coverage/Coverage.h"
#include "tools/opc/Command.h"

namespace opc::tool {

/// Equal nodes: one row of the table.
struct CoverageRow {
  const onnx::NodeCoverage *first = nullptr;
  size_t nodes = 0;
  size_t uncertain = 0;                  ///< nodes that match if types and shapes fit
  std::vector<std::string> types;        ///< of first operands, each once, in the order of nodes
  std::vector<std::string> operandTexts; ///< operands of the first node, with shapes
};

/// Rows, missing operators last; in each group, most nodes first.
std::vector<CoverageRow> coverageRows(const onnx::Coverage &coverage);

/// Prints the tables, or one record with --format=json; E1010 if operators are missing.
ExitCode reportCoverage(const onnx::Model &model, const onnx::Coverage &coverage, bool listNodes, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_MODELCHECK_H
