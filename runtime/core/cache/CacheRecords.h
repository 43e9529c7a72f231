// Records about lookups in the kernel cache: counters, reasons of compilations and, on request, a trace of
// every lookup.
//
//   <cache>/statistics      counters of all processes, one "name value" per line, under a lock
//   <cache>/compiles.jsonl  one line per compilation: when, what, why, how long; the last 1 MiB
//   OPC_CACHE_TRACE         one JSON line per lookup, for `opc cache advise` and `opc warmup`
//
// The records are informational: failures to write them are ignored.

#ifndef OPC_RUNTIME_CORE_CACHE_CACHERECORDS_H
#define OPC_RUNTIME_CORE_CACHE_CACHERECORDS_H

#include "runtime/compiler.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace opc {

struct CacheCounters {
  uint64_t memoryHits = 0, diskHits = 0, compiles = 0, failures = 0, damaged = 0, purged = 0, unwritable = 0;

  uint64_t lookups() const { return memoryHits + diskHits + compiles + failures; }
  double hitRate() const { return lookups() ? double(memoryHits + diskHits) / double(lookups()) : 0; }
};

/// Adds to the counters of `folder`.
void addCounters(const std::string &folder, const CacheCounters &more);
/// The counters of `folder`; all zero when the file does not exist.
CacheCounters readCounters(const std::string &folder);

/// Why a compilation was needed: a reason and, if fields of the key differ, their names.
struct CompileRecord {
  int64_t time = 0; ///< seconds since 1970
  std::string opType, hash;
  std::string reason; ///< "first use", "changed: types, source", "damaged entry"
  double milliseconds = 0;
};
void addCompileRecord(const std::string &folder, const CompileRecord &record);
std::vector<CompileRecord> readCompileRecords(const std::string &folder);

/// One lookup of a trace.
struct LookupRecord {
  std::string hash, label;
  uint64_t bytes = 0;
  uint64_t kernels = 0; ///< of the entry
  KernelRequest request;
};
void addLookup(const std::string &file, const LookupRecord &record);
/// Reads a trace. Returns nullopt after reporting E0114 when the file is not a trace; a truncated last line is ignored.
std::optional<std::vector<LookupRecord>> readTrace(const std::string &file, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_CORE_CACHE_CACHERECORDS_H
