// Launches that show what a kernel does: of each kernel a small one, one of many tiles, and one in
// between that is cut into several blocks.

#ifndef OPC_TEST_MUTANTS_LAUNCHES_H
#define OPC_TEST_MUTANTS_LAUNCHES_H

#include "ops/contract/Contract.h"
#include "runtime/core/Launch.h"
#include "runtime/device/sim/Simulator.h"

#include <map>
#include <memory>

namespace opc::mutants {

struct KernelLaunch {
  std::vector<Tensor> inputs;
  BoundLaunch bound;
  std::vector<SimTensor> tensors; ///< over both
};

/// For each kernel of the manifest, by name, its launches, the smallest first. They point into the
/// manifest. A kernel that no shape reaches has none.
std::map<std::string, std::vector<std::unique_ptr<KernelLaunch>>>
launchesOf(const Contract &contract, const Manifest &manifest, uint64_t seed);

} // namespace opc::mutants

#endif // OPC_TEST_MUTANTS_LAUNCHES_H
