// Samples a pool periodically and trims it after a surge.
//
// A sample has the statistics of the pool and of the system's memory. A surge is when the pool has grown by more than
// half since the last sample, and by at least 64 MiB. After a surge the monitor returns cached memory to the device, as
// soon as it is 64 MiB, until as much is returned as the pool grew by. It also returns it when less than a tenth of the
// system's memory is available.

#ifndef OPC_RUNTIME_CORE_POOL_POOLMONITOR_H
#define OPC_RUNTIME_CORE_POOL_POOLMONITOR_H

#include "runtime/core/pool/MemoryPool.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>

namespace opc {

struct SystemMemory {
  uint64_t total = 0, available = 0; ///< bytes; both 0 when unknown
};

/// MemTotal and MemAvailable of /proc/meminfo.
SystemMemory readSystemMemory();

class PoolMonitor {
public:
  struct Sample {
    std::chrono::steady_clock::time_point time;
    PoolStatistics pool; ///< before trimming
    SystemMemory system;
    size_t trimmed = 0; ///< bytes
  };
  static constexpr std::chrono::milliseconds kInterval{60000};
  static constexpr size_t kHistory = 60;

  /// `pool` must outlive the monitor.
  explicit PoolMonitor(MemoryPool &pool, std::function<SystemMemory()> system = readSystemMemory)
      : pool(pool), system(std::move(system)) {}
  ~PoolMonitor();

  /// Samples every interval on a thread; false when the thread cannot be created.
  bool start(std::chrono::milliseconds interval = kInterval);
  Sample sample();
  /// The last samples, oldest first.
  std::vector<Sample> history() const;

private:
  MemoryPool &pool;
  std::function<SystemMemory()> system;
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Sample> samples;
  size_t surge = 0; ///< bytes by which the pool grew and which it has not given back: callers held them
  bool ending = false;
  std::thread thread;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_POOL_POOLMONITOR_H
