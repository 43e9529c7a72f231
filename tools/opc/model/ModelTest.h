// `opc test model.onnx`: the values of a compiled model against those of ONNX Runtime, end to end, and each node alone.

#ifndef OPC_TOOLS_OPC_MODEL_MODELTEST_H
#define OPC_TOOLS_OPC_MODEL_MODELTEST_H

#include "tools/opc/Command.h"

#include <string>
#include <vector>

namespace opc::tool {

struct ModelTestFlags {
  std::string model, socVersion, device, inputShape, python;
  std::vector<std::string> contracts, constants;
  std::vector<std::string> inputs; ///< "name=@file.npy"; others are made by the seed
  uint64_t seed = 0;
};

/// Compiles the model into a temporary folder, runs it on seeded inputs, and compares each result of a node; runs it
/// again and replaces its results by ONNX Runtime's after each step, so that each node is compared alone on the
/// reference's operands. E1013 names the first node whose result exceeds its bound, alone or in the model.
ExitCode testModel(const ModelTestFlags &flags, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_MODELTEST_H
