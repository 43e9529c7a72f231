// Looks at a pool from time to time, and gives memory back when there is a surge.
//
// A sample holds the pool's numbers and the system's. It is a surge when the pool holds half as much again as at the
// sample before and at least 64 MiB more, or when the system has less than a tenth of its memory left: then what
// nobody holds goes back to the device.

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
  uint64_t total = 0, available = 0; ///< bytes; both 0 when the system does not say
};

/// MemTotal and MemAvailable of /proc/meminfo.
SystemMemory readSystemMemory();

class PoolMonitor {
public:
  struct Sample {
    std::chrono::steady_clock::time_point time;
    PoolStatistics pool; ///< before anything was given back
    SystemMemory system;
    size_t trimmed = 0; ///< bytes
  };
  static constexpr std::chrono::milliseconds kInterval{60000};
  static constexpr size_t kHistory = 60;

  /// The pool outlives the monitor.
  explicit PoolMonitor(MemoryPool &pool, std::function<SystemMemory()> system = readSystemMemory)
      : pool(pool), system(std::move(system)) {}
  ~PoolMonitor();

  /// Samples every interval on a thread of its own; false when the system gives none.
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
  bool ending = false;
  std::thread thread;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_POOL_POOLMONITOR_H
