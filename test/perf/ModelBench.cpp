// libopc_bench_model.so: a call that runs a model folder, for ./dev bench. Kernels that have a form of their own for
// constants are measured so, since the interface of the runtime has launches and no models. A call that loads one.

#include "runtime/core/model/LoadedModel.h"
#include "runtime/device/cpu/CpuDevice.h"
#include "test/perf/BenchCall.h"

#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

using namespace opc;

namespace {

struct ModelCall : opc_bench_call {
  std::unique_ptr<LoadedModel> model;
  std::vector<void *> inputs, outputs;
};

} // namespace

/// A run of the model in `folder` on the CPU with `threads` threads; null after saying why on stderr. The arrays are
/// the model's inputs and outputs, in order.
OPC_BENCH_API opc_bench_call *opc_bench_model(const char *folder, int threads, void *const *inputs, int inputCount,
                                              void *const *outputs, int outputCount) {
  Diagnostics diagnostics;
  std::shared_ptr<Device> device = createCpuDevice(threads);
  std::unique_ptr<LoadedModel> model = LoadedModel::open(folder, device, diagnostics, device);
  if (!model) {
    for (const Diagnostic &each : diagnostics.all())
      std::fprintf(stderr, "%s\n", each.message.c_str());
    return nullptr;
  }
  auto *call = new ModelCall;
  call->model = std::move(model);
  call->inputs.assign(inputs, inputs + inputCount);
  call->outputs.assign(outputs, outputs + outputCount);
  call->run = [](opc_bench_call *call) {
    auto *self = static_cast<ModelCall *>(call);
    Diagnostics none;
    return self->model->run(self->inputs.data(), self->outputs.data(), none) ? 0 : 1;
  };
  call->free = [](opc_bench_call *call) { delete static_cast<ModelCall *>(call); };
  return call;
}

/// The seconds of a processor from a folder to a model that is ready on one thread, with constants packed in `packed`;
/// negative after saying why on stderr.
OPC_BENCH_API double opc_bench_load(const char *folder, const char *packed) {
  auto seconds = [] { return double(std::clock()) / CLOCKS_PER_SEC; };
  const double began = seconds();
  Diagnostics diagnostics;
  std::shared_ptr<Device> device = createCpuDevice(1);
  const PackedStore store(packed, uint64_t(8) << 30);
  std::unique_ptr<LoadedModel> model = LoadedModel::open(folder, device, diagnostics, device, nullptr, &store);
  for (const Diagnostic &each : diagnostics.all())
    std::fprintf(stderr, "%s\n", each.message.c_str());
  return model ? seconds() - began : -1;
}
