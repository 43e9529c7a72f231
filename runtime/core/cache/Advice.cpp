#include "runtime/core/cache/Advice.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <unordered_map>

namespace opc {

/// The smallest size that is at least as large as `wanted` of the distances.
template <typename T> static T sizeFor(std::vector<T> distances, size_t wanted) {
  if (wanted == 0)
    return 0;
  std::nth_element(distances.begin(), distances.begin() + long(wanted - 1), distances.end());
  return distances[wanted - 1];
}

CacheAdvice adviseCacheSize(const std::vector<LookupRecord> &trace, double share) {
  CacheAdvice advice;
  advice.lookups = trace.size();
  std::list<const LookupRecord *> stack; // most recently used first
  std::unordered_map<std::string, std::list<const LookupRecord *>::iterator> places;
  std::vector<size_t> entryDistances;
  std::vector<uint64_t> byteDistances, kernelDistances;
  for (const LookupRecord &lookup : trace) {
    auto place = places.find(lookup.hash);
    if (place != places.end()) {
      size_t entries = 1;
      uint64_t bytes = lookup.bytes, kernels = lookup.kernels;
      for (auto it = stack.begin(); it != place->second; ++it) {
        ++entries;
        bytes += (*it)->bytes;
        kernels += (*it)->kernels;
      }
      entryDistances.push_back(entries);
      byteDistances.push_back(bytes);
      kernelDistances.push_back(kernels);
      stack.erase(place->second);
    }
    stack.push_front(&lookup);
    places[lookup.hash] = stack.begin();
  }
  advice.keys = places.size();
  if (trace.empty())
    return advice;
  size_t wanted = size_t(std::ceil(share * double(entryDistances.size())));
  wanted = std::min(wanted, entryDistances.size());
  advice.attainable = double(entryDistances.size()) / double(trace.size());
  advice.entries = sizeFor(entryDistances, wanted);
  advice.bytes = sizeFor(byteDistances, wanted);
  advice.kernels = sizeFor(kernelDistances, wanted);
  size_t hits = size_t(std::count_if(entryDistances.begin(), entryDistances.end(),
                                     [&](size_t distance) { return distance <= advice.entries; }));
  advice.reached = double(hits) / double(trace.size());
  return advice;
}

} // namespace opc
