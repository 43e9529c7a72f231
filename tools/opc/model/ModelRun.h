// `opc run` of a model folder.

#ifndef OPC_TOOLS_OPC_MODEL_MODELRUN_H
#define OPC_TOOLS_OPC_MODEL_MODELRUN_H

#include "runtime/core/model/LoadedModel.h"
#include "tools/opc/Command.h"
#include "tools/opc/SimFlags.h"

#include <string>
#include <vector>

namespace opc::tool {

struct ModelRunFlags {
  std::string folder, device;
  std::vector<std::string> inputs, outputs; ///< "name=@file.npy"
  unsigned loop = 1;
  SimFlags sim = {};
};

/// Runs a model over .npy files; output files change only on success.
ExitCode runModelFolder(const ModelRunFlags &flags, Context &context);

/// The shapes of a model's inputs in the syntax of --input_shape, in the model's order; `text` must contain each input
/// with open sizes. nullopt after reporting E0103, E0104, E0109, E1020 or E1021.
std::optional<std::vector<Shape>> readModelShapes(const std::string &folder, const std::string &text,
                                                  Diagnostics &diagnostics);
/// Loads a model for a device, and binds the form with the shapes of readModelShapes; without a text it binds the
/// largest form. Null after reporting an error of readModelShapes or LoadedModel::open.
std::unique_ptr<LoadedModel> openWithShapes(const std::string &folder, const std::string &text,
                                            const std::shared_ptr<Device> &device, Diagnostics &diagnostics);

/// The CPU that runs a model's steps without a kernel for a device. Null for the CPU itself and after an error.
std::shared_ptr<Device> hostBeside(const Device &device, Diagnostics &diagnostics);
/// "; 3 of 45 steps ran on the host, where sim has no kernel: MatMul"; empty if there are none.
std::string hostStepsText(const LoadedModel &model, const std::string &device);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_MODELRUN_H
