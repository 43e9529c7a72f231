// std::thread throws when the system cannot create a thread; no exception leaves this file.

#include "runtime/core/pool/PoolMonitor.h"

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

static bool isSurge(const PoolMonitor::Sample &now, const PoolMonitor::Sample *before) {
  constexpr size_t kNoise = size_t(64) << 20;
  if (now.system.total && now.system.available < now.system.total / 10)
    return true;
  if (!before)
    return false;
  size_t held = now.pool.held(), earlier = before->pool.held() - before->trimmed;
  return held > earlier && held - earlier >= kNoise && held - earlier > earlier / 2;
}

PoolMonitor::Sample PoolMonitor::sample() {
  Sample now;
  now.time = std::chrono::steady_clock::now();
  now.pool = pool.statistics();
  now.system = system();
  std::lock_guard<std::mutex> lock(mutex);
  if (isSurge(now, samples.empty() ? nullptr : &samples.back()))
    now.trimmed = pool.trim();
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
