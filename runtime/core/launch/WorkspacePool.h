// The memory of a prepared launch between its nests: each run takes a workspace, and the next one that begins after it
// ended takes the same memory. So runs at once have memory of their own, and a run after the first asks for none.

#ifndef OPC_RUNTIME_CORE_LAUNCH_WORKSPACEPOOL_H
#define OPC_RUNTIME_CORE_LAUNCH_WORKSPACEPOOL_H

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace opc {

class WorkspacePool {
public:
  /// For tensors of so many bytes, each aligned to 64. More bytes than a size holds are a workspace that no memory has.
  explicit WorkspacePool(const std::vector<int64_t> &bytes);
  size_t bytes() const { return size; } ///< of a workspace

  /// A workspace until it is destroyed. Null if there is no memory.
  class Lease {
  public:
    explicit Lease(WorkspacePool &pool);
    ~Lease();
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;
    explicit operator bool() const { return memory != nullptr; }
    /// Appends the first element of each tensor.
    void appendTo(std::vector<void *> &tensors) const;

  private:
    WorkspacePool &pool;
    std::unique_ptr<char[]> memory;
  };

private:
  static constexpr size_t kAlignment = 64;
  std::vector<size_t> starts; ///< of the tensors, from an aligned address on
  size_t size = 0;            ///< of a workspace, with what its alignment may take
  std::mutex mutex;
  std::vector<std::unique_ptr<char[]>> free;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_LAUNCH_WORKSPACEPOOL_H
