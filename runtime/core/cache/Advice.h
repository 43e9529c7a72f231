// Recommends a cache size from a trace of lookups.
//
// The stack distance of a lookup is the total size of all entries used since the last lookup of the same key,
// including its own. An LRU cache of size s hits a lookup when the stack distance is at most s, so the distances of a
// trace give the hit rate for every size in one pass (Mattson, 1970). The first lookup of a key misses in any cache;
// all other lookups are attainable hits.

#ifndef OPC_RUNTIME_CORE_CACHE_ADVICE_H
#define OPC_RUNTIME_CORE_CACHE_ADVICE_H

#include "runtime/core/cache/CacheRecords.h"

namespace opc {

struct CacheAdvice {
  size_t lookups = 0, keys = 0;
  double attainable = 0; ///< hit rate of an unbounded cache
  size_t entries = 0;    ///< smallest number of entries that reaches `share` of the attainable hits
  uint64_t bytes = 0;    ///< smallest number of bytes that does so
  uint64_t kernels = 0;  ///< smallest number of kernels that does so; 0 when the trace lacks them
  double reached = 0;    ///< hit rate of `entries`
};

/// `share` is the share of attainable hits to reach, 0.95 for 95 %.
CacheAdvice adviseCacheSize(const std::vector<LookupRecord> &trace, double share = 0.95);

} // namespace opc

#endif // OPC_RUNTIME_CORE_CACHE_ADVICE_H
