// How large a cache should be, from a trace of what was looked up.
//
// An LRU cache of size s hits a look-up when what was used since the last look-up of the same key, itself included,
// fits s: its stack distance. The distances of a trace give the hit rate of every size at once (Mattson, 1970). First
// look-ups of a key hit in no cache; the rest is attainable.

#ifndef OPC_RUNTIME_CORE_CACHE_ADVICE_H
#define OPC_RUNTIME_CORE_CACHE_ADVICE_H

#include "runtime/core/cache/CacheRecords.h"

namespace opc {

struct CacheAdvice {
  size_t lookups = 0, keys = 0;
  double attainable = 0; ///< hit rate of a cache without bounds
  size_t entries = 0;    ///< smallest number of entries that reaches the share of it
  uint64_t bytes = 0;    ///< smallest number of bytes that does
  uint64_t kernels = 0;  ///< smallest number of kernels that does; 0 when the trace lacks them
  double reached = 0;    ///< hit rate of `entries`
};

/// `share`: of the attainable hits, 0.95 for 95 %.
CacheAdvice adviseCacheSize(const std::vector<LookupRecord> &trace, double share = 0.95);

} // namespace opc

#endif // OPC_RUNTIME_CORE_CACHE_ADVICE_H
