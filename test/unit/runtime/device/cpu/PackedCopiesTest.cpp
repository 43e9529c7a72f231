// Copies of inputs in a kernel's form: equal ones of one tensor are one, others stay apart, and none outlives the
// launches that read it.

#include "runtime/device/cpu/PackedCopies.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <utility>
#include <vector>

using namespace opc;

namespace {

PackedCopy copyOf(PackedCopies &copies, char value, size_t elements) {
  PackedCopy copy = copies.create(elements);
  std::memset(copy.get(), value, elements * 4);
  return copy;
}

} // namespace

// Without it: two layers that share a weight hold it packed twice.
TEST(PackedCopies, ShareEqualContentsOfATensor) {
  // Of the allocator, and mapped.
  for (size_t count : {size_t(100), size_t(1) << 18}) {
    PackedCopies copies;
    const int tensor = 0, other = 0;
    PackedCopy first = copies.shared(&tensor, copyOf(copies, 1, count), count);
    EXPECT_EQ(copies.shared(&tensor, copyOf(copies, 1, count), count), first);
    // Another form of the same tensor, a part of it, and another tensor.
    PackedCopy form = copies.shared(&tensor, copyOf(copies, 2, count), count);
    EXPECT_NE(form, first);
    EXPECT_NE(copies.shared(&tensor, copyOf(copies, 1, count / 2), count / 2), first);
    EXPECT_NE(copies.shared(&other, copyOf(copies, 1, count), count), first);
    EXPECT_EQ(copies.shared(&tensor, copyOf(copies, 2, count), count), form);
  }
}

// Without it: memory of a model that was closed is kept, or read by the next model whose weights lie at its address.
TEST(PackedCopies, LiveAsLongAsTheyAreRead) {
  PackedCopies copies;
  const int tensor = 0;
  PackedCopy first = copies.shared(&tensor, copyOf(copies, 1, 10), 10);
  EXPECT_EQ(first.use_count(), 1);
  std::weak_ptr<void> watch = first;
  first.reset();
  EXPECT_TRUE(watch.expired());
  PackedCopy next = copies.shared(&tensor, copyOf(copies, 3, 10), 10);
  EXPECT_EQ(static_cast<const char *>(next.get())[0], 3);
}

// Without it: a process that opens models and closes them keeps an entry for each of their weights.
TEST(PackedCopies, ForgetTensorsThatNobodyReads) {
  PackedCopies copies;
  const std::vector<char> tensors(1000);
  PackedCopy kept = copies.shared(&tensors[0], copyOf(copies, 1, 10), 10);
  for (const char &tensor : tensors)
    copies.shared(&tensor, copyOf(copies, 2, 10), 10);
  EXPECT_LE(copies.size(), 130u);
  EXPECT_EQ(copies.shared(&tensors[0], copyOf(copies, 1, 10), 10), kept);
}

// Without it: copies of several sizes, more than a chunk has and larger than one, lie in one another; memory that was
// given back has what was in it; or it is kept for as long as the device lives.
TEST(PackedCopies, LieApartAndBeginWithZeros) {
  PackedCopies copies;
  std::vector<std::pair<PackedCopy, size_t>> made;
  auto check = [&](size_t number) {
    const auto *bytes = static_cast<const unsigned char *>(made[number].first.get());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 64, 0u);
    const size_t size = made[number].second * 4 + 64;
    return std::count(bytes, bytes + size, static_cast<unsigned char>(number + 1)) == static_cast<ptrdiff_t>(size);
  };
  for (size_t elements : {5000, 1 << 20, 3, 1 << 22, 4096, 9 << 20, 70000, 1 << 22, 1 << 22, 12345}) {
    PackedCopy copy = copies.create(elements);
    ASSERT_TRUE(copy);
    auto *bytes = static_cast<unsigned char *>(copy.get());
    ASSERT_EQ(std::count(bytes, bytes + elements * 4 + 64, 0), static_cast<ptrdiff_t>(elements * 4 + 64));
    made.emplace_back(copy, elements);
    std::memset(bytes, static_cast<int>(made.size()), elements * 4 + 64);
    // One that is given back at once, and the memory of which the next one gets.
    PackedCopy gone = copies.create(elements);
    ASSERT_TRUE(gone);
    std::memset(gone.get(), 0xee, elements * 4 + 64);
  }
  for (size_t i = 0; i < made.size(); ++i)
    EXPECT_TRUE(check(i)) << i;
  made.erase(made.begin() + 1);
  made.insert(made.begin() + 1, {copies.create(1 << 20), 1 << 20});
  EXPECT_EQ(*static_cast<char *>(made[1].first.get()), 0);
  std::memset(made[1].first.get(), 2, (1 << 22) + 64);
  for (size_t i = 0; i < made.size(); ++i)
    EXPECT_TRUE(check(i)) << i;
  // The last copy takes the chunk with it; the device goes on.
  std::weak_ptr<void> last = made.back().first;
  made.clear();
  EXPECT_TRUE(last.expired());
  EXPECT_TRUE(copies.create(5000));
}

// Without it: launches that are prepared at once get one memory.
TEST(PackedCopies, SeveralThreads) {
  PackedCopies copies;
  std::atomic<size_t> wrong{0};
  std::vector<std::thread> threads;
  for (int number = 1; number <= 4; ++number)
    threads.emplace_back([&, number] {
      for (int round = 0; round < 50; ++round) {
        PackedCopy first = copies.create(5000), second = copies.create(40000);
        for (const auto &[copy, elements] : {std::pair(first, 5000), std::pair(second, 40000)}) {
          auto *bytes = static_cast<char *>(copy.get());
          wrong += std::count(bytes, bytes + elements * 4, 0) != elements * 4;
          std::memset(bytes, number, static_cast<size_t>(elements) * 4);
        }
        auto *bytes = static_cast<char *>(first.get());
        wrong += std::count(bytes, bytes + 20000, number) != 20000;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0u);
}

// Sizes come from files.
TEST(PackedCopies, RefuseSizesThatOverflow) {
  PackedCopies copies;
  for (size_t elements : {SIZE_MAX, SIZE_MAX / 4, SIZE_MAX / 8, SIZE_MAX / 8 - 16})
    EXPECT_FALSE(copies.create(elements)) << elements;
}
