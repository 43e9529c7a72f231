// `opc run` of a model folder.

#ifndef OPC_TOOLS_OPC_MODEL_MODELRUN_H
#define OPC_TOOLS_OPC_MODEL_MODELRUN_H

#include "runtime/core/model/LoadedModel.h"
#include "tools/opc/Command.h"

#include <string>
#include <vector>

namespace opc::tool {

struct ModelRunFlags {
  std::string folder, device;
  std::vector<std::string> inputs, outputs; ///< "name=@file.npy"
  unsigned loop = 1;
};

/// Runs a model over .npy files; output files change only on success.
ExitCode runModelFolder(const ModelRunFlags &flags, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_MODELRUN_H
