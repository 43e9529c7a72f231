// The default implementation of prepared launches: keeps the arguments and serialises runs.

#include "runtime/device/Device.h"

#include <mutex>

namespace opc {

namespace {
class TakingTurns : public PreparedKernel {
public:
  TakingTurns(Kernel &kernel, LaunchArguments arguments) : kernel(kernel), arguments(std::move(arguments)) {}

  bool run(void *const *tensors, Diagnostics &diagnostics) override {
    std::lock_guard<std::mutex> turn(mutex);
    for (size_t i = 0; i < arguments.tensors.size(); ++i)
      arguments.tensors[i].data = tensors[i];
    LaunchReport report;
    return kernel.launch(arguments, report, diagnostics);
  }

private:
  std::mutex mutex;
  Kernel &kernel;
  LaunchArguments arguments;
};
} // namespace

std::unique_ptr<PreparedKernel> Kernel::prepare(const LaunchArguments &arguments, Diagnostics &) {
  return std::make_unique<TakingTurns>(*this, arguments);
}

} // namespace opc
