// The rules of memory in each form that this machine has, against the rules as they are worded.

#include "runtime/core/tensor/MemoryRules.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

using namespace opc;

namespace {
struct Case {
  struct Tensor {
    int64_t bytes, elementBytes;
    uintptr_t address;
  };
  std::vector<Tensor> tensors;
  size_t inputs = 0;
};
} // namespace

/// launch_c10 to c12, a tensor and a pair at a time; bytes are counted one by one.
static bool worded(const Case &launch) {
  for (size_t i = 0; i < launch.tensors.size(); ++i) {
    const Case::Tensor &one = launch.tensors[i];
    if ((one.bytes && !one.address) || one.address % uintptr_t(one.elementBytes))
      return false;
    for (size_t j = 0; i >= launch.inputs && j < i; ++j)
      for (int64_t byte = 0; byte < launch.tensors[j].bytes; ++byte) {
        uintptr_t at = launch.tensors[j].address + uintptr_t(byte);
        if (at >= one.address && at < one.address + uintptr_t(one.bytes))
          return false;
      }
  }
  return true;
}

static bool held(const Case &launch, MemoryRules::Form form) {
  MemoryRules rules(form);
  std::vector<void *> addresses;
  for (size_t i = 0; i < launch.tensors.size(); ++i) {
    rules.add(launch.tensors[i].bytes, launch.tensors[i].elementBytes, i >= launch.inputs);
    addresses.push_back(reinterpret_cast<void *>(launch.tensors[i].address));
  }
  return rules.hold(addresses.data());
}

static std::vector<MemoryRules::Form> forms() {
  std::vector<MemoryRules::Form> all;
  for (MemoryRules::Form form : {MemoryRules::Form::Plain, MemoryRules::Form::Avx2})
    if (MemoryRules::has(form))
      all.push_back(form);
  return all;
}

// Without it: a form forgets the last tensor of a vector, or one past it, and a kernel writes over another tensor.
TEST(MemoryRules, EachFormSaysWhatTheRulesSay) {
  std::mt19937 random(7);
  auto below = [&random](uint32_t limit) { return random() % limit; };
  size_t fit = 0;
  constexpr int kCases = 20000;
  for (int n = 0; n < kCases; ++n) {
    Case launch;
    const size_t count = 1 + below(19), outputs = 1 + below(uint32_t(std::min<size_t>(count, 3)));
    launch.inputs = count - outputs;
    uintptr_t next = 4096;
    for (size_t i = 0; i < count; ++i) {
      const int64_t size = int64_t(1) << below(3), bytes = int64_t(below(5)) * 8;
      launch.tensors.push_back({bytes, size, next});
      next += uintptr_t(bytes);
    }
    // One tensor, or none, elsewhere: beside, within or before another one, or nowhere.
    if (below(2)) {
      Case::Tensor &one = launch.tensors[below(uint32_t(count))];
      one.address = below(8) ? one.address + below(17) - 8 : 0;
    }
    const bool expected = worded(launch);
    fit += expected;
    for (MemoryRules::Form form : forms())
      ASSERT_EQ(held(launch, form), expected) << "case " << n << ", form " << int(form) << ", " << count << " tensors";
  }
  EXPECT_GT(fit, size_t(kCases / 4)) << "hardly any case in which the rules hold";
  EXPECT_LT(fit, size_t(kCases * 3 / 4)) << "hardly any case in which they do not";
}

// Without it: sums past the end of the numbers make an overlap look like none.
TEST(MemoryRules, WhatCannotBeToldIsDenied) {
  for (MemoryRules::Form form : forms())
    for (size_t where : {size_t(0), size_t(3), size_t(8), size_t(9)}) {
      Case launch;
      launch.inputs = 9;
      for (size_t i = 0; i < 10; ++i)
        launch.tensors.push_back({8, 4, 4096 + 8 * i});
      ASSERT_TRUE(held(launch, form));
      Case far = launch;
      far.tensors[where].address = uintptr_t(1) << 62;
      EXPECT_FALSE(held(far, form)) << int(form) << " " << where;
      far.tensors[where].address = uintptr_t(1) << 63;
      EXPECT_FALSE(held(far, form)) << int(form) << " " << where;
      Case large = launch;
      large.tensors[where].bytes = int64_t(1) << 62;
      EXPECT_FALSE(held(large, form)) << int(form) << " " << where;
    }
}

// Without it: a step of a model that overwrites its operand is refused, or a plan that does not keep its word is not.
TEST(MemoryRules, AnOutputBeginsWhereAnInputDoes) {
  for (MemoryRules::Form form : forms())
    for (size_t count : {size_t(2), size_t(6)}) {
      MemoryRules rules(form);
      std::vector<void *> at;
      for (size_t i = 0; i < count; ++i) {
        rules.add(16, 4, i + 1 == count);
        at.push_back(reinterpret_cast<void *>(4096 + 16 * i));
      }
      at.back() = at.front();
      EXPECT_FALSE(rules.hold(at.data()));
      rules.overwrite(0, count - 1);
      EXPECT_TRUE(rules.hold(at.data())) << int(form) << " " << count;
      EXPECT_TRUE(rules.overwrites(0, count - 1));
      EXPECT_EQ(rules.elementBytes(0), 4);
      for (uintptr_t other : {uintptr_t(4080), uintptr_t(4100), uintptr_t(8192)}) {
        at.back() = reinterpret_cast<void *>(other);
        EXPECT_FALSE(rules.hold(at.data())) << other;
      }
      at.back() = at.front();
      if (count > 2) {
        at[1] = at.front();
        EXPECT_FALSE(rules.hold(at.data())) << "another input there";
      }
    }
}

// Without it: optional inputs, which have no bytes and no memory, keep an operator from running.
TEST(MemoryRules, TensorsWithoutBytesNeedNoMemory) {
  for (MemoryRules::Form form : forms()) {
    Case launch;
    launch.inputs = 2;
    launch.tensors = {{8, 4, 4096}, {0, 4, 0}, {8, 4, 4104}};
    EXPECT_TRUE(held(launch, form)) << int(form);
    launch.tensors[1] = {0, 4, 4106};
    EXPECT_FALSE(held(launch, form)) << "aligned all the same: form " << int(form);
  }
}
