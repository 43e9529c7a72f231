// A difference is negative when its highest bit is set. Two tensors overlap when each begins before the other's end,
// that is when both differences are negative. The words of all tensors and rules are combined by 'or', and one test
// of the highest bit at the end gives the result.

#include "runtime/core/tensor/MemoryRules.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace opc {

/// Addresses and sizes below it can be added and subtracted as signed numbers.
static constexpr uint64_t kFar = uint64_t(1) << 62;

/// Tensors per vector.
static constexpr size_t kLanes = 4;

bool MemoryRules::has(Form form) {
#if defined(__x86_64__)
  if (form == Form::Avx2)
    return __builtin_cpu_supports("avx2");
#endif
  return form == Form::Plain;
}

MemoryRules::Form MemoryRules::best() {
  static const Form form = has(Form::Avx2) ? Form::Avx2 : Form::Plain;
  return form;
}

MemoryRules::MemoryRules(Form form) : holds(form == Form::Avx2 ? withAvx2 : plain) {
}

void MemoryRules::add(int64_t bytes, int64_t elementBytes, bool output) {
  const size_t at = sizes.size(), padded = (at / kLanes + 1) * kLanes;
  masks.resize(padded, 0);
  needed.resize(padded, 0);
  reach.resize(padded, -kFar);
  sizes.push_back(bytes);
  masks[at] = uint64_t(elementBytes) - 1;
  needed[at] = bytes ? ~uint64_t(0) : 0;
  reach[at] = bytes ? uint64_t(bytes) : -kFar;
  tooFar |= uint64_t(bytes) | uint64_t(bytes) << 1;
  inputs += !output;
}

// The output has the same bytes and is compared with all other tensors.
void MemoryRules::overwrite(size_t input, size_t output) {
  reach[input] = -kFar;
  overwritten.emplace_back(input, output);
}

bool MemoryRules::overwrites(size_t input, size_t output) const {
  return std::find(overwritten.begin(), overwritten.end(), std::pair(input, output)) != overwritten.end();
}

bool MemoryRules::beginTogether(void *const *tensors) const {
  return std::all_of(overwritten.begin(), overwritten.end(),
                     [&](const auto &pair) { return tensors[pair.first] == tensors[pair.second]; });
}

/// Branch-free, so that compilers vectorise it.
bool MemoryRules::plain(const MemoryRules &rules, void *const *tensors) {
  const size_t count = rules.sizes.size();
  const uint64_t *reach = rules.reach.data();
  uint64_t unaligned = 0, bad = rules.tooFar;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t address = reinterpret_cast<uintptr_t>(tensors[i]);
    unaligned |= address & rules.masks[i];
    bad |= (address - 1) & rules.needed[i]; // address 0
    bad |= address | address << 1;          // kFar and more
  }
  for (size_t output = rules.inputs; output < count; ++output) {
    const uint64_t begin = reinterpret_cast<uintptr_t>(tensors[output]);
    const uint64_t end = begin + reach[output];
    for (size_t i = 0; i < output; ++i) {
      const uint64_t other = reinterpret_cast<uintptr_t>(tensors[i]);
      bad |= (begin - (other + reach[i])) & (other - end);
    }
  }
  return unaligned == 0 && int64_t(bad) >= 0;
}

#if defined(__x86_64__)

/// All bits set in the first `count` lanes, or in all lanes.
__attribute__((target("avx2"))) static inline __m256i firstLanes(size_t count) {
  static constexpr int64_t kBits[2 * kLanes] = {-1, -1, -1, -1, 0, 0, 0, 0};
  const size_t skipped = count < kLanes ? kLanes - count : 0;
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(kBits + skipped));
}

__attribute__((target("avx2"))) static inline __m256i lanesOf(const uint64_t *column) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(column));
}

/// Loads the addresses of tensors in the lanes set in `lanes`; the others are 0 and are not read.
__attribute__((target("avx2"))) static inline __m256i addressesOf(void *const *tensors, __m256i lanes) {
  return _mm256_maskload_epi64(reinterpret_cast<const long long *>(tensors), lanes);
}

/// As plain, for a vector of tensors at a time, without a remainder loop.
__attribute__((target("avx2"))) bool MemoryRules::withAvx2(const MemoryRules &rules, void *const *tensors) {
  const size_t count = rules.sizes.size();
  const __m256i one = _mm256_set1_epi64x(1);
  __m256i unaligned = _mm256_setzero_si256(), bad = _mm256_set1_epi64x(int64_t(rules.tooFar));
  for (size_t i = 0; i < count; i += kLanes) {
    const __m256i address = addressesOf(tensors + i, firstLanes(count - i));
    const __m256i absent = _mm256_and_si256(_mm256_sub_epi64(address, one), lanesOf(&rules.needed[i]));
    const __m256i far = _mm256_or_si256(address, _mm256_add_epi64(address, address));
    unaligned = _mm256_or_si256(unaligned, _mm256_and_si256(address, lanesOf(&rules.masks[i])));
    bad = _mm256_or_si256(bad, _mm256_or_si256(absent, far));
  }
  for (size_t output = rules.inputs; output < count; ++output) {
    const auto address = reinterpret_cast<intptr_t>(tensors[output]);
    const __m256i begin = _mm256_set1_epi64x(address);
    const __m256i end = _mm256_set1_epi64x(int64_t(uint64_t(address) + rules.reach[output]));
    for (size_t i = 0; i < output; i += kLanes) {
      const __m256i lanes = firstLanes(output - i), other = addressesOf(tensors + i, lanes);
      const __m256i otherEnd = _mm256_add_epi64(other, lanesOf(&rules.reach[i]));
      const __m256i both = _mm256_and_si256(_mm256_sub_epi64(begin, otherEnd), _mm256_sub_epi64(other, end));
      bad = _mm256_or_si256(bad, _mm256_and_si256(both, lanes));
    }
  }
  return _mm256_testz_si256(unaligned, unaligned) && _mm256_movemask_pd(_mm256_castsi256_pd(bad)) == 0;
}

#else

bool MemoryRules::withAvx2(const MemoryRules &rules, void *const *tensors) {
  return plain(rules, tensors);
}

#endif

} // namespace opc
