// The kernel cache: finds kernels by the inputs of their compilation, in memory, then on disk, then by compiling them.
//
//   get(request)   describe -> key -> memory (LRU by kernels and bytes)
//                                  -> disk   (DiskCache.h)
//                                  -> compile, once for all threads and processes; publish
//
// When the disk cache is unusable, the cache warns and does not fail: it loads the compiled kernel from a folder in
// /dev/shm, or in the temporary folder, which is removed together with the kernel.

#ifndef OPC_RUNTIME_CORE_CACHE_KERNELCACHE_H
#define OPC_RUNTIME_CORE_CACHE_KERNELCACHE_H

#include "runtime/compiler.h"
#include "runtime/core/cache/CacheRecords.h"
#include "runtime/core/cache/CacheSettings.h"
#include "runtime/core/cache/DiskCache.h"
#include "runtime/core/operator/Operator.h"

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace opc {

/// The entry that is most similar to a missing key, and the fields that differ.
struct NearestEntry {
  DiskEntry entry;
  struct Difference {
    std::string field, wanted, found;
  };
  std::vector<Difference> differences;
};
/// The entry of the same operator with the fewest differences; nullopt when the operator has no entry.
std::optional<NearestEntry> findNearest(const KernelKey &key, const std::vector<DiskEntry> &entries);

class KernelCache {
public:
  KernelCache(CacheSettings settings, std::shared_ptr<Device> device);
  /// Adds the counters of this object to those of the cache folder.
  ~KernelCache();

  enum class From { Memory, Disk, Compiler };
  struct Result {
    std::shared_ptr<Operator> op; ///< null after an error
    From from = From::Memory;
    std::string reason; ///< why it was compiled
    std::string hash;   ///< of the key; empty when the key could not be made
  };
  /// The operator of a request. `label` names the launch in the log: "AddRelu_1x128". Thread-safe; threads that
  /// request the same key wait for one compilation.
  Result get(const KernelRequest &request, const std::string &label, Diagnostics &diagnostics);

  /// The operator of a key that an earlier get() returned, without reading the contract. Null when it is not in
  /// memory; that does not count as a miss.
  std::shared_ptr<Operator> findKept(const std::string &hash, const KernelRequest &request, const std::string &label);

  const CacheSettings &settings() const { return configured; }
  DiskCache &disk() { return files; }
  CacheCounters counters() const;
  struct InMemory {
    size_t kernels = 0, bytes = 0;
  };
  InMemory inMemory() const;

private:
  struct Kept {
    std::string hash;
    std::shared_ptr<Operator> op;
    size_t kernels;
    uint64_t bytes;
  };
  struct Flight {
    bool done = false;
    Result result;
    Diagnostics diagnostics;
    uint64_t bytes = 0;
  };
  std::shared_ptr<Operator> findInMemory(const std::string &hash, uint64_t &bytes);
  void keep(const std::string &hash, std::shared_ptr<Operator> op, uint64_t bytes);
  void fly(const KernelRequest &request, const KernelKey &key, KernelCompiler &compiler, Flight &flight);
  bool takeFromDisk(const KernelKey &key, Flight &flight, std::string &damage);
  void compile(const KernelRequest &request, const KernelKey &key, KernelCompiler &compiler, const std::string &damage,
               bool writable, Flight &flight);
  void log(const std::string &line) const;

  const CacheSettings configured;
  const std::shared_ptr<Device> device;
  DiskCache files;
  mutable std::mutex mutex;
  std::condition_variable landed;
  std::list<Kept> order; ///< most recently used first
  std::unordered_map<std::string, std::list<Kept>::iterator> index;
  size_t keptKernels = 0;
  uint64_t keptBytes = 0;
  std::unordered_map<std::string, std::shared_ptr<Flight>> flights;
  CacheCounters counted;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_CACHE_KERNELCACHE_H
