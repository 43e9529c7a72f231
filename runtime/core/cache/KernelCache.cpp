#include "runtime/core/cache/KernelCache.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <stdlib.h>

namespace fs = std::filesystem;

namespace opc {

std::optional<NearestEntry> findNearest(const KernelKey &key, const std::vector<DiskEntry> &entries) {
  std::optional<NearestEntry> nearest;
  auto wanted = key.fields();
  for (const DiskEntry &entry : entries) {
    if (!entry.problem.empty() || entry.key.opType != key.opType)
      continue;
    NearestEntry candidate{entry, {}};
    auto found = entry.key.fields();
    for (size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i].second != found[i].second)
        candidate.differences.push_back({wanted[i].first, wanted[i].second, found[i].second});
    if (!nearest || candidate.differences.size() < nearest->differences.size())
      nearest = std::move(candidate);
  }
  return nearest;
}

KernelCache::KernelCache(CacheSettings settings, std::shared_ptr<Device> device)
    : configured(std::move(settings)), device(std::move(device)), files(configured.path) {
}

KernelCache::~KernelCache() {
  if (counted.lookups())
    addCounters(files.folder(), counted);
}

void KernelCache::log(const std::string &line) const {
  if (configured.logHits)
    std::fprintf(stderr, "%s\n", line.c_str());
}

CacheCounters KernelCache::counters() const {
  std::lock_guard<std::mutex> lock(mutex);
  return counted;
}

KernelCache::InMemory KernelCache::inMemory() const {
  std::lock_guard<std::mutex> lock(mutex);
  return {keptKernels, size_t(keptBytes)};
}

std::shared_ptr<Operator> KernelCache::findInMemory(const std::string &hash, uint64_t &bytes) {
  auto found = index.find(hash);
  if (found == index.end())
    return nullptr;
  order.splice(order.begin(), order, found->second);
  bytes = found->second->bytes;
  return found->second->op;
}

/// The number of kernels, as ACLNN_KERNEL_CACHE_SIZE counts them.
static size_t kernelsOf(const std::shared_ptr<Operator> &op) {
  return op ? op->manifest().kernels.size() : 0;
}

void KernelCache::keep(const std::string &hash, std::shared_ptr<Operator> op, uint64_t bytes) {
  if (configured.disable || index.count(hash))
    return;
  size_t kernels = kernelsOf(op);
  // Do not evict entries for an operator that exceeds a limit on its own.
  if (kernels > configured.kernels || bytes > configured.bytes)
    return;
  order.push_front({hash, std::move(op), kernels, bytes});
  index[hash] = order.begin();
  keptKernels += kernels;
  keptBytes += bytes;
  while (!order.empty() && (keptKernels > configured.kernels || keptBytes > configured.bytes)) {
    const Kept &last = order.back();
    keptKernels -= last.kernels;
    keptBytes -= last.bytes;
    index.erase(last.hash);
    order.pop_back();
  }
}

std::shared_ptr<Operator> KernelCache::findKept(const std::string &hash, const KernelRequest &request,
                                                const std::string &label) {
  uint64_t bytes = 0;
  std::unique_lock<std::mutex> lock(mutex);
  std::shared_ptr<Operator> op = findInMemory(hash, bytes);
  if (!op)
    return nullptr;
  ++counted.memoryHits;
  lock.unlock();
  if (!configured.trace.empty())
    addLookup(configured.trace, {hash, label, bytes, kernelsOf(op), request});
  log("Hit kernel cache for " + label);
  return op;
}

KernelCache::Result KernelCache::get(const KernelRequest &request, const std::string &label, Diagnostics &diagnostics) {
  std::shared_ptr<KernelCompiler> compiler = kernelCompiler();
  if (!compiler) {
    diagnostics.error(Code::E0621, {request.contract},
                      "expects a compiler that reads the contract, and none is registered");
    return {};
  }
  std::optional<KernelKey> key = compiler->describe(request, diagnostics);
  if (!key)
    return {};
  std::string hash = key->hash();
  std::shared_ptr<Flight> flight;
  std::unique_lock<std::mutex> lock(mutex);
  uint64_t bytes = 0;
  Result result;
  while (!result.op && !flight) {
    if ((result.op = findInMemory(hash, bytes))) {
      ++counted.memoryHits;
      break;
    }
    auto [entry, first] = flights.try_emplace(hash);
    if (!first) {
      // Another thread is loading or compiling the key: wait for its result, also when the result is not kept
      // in memory.
      std::shared_ptr<Flight> other = entry->second;
      landed.wait(lock, [&] { return other->done; });
      result = other->result;
      bytes = other->bytes;
      diagnostics.add(other->diagnostics);
      result.from = From::Memory;
      ++(result.op ? counted.memoryHits : counted.failures);
      break;
    }
    flight = entry->second = std::make_shared<Flight>();
  }
  if (flight) {
    lock.unlock();
    fly(request, *key, *compiler, *flight);
    lock.lock();
    result = flight->result;
    bytes = flight->bytes;
    diagnostics.add(flight->diagnostics);
    if (result.op)
      keep(hash, result.op, bytes);
    ++(!result.op ? counted.failures : result.from == From::Disk ? counted.diskHits : counted.compiles);
    flight->done = true;
    flights.erase(hash);
    landed.notify_all();
  }
  lock.unlock();
  result.hash = std::move(hash);
  if (!configured.trace.empty())
    addLookup(configured.trace, {result.hash, label, bytes, kernelsOf(result.op), request});
  if (result.op && result.from != From::Compiler)
    log("Hit kernel cache for " + label);
  return result;
}

bool KernelCache::takeFromDisk(const KernelKey &key, Flight &flight, std::string &damage) {
  DiskCache::Loaded loaded = files.load(key);
  damage = loaded.found == DiskCache::Found::Damaged ? loaded.problem : std::string();
  if (loaded.found != DiskCache::Found::Yes)
    return false;
  flight.result = {Operator::create(std::move(loaded.folder), device), From::Disk, {}, {}};
  flight.bytes = loaded.bytes;
  return true;
}

void KernelCache::fly(const KernelRequest &request, const KernelKey &key, KernelCompiler &compiler, Flight &flight) {
  std::string damage;
  if (takeFromDisk(key, flight, damage))
    return;
  Diagnostics unwritable;
  std::optional<FileLock> lock = files.lock(key.hash(), unwritable);
  // Another process may have published the entry while this one waited.
  if (lock && takeFromDisk(key, flight, damage))
    return;
  if (!damage.empty()) {
    if (lock)
      files.setAside(key.hash());
    std::lock_guard<std::mutex> guard(mutex);
    ++counted.damaged;
  }
  if (!lock)
    for (Diagnostic diagnostic : unwritable.all()) {
      diagnostic.severity = Severity::Warning;
      flight.diagnostics.add(std::move(diagnostic));
    }
  compile(request, key, compiler, damage, lock.has_value(), flight);
}

namespace {
/// A folder that is removed when its last user releases it.
struct PassingFolder {
  std::string path;
  ~PassingFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};
} // namespace

/// Writes the files to /dev/shm or the temporary folder and opens them; nullopt after reporting E0620.
static std::optional<OpFolder> openFromMemory(const std::vector<KernelFile> &compiled, Diagnostics &diagnostics) {
  std::error_code error;
  Diagnostics last;
  for (const std::string &below : {std::string("/dev/shm"), fs::temp_directory_path(error).string()}) {
    std::string name = below + "/opc-kernel-XXXXXX";
    if (!mkdtemp(name.data()))
      continue;
    auto folder = std::make_shared<PassingFolder>();
    folder->path = name;
    last = {};
    if (!DiskCache::writeFolder(name, compiled, last))
      continue;
    std::optional<OpFolder> opened = openOpFolder(name, last);
    if (opened) {
      opened->keep = folder;
      return opened;
    }
  }
  if (!last.hasErrors())
    last.error(Code::E0620, {},
               "there is no folder to serve a kernel from: /dev/shm and the "
               "temporary folder cannot be written");
  diagnostics.add(last);
  return std::nullopt;
}

/// Why a key was not in the cache.
static std::string reasonFor(const KernelKey &key, const std::string &damage, const std::vector<DiskEntry> &entries) {
  if (!damage.empty())
    return "damaged entry: " + damage;
  std::optional<NearestEntry> nearest = findNearest(key, entries);
  if (!nearest)
    return "first use";
  std::string changed;
  for (const NearestEntry::Difference &difference : nearest->differences)
    changed += (changed.empty() ? "" : ", ") + difference.field;
  return "changed: " + changed;
}

void KernelCache::compile(const KernelRequest &request, const KernelKey &key, KernelCompiler &compiler,
                          const std::string &damage, bool writable, Flight &flight) {
  std::string reason = reasonFor(key, damage, files.list());
  auto start = std::chrono::steady_clock::now();
  std::vector<KernelFile> compiled = compiler.compile(request, flight.diagnostics);
  if (compiled.empty()) {
    if (!flight.diagnostics.hasErrors())
      flight.diagnostics.error(Code::E0900, {}, "a compiler failed without a reason");
    return;
  }
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  log("Compiled kernel for " + key.opType + ": " + reason);
  std::optional<OpFolder> folder;
  if (writable) {
    Diagnostics found;
    if (files.publish(key, compiled, found)) {
      DiskCache::Loaded loaded = files.load(key);
      if (loaded.found == DiskCache::Found::Yes)
        folder = std::move(loaded.folder);
      addCompileRecord(files.folder(), {int64_t(std::time(nullptr)), key.opType, key.hash(), reason, took.count()});
      DiskCache::Purged purged = files.purge(uint64_t(configured.diskMegabytes) << 20, configured.remainPercent);
      std::lock_guard<std::mutex> lock(mutex);
      counted.purged += purged.entries;
    }
    for (Diagnostic diagnostic : found.all()) {
      diagnostic.severity = Severity::Warning;
      flight.diagnostics.add(std::move(diagnostic));
    }
  }
  if (!folder) {
    folder = openFromMemory(compiled, flight.diagnostics);
    std::lock_guard<std::mutex> lock(mutex);
    ++counted.unwritable;
  }
  if (!folder)
    return;
  for (const KernelFile &file : compiled)
    flight.bytes += file.bytes.size();
  flight.result = {Operator::create(std::move(*folder), device), From::Compiler, reason, {}};
}

} // namespace opc
