// Runtimes and operators of the C interface.

#include "runtime/api/Runtime.h"

#include "runtime/api/Tensors.h"
#include "runtime/core/cache/CacheSettings.h"
#include "runtime/device/Devices.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

using namespace opc;
using namespace opc::api;

extern "C" const char *opc_runtime_version(void) {
  return OPC_VERSION;
}

extern "C" uint32_t opc_runtime_api_version(void) {
  return OPC_RUNTIME_API_VERSION;
}

/// Members that the caller's header has, defaults for the rest; nothing when the size is no size.
static std::optional<opc_runtime_options> readOptions(const opc_runtime_options *given) {
  opc_runtime_options options{};
  options.size = sizeof options;
  if (!given)
    return options;
  if (given->size < offsetof(opc_runtime_options, device))
    return std::nullopt;
  std::memcpy(&options, given, std::min(given->size, sizeof options));
  return options;
}

extern "C" opc_status opc_runtime_create(uint32_t api_version, const opc_runtime_options *given,
                                         opc_runtime **runtime) {
  return guarded([&] {
    if (!runtime)
      return failNull("runtime");
    if (api_version != OPC_RUNTIME_API_VERSION)
      return fail(Code::E0532,
                  "expects version " + std::to_string(OPC_RUNTIME_API_VERSION) +
                      " of opc_runtime.h, found " + std::to_string(api_version),
                  {}, "compile the caller with the header of this library");
    std::optional<opc_runtime_options> options = readOptions(given);
    if (!options)
      return fail(Code::E0532, "expects 'size' of opc_runtime_options to be its size, found " +
                                   std::to_string(given->size));
    Diagnostics diagnostics;
    auto state = std::make_shared<RuntimeState>();
    state->device =
        createDevice(options->device ? options->device : "cpu", options->threads, diagnostics);
    if (!state->device)
      return fail(diagnostics);
    std::optional<CacheSettings> settings = readCacheSettings({}, diagnostics, /*needsPath=*/false);
    if (!settings)
      return fail(diagnostics);
    state->launches = std::make_unique<LaunchCache>(settings->disable ? 0 : settings->launches);
    state->logHits = settings->logHits;
    PoolOptions pool;
    pool.limit = options->memory_limit ? options->memory_limit : SIZE_MAX;
    pool.poison = options->poison != 0;
    state->pool = std::make_unique<MemoryPool>(createMmapAllocator(), pool);
    state->monitor = std::make_unique<PoolMonitor>(*state->pool);
    *runtime = new opc_runtime{std::move(state)};
    return OPC_OK;
  });
}

extern "C" void opc_runtime_destroy(opc_runtime *runtime) {
  delete runtime;
}

extern "C" opc_status opc_operator_open(opc_runtime *runtime, const char *folder,
                                        opc_operator **op) {
  return guarded([&] {
    if (!runtime || !folder || !op)
      return failNull(!runtime ? "runtime" : !folder ? "folder" : "op");
    Diagnostics diagnostics;
    std::optional<OpFolder> opened = openOpFolder(folder, diagnostics);
    if (!opened)
      return fail(diagnostics);
    *op = new opc_operator{runtime->state,
                           Operator::create(std::move(*opened), runtime->state->device)};
    return OPC_OK;
  });
}

extern "C" void opc_operator_close(opc_operator *op) {
  if (op)
    op->state->launches->forget(op->op->id());
  delete op;
}

extern "C" const char *opc_operator_type(const opc_operator *op) {
  return op ? op->op->manifest().opType.c_str() : nullptr;
}

extern "C" size_t opc_operator_num_inputs(const opc_operator *op) {
  return op ? op->op->manifest().inputs.size() : 0;
}

extern "C" size_t opc_operator_num_outputs(const opc_operator *op) {
  return op ? op->op->manifest().outputs.size() : 0;
}

static const char *nameAt(const std::vector<ManifestTensor> &tensors, size_t index) {
  return index < tensors.size() ? tensors[index].name.c_str() : nullptr;
}

extern "C" const char *opc_operator_input_name(const opc_operator *op, size_t index) {
  return op ? nameAt(op->op->manifest().inputs, index) : nullptr;
}

extern "C" const char *opc_operator_output_name(const opc_operator *op, size_t index) {
  return op ? nameAt(op->op->manifest().outputs, index) : nullptr;
}
