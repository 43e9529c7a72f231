// `opc profile` of a model folder: the cost of each layer by the timing model.

#ifndef OPC_TOOLS_OPC_PROFILE_MODELPROFILE_H
#define OPC_TOOLS_OPC_PROFILE_MODELPROFILE_H

#include "tools/opc/Command.h"

#include <string>
#include <vector>

namespace opc::tool {

struct ModelProfileFlags {
  std::string folder, output;      ///< `output`: folder for profile.json; empty: none
  std::vector<std::string> inputs; ///< "name=@file.npy"; others are random
  uint64_t seed = 310;
  std::string shapes = {}; ///< of the inputs, in the syntax of --input_shape; empty: the largest
};

/// Runs a model on the simulator once and prints a line for each step: estimated cycles and time, the pipe that was
/// busy longest, the bytes of its operands and results.
ExitCode profileModelFolder(const ModelProfileFlags &flags, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROFILE_MODELPROFILE_H
