#include "tools/opc/run/SimLaunch.h"

namespace opc::tool {

bool simulateLaunch(const Manifest &manifest, const SimulatorProgram &program, const Target &chip,
                    const std::vector<const Tensor *> &inputs, BoundLaunch &launch, const SimOptions &options,
                    SimResult &result, Diagnostics &diagnostics) {
  const LaunchArguments arguments = launchArguments(inputs, launch);
  std::vector<SimTensor> tensors;
  for (size_t i = 0; i < arguments.tensors.size(); ++i) {
    const bool input = i < manifest.inputs.size();
    const LaunchTensor &tensor = arguments.tensors[i];
    tensors.push_back({manifest.tensorAt(i).name, tensor.data, tensor.bytes, tensor.type, !input});
  }
  const size_t before = diagnostics.errorCount();
  result = simulate(program, chip, tensors, arguments.tiling, arguments.blockNum, options, diagnostics);
  return result.completed && diagnostics.errorCount() == before;
}

} // namespace opc::tool
