// Binds tensors and attributes to a launch that is fully determined, on any device.
//
//   1. attributes are read, defaulted, checked
//   2. the inputs' element types pick a row of the contract's type table
//   3. the inputs' shapes bind the contract's symbols; equations and ranges hold; output shapes
//      follow, by broadcasting and over the axes of reductions too
//   4. the tiling function of the row gives the first fields of the tiling data, the number of
//      blocks among them, and its output "tiling_key" picks one of the row's kernels
//   5. attributes bound at launch become the last fields
//
// Rules launch_c1 to launch_c21: runtime/diagnostic/codes/Rules.def.

#ifndef OPC_RUNTIME_CORE_LAUNCH_LAUNCH_H
#define OPC_RUNTIME_CORE_LAUNCH_LAUNCH_H

#include "runtime/core/tensor/Tensor.h"
#include "runtime/device/Device.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace opc {

/// Name and value of an attribute as the user wrote it: "1.5", "true".
using NamedValue = std::pair<std::string, std::string>;

/// An input whose values a launch checks before it starts (ManifestValues).
struct ValueBounds {
  size_t input = 0;
  ElementType type = ElementType::Int32; ///< or Int64
  Shape shape;
  int64_t least = 0, size = 0; ///< from `least` to `size` - 1
};

struct BoundLaunch {
  const ManifestKernel *kernel = nullptr;
  std::vector<Tensor> outputs;   ///< filled with zeros where they have memory
  std::vector<Tensor> workspace; ///< filled with ones where they have memory, which is NaN in floats
  std::vector<int64_t> tiling;
  int64_t blockNum = 1;
  std::vector<ValueBounds> bounds;
};

/// Allocates an output or a tensor of the workspace of a launch; nullopt when there is no memory.
using MakeTensor = std::function<std::optional<Tensor>(ElementType, const Shape &)>;

/// The device side of a launch.
struct LaunchTarget {
  int64_t maxBlocks = 1; ///< of the device
  /// The kernels of the device (Device::kernels); null: those of the manifest.
  const std::vector<ManifestKernel> *kernels = nullptr;
  /// Selects the type row where several rows have the types of the inputs: Cast of float32 to float16 or to int8.
  std::optional<unsigned> typeRow;
  /// The types of the outputs, which select the type row when several have the types of the inputs and `typeRow` is
  /// not set; nullopt for an output of unknown type. Empty: no type is known.
  std::vector<std::optional<ElementType>> outputTypes = {};
};

/// Binds a launch. `inputs` are in the manifest's order, null for an optional input that is not given. The result
/// points into the target's kernels, which must outlive it. Returns nullopt after reporting E0520 to E0536 when a
/// rule of the contract is broken. Checks values of inputs that have memory; for others, call `checkValues`.
std::optional<BoundLaunch> bindLaunch(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                                      const std::vector<NamedValue> &attributes, const LaunchTarget &target,
                                      Diagnostics &diagnostics, const MakeTensor &makeOutput = Tensor::create);

/// Binds a launch of the manifest's kernels, those of the simulator and the chip.
std::optional<BoundLaunch> bindLaunch(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                                      const std::vector<NamedValue> &attributes, int64_t maxBlocks,
                                      Diagnostics &diagnostics, const MakeTensor &makeOutput = Tensor::create);

/// Checks the values of inputs; `tensors` has the memory of each input. False after reporting E0536 for the first
/// element out of its bounds.
bool checkValues(const Manifest &manifest, const std::vector<ValueBounds> &bounds, const void *const *tensors,
                 Diagnostics &diagnostics);

/// The arguments for a device. They point into `inputs` and `launch`, which must outlive them.
LaunchArguments launchArguments(const std::vector<const Tensor *> &inputs, BoundLaunch &launch);

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_LAUNCH_H
