// From tensors and attributes to a launch with nothing left to decide, on any device.
//
//   1. the inputs' element types pick a row of the contract's type table, and with it the kernel
//   2. the inputs' shapes bind the contract's symbols; equations and ranges hold; output shapes
//   follow
//   3. attributes are read, defaulted, checked; those bound at launch become the last fields of the
//   tiling data
//   4. the tiling function gives the first fields, the number of blocks among them
//
// Labels of the rules: launch_c1 shape of an input, launch_c2 one size a symbol, launch_c3 output
// sizes are known, launch_c4 sizes are at least 0, launch_c5 type row, launch_c6 attribute type,
// launch_c7 attribute range, launch_c8 at least one block, launch_c9 required inputs and attributes
// are given.

#ifndef OPC_RUNTIME_CORE_LAUNCH_H
#define OPC_RUNTIME_CORE_LAUNCH_H

#include "runtime/core/Tensor.h"
#include "runtime/device/Device.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace opc {

/// An attribute as typed by a user: "1.5", "true".
using NamedValue = std::pair<std::string, std::string>;

struct BoundLaunch {
  const ManifestKernel *kernel = nullptr;
  std::vector<Tensor> outputs; ///< zero, where they have memory
  std::vector<int64_t> tiling;
  int64_t blockNum = 1;
};

/// Where the outputs of a launch get their memory: nothing when there is none.
using MakeTensor = std::function<std::optional<Tensor>(ElementType, const Shape &)>;

/// `inputs` in the manifest's order; null for an optional one that is not given. Nothing, with
/// E0520 to E0528, when a rule of the contract is broken.
std::optional<BoundLaunch> bindLaunch(const Manifest &manifest,
                                      const std::vector<const Tensor *> &inputs,
                                      const std::vector<NamedValue> &attributes, int64_t maxBlocks,
                                      Diagnostics &diagnostics,
                                      const MakeTensor &makeOutput = Tensor::create);

/// The arguments a device takes; they point into the tensors.
LaunchArguments launchArguments(const std::vector<const Tensor *> &inputs, BoundLaunch &launch);

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_H
