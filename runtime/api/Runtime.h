// The types of the handles in opc_runtime.h.

#ifndef OPC_RUNTIME_API_RUNTIME_H
#define OPC_RUNTIME_API_RUNTIME_H

#include "runtime/api/Stream.h"
#include "runtime/api/opc_runtime.h"
#include "runtime/core/cache/KernelCache.h"
#include "runtime/core/launch/LaunchCache.h"
#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/core/operator/Operator.h"
#include "runtime/core/pool/MemoryPool.h"
#include "runtime/core/pool/PoolMonitor.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace opc::api {

/// The state that the handles of a runtime share; it lives as long as any of them.
struct RuntimeState {
  std::shared_ptr<Device> device;
  std::unique_ptr<LaunchCache> launches;
  std::shared_ptr<MemoryPool> pool;     ///< of tensors, and of workspaces of launches, which may outlive this state
  std::unique_ptr<PoolMonitor> monitor; ///< null: disabled
  std::chrono::milliseconds monitorInterval = PoolMonitor::kInterval;
  std::once_flag monitored;
  CacheSettings settings;
  std::string chip;                     ///< the chip that contracts are compiled for
  std::unique_ptr<KernelCache> kernels; ///< of contracts

  /// Starts the monitor of the pool, if it is not disabled and has not started. Without a thread of its own the runtime
  /// works without it. Thread-safe.
  void watchMemory();
};

/// An operator whose kernels are compiled when a launch needs them: it has one entry of the kernel cache for each row
/// of its type table and each set of values of attributes with the binding Compile. Thread-safe.
class CompiledOperator {
public:
  /// Reads the contract; null after reporting its errors, E0621 without a compiler, or E0113 without a cache folder.
  static std::unique_ptr<CompiledOperator> create(std::shared_ptr<RuntimeState> state, const std::string &contract,
                                                  Diagnostics &diagnostics);

  /// The manifest of all type rows, without kernels.
  const Manifest &outline() const { return contractOutline; }
  /// The kernels for these inputs, from the cache or the compiler; null after reporting errors. `outputTypes` as
  /// in LaunchTarget.
  std::shared_ptr<Operator> find(const std::vector<std::optional<TensorForm>> &inputs,
                                 const std::vector<NamedValue> &attributes,
                                 const std::vector<std::optional<ElementType>> &outputTypes, Diagnostics &diagnostics);
  /// The reasons of this operator's compilations, in order.
  size_t numCompiles() const;
  const std::string *compileReason(size_t index) const;

private:
  CompiledOperator() = default;
  std::optional<KernelRequest> requestFor(const std::vector<std::optional<TensorForm>> &inputs,
                                          const std::vector<NamedValue> &attributes,
                                          const std::vector<std::optional<ElementType>> &outputTypes,
                                          Diagnostics &diagnostics) const;

  std::shared_ptr<RuntimeState> state;
  std::string contract;
  Manifest contractOutline;
  mutable std::mutex mutex;
  /// Hashes of cache keys by types and attributes.
  std::map<std::pair<std::vector<std::string>, std::map<std::string, std::string>>, std::string> hashes;
  std::deque<std::string> reasons;
};

} // namespace opc::api

struct opc_runtime {
  std::shared_ptr<opc::api::RuntimeState> state;
};

struct opc_operator {
  std::shared_ptr<opc::api::RuntimeState> state;
  std::shared_ptr<opc::Operator> op;                    ///< of an op folder, else null
  std::unique_ptr<opc::api::CompiledOperator> compiled; ///< of a contract, else null
  uint64_t id = 0;                                      ///< identifies the operator in keys of launches

  const opc::Manifest &manifest() const { return op ? op->manifest() : compiled->outline(); }
};

struct opc_launch {
  std::shared_ptr<const opc::PreparedLaunch> launch;
  std::vector<std::pair<size_t, void *>> constants; ///< that it was given: their numbers and addresses
};

struct opc_stream {
  std::unique_ptr<opc::api::Stream> stream;
};

#endif // OPC_RUNTIME_API_RUNTIME_H
