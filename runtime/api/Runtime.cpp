// Runtimes and operators of the C interface.

#include "runtime/api/Runtime.h"

#include "runtime/api/Tensors.h"
#include "runtime/core/cache/CacheSettings.h"
#include "runtime/device/registry/Devices.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>

using namespace opc;
using namespace opc::api;

void RuntimeState::watchMemory() {
  if (monitor)
    std::call_once(monitored, [this] { monitor->start(monitorInterval); });
}

extern "C" const char *opc_runtime_version(void) {
  return OPC_VERSION;
}

extern "C" uint32_t opc_runtime_api_version(void) {
  return OPC_RUNTIME_API_VERSION;
}

/// Reads the members that the caller's header has and takes defaults for the rest; nullopt when `size` is invalid.
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
                  "expects version " + std::to_string(OPC_RUNTIME_API_VERSION) + " of opc_runtime.h, found " +
                      std::to_string(api_version),
                  {}, "compile the caller with the header of this library");
    std::optional<opc_runtime_options> options = readOptions(given);
    if (!options)
      return fail(Code::E0532,
                  "expects 'size' of opc_runtime_options to be its size, found " + std::to_string(given->size));
    Diagnostics diagnostics;
    auto state = std::make_shared<RuntimeState>();
    state->device = createDevice(options->device ? options->device : "cpu", options->threads, diagnostics);
    if (!state->device)
      return fail(diagnostics);
    std::map<std::string, std::string> flags;
    if (options->cache_path)
      flags["path"] = options->cache_path;
    std::optional<CacheSettings> settings = readCacheSettings(flags, diagnostics, /*needsPath=*/false);
    if (!settings)
      return fail(diagnostics);
    state->launches = std::make_unique<LaunchCache>(settings->disable ? 0 : settings->launches);
    state->settings = std::move(*settings);
    state->kernels = std::make_unique<KernelCache>(state->settings, state->device);
    state->chip = options->soc_version ? options->soc_version : "Ascend310B";
    PoolOptions pool;
    pool.limit = options->memory_limit ? options->memory_limit : SIZE_MAX;
    pool.poison = options->poison != 0;
    state->pool = std::make_shared<MemoryPool>(createMmapAllocator(), pool);
    if (options->monitor_ms >= 0)
      state->monitor = std::make_unique<PoolMonitor>(*state->pool);
    if (options->monitor_ms > 0)
      state->monitorInterval = std::chrono::milliseconds(options->monitor_ms);
    *runtime = new opc_runtime{std::move(state)};
    return OPC_OK;
  });
}

extern "C" void opc_runtime_destroy(opc_runtime *runtime) {
  delete runtime;
}

/// The path of the contract that `path` refers to; empty when `path` is an op folder or does not exist.
static std::string contractAt(const std::string &path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_regular_file(path, error))
    return path;
  std::string inside = path + "/op_contract.yaml";
  return !fs::exists(path + "/manifest.json", error) && fs::is_regular_file(inside, error) ? inside : std::string();
}

extern "C" opc_status opc_operator_open(opc_runtime *runtime, const char *folder, opc_operator **op) {
  return guarded([&] {
    if (!runtime || !folder || !op)
      return failNull(!runtime ? "runtime" : !folder ? "folder" : "op");
    Diagnostics diagnostics;
    auto made = std::make_unique<opc_operator>();
    made->state = runtime->state;
    if (std::string contract = contractAt(folder); !contract.empty()) {
      made->compiled = CompiledOperator::create(runtime->state, contract, diagnostics);
      made->id = Operator::nextId();
    } else if (std::optional<OpFolder> opened = openOpFolder(folder, diagnostics)) {
      made->op = Operator::create(std::move(*opened), runtime->state->device);
      made->id = made->op->id();
    }
    if (!made->op && !made->compiled)
      return fail(diagnostics);
    *op = made.release();
    return OPC_OK;
  });
}

extern "C" void opc_operator_close(opc_operator *op) {
  if (op)
    op->state->launches->forget(op->id);
  delete op;
}

extern "C" const char *opc_operator_type(const opc_operator *op) {
  return op ? op->manifest().opType.c_str() : nullptr;
}

extern "C" size_t opc_operator_num_inputs(const opc_operator *op) {
  return op ? op->manifest().inputs.size() : 0;
}

extern "C" size_t opc_operator_num_outputs(const opc_operator *op) {
  return op ? op->manifest().outputs.size() : 0;
}

static const char *nameAt(const std::vector<ManifestTensor> &tensors, size_t index) {
  return index < tensors.size() ? tensors[index].name.c_str() : nullptr;
}

extern "C" const char *opc_operator_input_name(const opc_operator *op, size_t index) {
  return op ? nameAt(op->manifest().inputs, index) : nullptr;
}

extern "C" const char *opc_operator_output_name(const opc_operator *op, size_t index) {
  return op ? nameAt(op->manifest().outputs, index) : nullptr;
}

extern "C" int opc_operator_input_is_constant(const opc_operator *op, size_t index) {
  return op && index < op->manifest().inputs.size() && op->manifest().inputs[index].isConstant;
}

extern "C" size_t opc_operator_num_compiles(const opc_operator *op) {
  return op && op->compiled ? op->compiled->numCompiles() : 0;
}

extern "C" const char *opc_operator_compile_reason(const opc_operator *op, size_t index) {
  const std::string *reason = op && op->compiled ? op->compiled->compileReason(index) : nullptr;
  return reason ? reason->c_str() : nullptr;
}

extern "C" opc_status opc_cache_read_statistics(opc_runtime *runtime, opc_cache_statistics *statistics) {
  return guarded([&] {
    if (!runtime || !statistics)
      return failNull(runtime ? "statistics" : "runtime");
    LaunchCache::Statistics launches = runtime->state->launches->statistics();
    *statistics = {};
    statistics->launches = launches.entries;
    statistics->launch_hits = launches.hits;
    statistics->launch_misses = launches.misses;
    CacheCounters counters = runtime->state->kernels->counters();
    KernelCache::InMemory held = runtime->state->kernels->inMemory();
    statistics->kernels = held.kernels;
    statistics->kernel_bytes = held.bytes;
    statistics->memory_hits = counters.memoryHits;
    statistics->disk_hits = counters.diskHits;
    statistics->compiles = counters.compiles;
    statistics->failures = counters.failures;
    return OPC_OK;
  });
}
