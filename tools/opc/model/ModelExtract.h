// `opc model extract`: one node of a model as a model of its own, with what it reads as a case.

#ifndef OPC_TOOLS_OPC_MODEL_MODELEXTRACT_H
#define OPC_TOOLS_OPC_MODEL_MODELEXTRACT_H

#include "tools/opc/Command.h"

#include <string>
#include <vector>

namespace opc::tool {

struct ModelExtractFlags {
  std::string model, node, output, inputShape, python;
  std::vector<std::string> inputs; ///< "name=@file.npy"; others are made by the seed
  uint64_t seed = 0;
};

/// Writes the folder `output`: node.onnx, input.N.npy, expected.N.npy; says with which command they are compared.
ExitCode extractNode(const ModelExtractFlags &flags, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_MODELEXTRACT_H
