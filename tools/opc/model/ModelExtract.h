// `opc model extract`: one node of a model as a separate model, with its operands as a test case.

#ifndef OPC_TOOLS_OPC_MODEL_MODELEXTRACT_H
#define OPC_TOOLS_OPC_MODEL_MODELEXTRACT_H

#include "tools/opc/Command.h"

#include <string>
#include <vector>

namespace opc::tool {

struct ModelExtractFlags {
  std::string model, node, output, inputShape, python;
  std::vector<std::string> constants;
  std::vector<std::string> inputs; ///< "name=@file.npy"; others are made by the seed
  uint64_t seed = 0;
};

/// Writes the folder `output`: node.onnx, input.N.npy, expected.N.npy; prints the command that compares them.
ExitCode extractNode(const ModelExtractFlags &flags, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_MODELEXTRACT_H
