// What processes leave behind about their look-ups: counters, reasons of compiles, and, when asked for, a trace
// of every look-up.
//
//   <cache>/statistics      counters of all processes, one "name value" a line, under a lock
//   <cache>/compiles.jsonl  one line for each compile: when, what, why, how long; the last 1 MiB
//   OPC_CACHE_TRACE         one JSON line for each look-up, for `opc cache advise` and `opc warmup`
//
// Losing these costs nothing but knowledge: every failure to write them is passed over.

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
/// All zero when there are none.
CacheCounters readCounters(const std::string &folder);

/// Why a compile happened, as a word and, where fields of the key decided it, their names.
struct CompileRecord {
  int64_t time = 0; ///< seconds since 1970
  std::string opType, hash;
  std::string reason; ///< "first use", "changed: types, source", "damaged entry"
  double milliseconds = 0;
};
void addCompileRecord(const std::string &folder, const CompileRecord &record);
std::vector<CompileRecord> readCompileRecords(const std::string &folder);

/// One look-up of a trace.
struct LookupRecord {
  std::string hash, label;
  uint64_t bytes = 0;
  uint64_t kernels = 0; ///< of the entry
  KernelRequest request;
};
void addLookup(const std::string &file, const LookupRecord &record);
/// Nothing, with E0114, when the file is no trace; a last line that was cut off is passed over.
std::optional<std::vector<LookupRecord>> readTrace(const std::string &file, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_CORE_CACHE_CACHERECORDS_H
