#ifndef OPC_LOWERING_PIPELINES_PIPELINETEXT_H
#define OPC_LOWERING_PIPELINES_PIPELINETEXT_H

#include <string>

namespace opc {

/// The passes of one part of a compilation, in the syntax of opc-opt's --pass-pipeline.
struct PipelineText {
  std::string name; ///< "te", "schedule", "aicore", "cpu" or "graph"
  std::string text; ///< "builtin.module(te-verify-bound,...)"
};

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_PIPELINETEXT_H
