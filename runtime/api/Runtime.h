// What stands behind the handles of opc_runtime.h.

#ifndef OPC_RUNTIME_API_RUNTIME_H
#define OPC_RUNTIME_API_RUNTIME_H

#include "runtime/api/Stream.h"
#include "runtime/api/opc_runtime.h"
#include "runtime/core/LaunchCache.h"
#include "runtime/core/Operator.h"
#include "runtime/core/PreparedLaunch.h"
#include "runtime/core/pool/MemoryPool.h"
#include "runtime/core/pool/PoolMonitor.h"

#include <memory>
#include <mutex>

namespace opc::api {

/// What the handles of one runtime share; it lives as long as one of them does.
struct RuntimeState {
  std::shared_ptr<Device> device;
  std::unique_ptr<LaunchCache> launches;
  std::unique_ptr<MemoryPool> pool;
  std::unique_ptr<PoolMonitor> monitor; ///< started with the first allocation
  std::once_flag monitored;
  bool logHits = false;
};

} // namespace opc::api

struct opc_runtime {
  std::shared_ptr<opc::api::RuntimeState> state;
};

struct opc_operator {
  std::shared_ptr<opc::api::RuntimeState> state;
  std::shared_ptr<opc::Operator> op;
};

struct opc_launch {
  std::shared_ptr<const opc::PreparedLaunch> launch;
};

struct opc_stream {
  std::unique_ptr<opc::api::Stream> stream;
};

#endif // OPC_RUNTIME_API_RUNTIME_H
