// The memory of a prepared launch between its nests: each run takes a workspace, so runs at once have memory of their
// own. It comes from the memory of the caller, whose limit it counts in; without one, the next run that begins after it
// ended takes the same memory, and a run after the first asks for none.

#ifndef OPC_RUNTIME_CORE_LAUNCH_WORKSPACEPOOL_H
#define OPC_RUNTIME_CORE_LAUNCH_WORKSPACEPOOL_H

#include "runtime/diagnostic/Diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

namespace opc {

/// Memory that a caller bounds. Thread-safe.
class WorkspaceMemory {
public:
  virtual ~WorkspaceMemory() = default;
  /// At least so many bytes, aligned to 64. Null after reporting why there are none.
  virtual void *allocate(size_t bytes, Diagnostics &diagnostics) = 0;
  virtual void release(void *memory) = 0;
};

class WorkspacePool {
public:
  /// For tensors of so many bytes, each aligned to 64. More bytes than a size holds are a workspace that no memory has.
  /// `op` is the type of the operator, for messages. Without `memory` the pool has its own.
  explicit WorkspacePool(const std::vector<int64_t> &bytes, std::string op = {},
                         std::shared_ptr<WorkspaceMemory> memory = nullptr);
  size_t bytes() const { return size; } ///< of a workspace; 0: a run takes no memory

  /// A workspace until it is destroyed.
  class Lease {
  public:
    /// False after reporting E0460 or E0527 if there is no memory, or E0461 of a pool that poisons it.
    Lease(WorkspacePool &pool, Diagnostics &diagnostics);
    ~Lease();
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;
    explicit operator bool() const { return memory || pool.size == 0; }
    /// Appends the first element of each tensor; null where a workspace has no bytes.
    void appendTo(std::vector<void *> &tensors) const;

  private:
    WorkspacePool &pool;
    void *memory = nullptr;
  };

private:
  static constexpr size_t kAlignment = 64;
  struct Deleter {
    void operator()(void *memory) const { ::operator delete(memory, std::align_val_t(kAlignment)); }
  };
  std::vector<size_t> starts; ///< of the tensors
  size_t size = 0;            ///< of a workspace
  std::string op;
  std::shared_ptr<WorkspaceMemory> bounded; ///< null: memory of its own
  std::mutex mutex;
  std::vector<std::unique_ptr<void, Deleter>> free;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_WORKSPACEPOOL_H
