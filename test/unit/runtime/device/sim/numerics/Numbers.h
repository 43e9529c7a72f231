// Helpers of the numerics tests: calls of one intrinsic over whole vectors on every level of the host, and LLVM's
// APFloat as the reference that no one here wrote.

#ifndef OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_NUMERICS_NUMBERS_H
#define OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_NUMERICS_NUMBERS_H

#include "runtime/device/sim/numerics/Numerics.h"
#include "runtime/target/Half.h"

#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace opc::test {

using sim::HostLevel;
using sim::VectorCall;

inline std::vector<HostLevel> hostLevels() {
  std::vector<HostLevel> levels;
  for (unsigned i = 0; i < sim::kNumHostLevels; ++i)
    if (sim::hostSupports(HostLevel(i)))
      levels.push_back(HostLevel(i));
  return levels;
}

/// The words of the result of an intrinsic. `Word` is an unsigned integer as wide as the destination.
template <typename Word>
std::vector<Word> apply(HostLevel level, Intrinsic intrinsic, TypeRow row, VectorCall call, std::vector<Word> initial) {
  const sim::VectorFunction function = sim::findVectorFunction(intrinsic, row, level);
  if (!function) {
    ADD_FAILURE() << "no function for " << intrinsicInfo(intrinsic).name;
    return initial;
  }
  call.destination = initial.data();
  function(call);
  return initial;
}

inline const llvm::fltSemantics &semanticsOf(ElementType type) {
  switch (type) {
  case ElementType::Float16:
    return llvm::APFloat::IEEEhalf();
  case ElementType::BFloat16:
    return llvm::APFloat::BFloat();
  case ElementType::Float64:
    return llvm::APFloat::IEEEdouble();
  default:
    return llvm::APFloat::IEEEsingle();
  }
}

inline llvm::APFloat number(ElementType type, uint64_t bits) {
  const llvm::fltSemantics &semantics = semanticsOf(type);
  return llvm::APFloat(semantics, llvm::APInt(llvm::APFloat::getSizeInBits(semantics), bits));
}

inline uint64_t bitsOf(const llvm::APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

/// Equal bits, any NaN for any NaN. Unlike the contract's notion of bit-exact it tells the zeros apart.
inline bool same(ElementType type, uint64_t a, uint64_t b) {
  return a == b || (number(type, a).isNaN() && number(type, b).isNaN());
}

/// Bits of numbers of all magnitudes: any word is as likely as any other, specials and near ties among them.
template <typename Word> std::vector<Word> randomWords(size_t count, unsigned seed) {
  static constexpr uint64_t special[] = {0,          1,          0x3ff,      0x400,      0x7bff,     0x7c00,
                                         0x7e00,     0x8000,     0xfc00,     0x3c00,     0x7f800000, 0x7fc00000,
                                         0x7f7fffff, 0x00800000, 0x80000000, 0x3f800000, 0x477fefff, 0x477ff000,
                                         0x33000000, 0x33000001, 0xff800000, 0x4f000000};
  std::mt19937_64 random(seed);
  std::vector<Word> words(count);
  for (Word &word : words)
    word = random() % 16 == 0 ? Word(special[random() % std::size(special)]) : Word(random());
  return words;
}

template <typename Word> std::vector<Word> allWords() {
  std::vector<Word> words(size_t(1) << (8 * sizeof(Word)));
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = Word(i);
  return words;
}

} // namespace opc::test

#endif // OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_NUMERICS_NUMBERS_H
