// Memory of the C interface.

#include "runtime/api/Runtime.h"
#include "runtime/core/pool/LifeTimeTable.h"

#include <algorithm>

using namespace opc;
using namespace opc::api;

extern "C" opc_status opc_memory_allocate(opc_runtime *runtime, size_t bytes, void **memory) {
  return guarded([&] {
    if (!runtime || !memory)
      return failNull(runtime ? "memory" : "runtime");
    RuntimeState &state = *runtime->state;
    state.watchMemory();
    Diagnostics diagnostics;
    void *allocated = state.pool->allocate(bytes, diagnostics);
    if (!allocated)
      return fail(diagnostics);
    *memory = allocated;
    return OPC_OK;
  });
}

extern "C" opc_status opc_memory_release(opc_runtime *runtime, void *memory) {
  return guarded([&] {
    if (!runtime)
      return failNull("runtime");
    if (runtime->state->pool->release(memory))
      return OPC_OK;
    return fail(Code::E0532, "expects 'memory' of this runtime that is still held, found other "
                             "memory");
  });
}

extern "C" opc_status opc_memory_trim(opc_runtime *runtime, size_t *bytes) {
  return guarded([&] {
    if (!runtime)
      return failNull("runtime");
    size_t trimmed = runtime->state->pool->trim();
    if (bytes)
      *bytes = trimmed;
    return OPC_OK;
  });
}

extern "C" opc_status opc_memory_set_limit(opc_runtime *runtime, size_t bytes) {
  return guarded([&] {
    if (!runtime)
      return failNull("runtime");
    runtime->state->pool->setLimit(bytes ? bytes : SIZE_MAX);
    return OPC_OK;
  });
}

extern "C" opc_status opc_memory_read_statistics(opc_runtime *runtime, opc_memory_statistics *statistics) {
  return guarded([&] {
    if (!runtime || !statistics)
      return failNull(runtime ? "statistics" : "runtime");
    PoolStatistics pool = runtime->state->pool->statistics();
    *statistics = {pool.requested,   pool.used, pool.cached,  pool.peak,
                   pool.allocations, pool.hits, pool.refused, pool.fragmentation()};
    return OPC_OK;
  });
}

extern "C" opc_status opc_memory_plan(const opc_life_time *lives, size_t num_lives, size_t *offsets, size_t *arena) {
  return guarded([&] {
    if (!arena || (num_lives && (!lives || !offsets)))
      return failNull(!arena ? "arena" : !lives ? "lives" : "offsets");
    LifeTimeTable table;
    for (size_t i = 0; i < num_lives; ++i) {
      const opc_life_time &life = lives[i];
      LifeTime row{life.model ? life.model : "", life.buffer ? life.buffer : "", life.bytes, life.first_step,
                   life.last_step};
      const std::string who = "buffer '" + printable(row.buffer) + "' of model '" + printable(row.model) + "'";
      if (row.first > row.last)
        return fail(Code::E0532, who + " expects a life that ends after it began, found steps " +
                                     std::to_string(row.first) + " to " + std::to_string(row.last));
      if (!table.add(std::move(row)))
        return fail(Code::E0527, "no memory holds " + who + " of " + std::to_string(life.bytes) +
                                     " bytes beside the buffers before it");
    }
    LifeTimePlan plan = table.plan();
    std::copy(plan.offsets.begin(), plan.offsets.end(), offsets);
    *arena = plan.arena;
    return OPC_OK;
  });
}
