// std::thread throws when the system cannot create a thread; no exception leaves this file.

#include "runtime/core/pool/PoolMonitor.h"

#include <algorithm>
#include <cstdio>
#include <system_error>

namespace opc {

SystemMemory readSystemMemory() {
  SystemMemory memory;
  FILE *file = std::fopen("/proc/meminfo", "re");
  if (!file)
    return memory;
  char line[256];
  while (std::fgets(line, sizeof line, file)) {
    unsigned long long kilobytes = 0;
    if (std::sscanf(line, "MemTotal: %llu kB", &kilobytes) == 1)
      memory.total = kilobytes * 1024;
    else if (std::sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
      memory.available = kilobytes * 1024;
  }
  std::fclose(file);
  return memory;
}

PoolMonitor::~PoolMonitor() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    ending = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

bool PoolMonitor::start(std::chrono::milliseconds interval) {
  try {
    thread = std::thread([this, interval] {
      std::unique_lock<std::mutex> lock(mutex);
      while (!changed.wait_for(lock, interval, [this] { return ending; })) {
        lock.unlock();
        sample();
        lock.lock();
      }
    });
  } catch (const std::system_error &) {
    return false;
  }
  return true;
}

static constexpr size_t kNoise = size_t(64) << 20;

/// The bytes of a surge since the sample before; 0: there was none.
static size_t surgeOf(const PoolMonitor::Sample &now, const PoolMonitor::Sample &before) {
  const size_t held = now.pool.held(), earlier = before.pool.held() - before.trimmed;
  return held > earlier && held - earlier >= kNoise && held - earlier > earlier / 2 ? held - earlier : 0;
}

PoolMonitor::Sample PoolMonitor::sample() {
  Sample now;
  now.time = std::chrono::steady_clock::now();
  now.pool = pool.statistics();
  now.system = system();
  std::lock_guard<std::mutex> lock(mutex);
  if (!samples.empty())
    surge += surgeOf(now, samples.back());
  const bool isScarce = now.system.total && now.system.available < now.system.total / 10;
  if (isScarce || (surge && now.pool.cached >= kNoise))
    now.trimmed = pool.trim();
  surge -= std::min(surge, now.trimmed);
  samples.push_back(now);
  if (samples.size() > kHistory)
    samples.pop_front();
  return now;
}

std::vector<PoolMonitor::Sample> PoolMonitor::history() const {
  std::lock_guard<std::mutex> lock(mutex);
  return {samples.begin(), samples.end()};
}

} // namespace opc
