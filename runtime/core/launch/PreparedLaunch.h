// A launch of an operator in which only the memory is open, to be reused for launches with the same shapes.
//
//   bind (shapes, types, attributes, tiling: microseconds)  ->  PreparedLaunch
//   run  (pointers checked, kernel called: tens of nanoseconds on top of the kernel)
//
// MemoryRules.h has the rules of memory and their labels.

#ifndef OPC_RUNTIME_CORE_LAUNCH_PREPAREDLAUNCH_H
#define OPC_RUNTIME_CORE_LAUNCH_PREPAREDLAUNCH_H

#include "runtime/core/launch/Launch.h"
#include "runtime/core/launch/WorkspacePool.h"
#include "runtime/core/operator/Operator.h"
#include "runtime/core/tensor/MemoryRules.h"

#include <memory>
#include <optional>
#include <vector>

namespace opc {

/// Type and shape of a tensor.
struct TensorForm {
  ElementType type = ElementType::Float32;
  Shape shape;
  PackedForm packed = PackedForm::None; ///< whether it is in columns of fractals (Tensor.h)
  TensorForm() = default;
  TensorForm(ElementType type, Shape shape, PackedForm packed = PackedForm::None)
      : type(type), shape(std::move(shape)), packed(packed) {}
  friend bool operator==(const TensorForm &a, const TensorForm &b) {
    return a.type == b.type && a.shape == b.shape && a.packed == b.packed;
  }
};

class PreparedLaunch {
public:
  /// Prepares a launch. `inputs` are in the manifest's order, nullopt for an optional input that is not given.
  /// `outputTypes` as in LaunchTarget. With the `outline` of a contract, `inputs` and the tensors of `run` are in its
  /// order, including those without which the kernels were compiled. A workspace of a run is taken from `memory`; null:
  /// from memory without a limit. Returns null after reporting errors of bindLaunch or of the device.
  static std::shared_ptr<PreparedLaunch> create(std::shared_ptr<Operator> op,
                                                const std::vector<std::optional<TensorForm>> &inputs,
                                                const std::vector<NamedValue> &attributes, Diagnostics &diagnostics,
                                                std::vector<std::optional<ElementType>> outputTypes = {},
                                                const Manifest *outline = nullptr,
                                                const std::shared_ptr<WorkspaceMemory> &memory = nullptr);

  /// Forms of the outputs, in the manifest's order.
  const std::vector<TensorForm> &outputs() const { return outputForms; }
  size_t numTensors() const { return asked ? asked : rules.numTensors(); }
  const Operator &op() const { return *owner; }
  const ManifestKernel &kernel() const { return *chosen; }
  int64_t blockNum() const { return blocks; }
  bool takesMemory() const { return space != nullptr; } ///< whether a run takes a workspace
  /// The name of the launch in logs, from the operator and the dimensions of the first input: "AddRelu_1x128x768".
  const std::string &label() const { return name; }

  /// Runs the kernel and waits for it. `tensors` points to the first element of each input, then of each output; there
  /// are `numTensors()`.
  /// Thread-safe as long as calls use different outputs. Returns false after reporting E0530 or the kernel's error.
  bool run(void *const *tensors, Diagnostics &diagnostics) const;
  /// Checks the rules of memory for these addresses. Returns false after reporting E0530.
  bool check(void *const *tensors, Diagnostics &diagnostics) const;
  /// As `run`, for addresses that `check` accepted.
  bool runChecked(void *const *tensors, Diagnostics &diagnostics) const {
    if (__builtin_expect(!taken.empty() || space, false))
      return runTaken(tensors, diagnostics);
    if (__builtin_expect(!bounds.empty(), false) && !checkValues(owner->manifest(), bounds, tensors, diagnostics))
      return false;
    return prepared->run(tensors, diagnostics);
  }
  /// The kernel, if for addresses that `check` accepted nothing remains to be done but to run it; else null.
  PreparedKernel *direct() const { return taken.empty() && bounds.empty() && !space ? prepared.get() : nullptr; }
  /// Declares before the first run that an output begins where an input does and overwrites it. Returns false if the
  /// kernel may not do that, or the input does not have the output's elements.
  bool overwrite(size_t input, size_t output);
  /// Declares that some tensors (`constant`, one flag for each) are at these addresses with the same contents in
  /// every run. Both have those of `run`.
  void keepConstants(void *const *tensors, const std::vector<bool> &constant) const;
  /// As PreparedKernel.
  PackedConstant packed() const { return prepared->packed(); }
  bool takePacked(void *const *tensors, const std::vector<bool> &constant, const PackedConstant &given) const;

private:
  PreparedLaunch() = default;
  std::vector<void *> takenOf(void *const *tensors) const;
  void keepAll(std::vector<void *> &tensors, std::vector<bool> &constant) const;
  bool runTaken(void *const *tensors, Diagnostics &diagnostics) const;
  bool explainMemory(void *const *tensors, Diagnostics &diagnostics) const;
  bool canKeep(void *const *tensors, const std::vector<bool> &constant) const;
  const std::string &tensorName(size_t index) const;

  std::shared_ptr<Operator> owner;
  const ManifestKernel *chosen = nullptr;
  std::unique_ptr<PreparedKernel> prepared;
  MemoryRules rules;               ///< of inputs, then outputs
  std::vector<ValueBounds> bounds; ///< of inputs whose values each run checks
  std::vector<TensorForm> outputForms;
  std::unique_ptr<WorkspacePool> space; ///< null: the kernel has no workspace
  std::vector<size_t> taken;            ///< the tensors of `run` that the kernel has; empty: all
  size_t asked = 0;                     ///< the number of tensors of `run`, if the kernel has fewer
  int64_t blocks = 1;
  std::string name;
};

/// "AddRelu_1x128x768" for the shape of the first input; "AddRelu_scalar" for rank 0, "AddRelu" when there is none.
std::string launchLabel(const std::string &opType, const Shape *firstInput);

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_PREPAREDLAUNCH_H
