// Copies of inputs in a kernel's form: equal ones of one tensor are one, others stay apart, and none outlives the
// launches that read it.

#include "runtime/device/cpu/PackedCopies.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

using namespace opc;

namespace {

PackedCopy copyOf(char value, size_t elements) {
  PackedCopy copy = PackedCopies::create(elements);
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
    PackedCopy first = copies.shared(&tensor, copyOf(1, count), count);
    EXPECT_EQ(copies.shared(&tensor, copyOf(1, count), count), first);
    // Another form of the same tensor, a part of it, and another tensor.
    PackedCopy form = copies.shared(&tensor, copyOf(2, count), count);
    EXPECT_NE(form, first);
    EXPECT_NE(copies.shared(&tensor, copyOf(1, count / 2), count / 2), first);
    EXPECT_NE(copies.shared(&other, copyOf(1, count), count), first);
    EXPECT_EQ(copies.shared(&tensor, copyOf(2, count), count), form);
  }
}

// Without it: memory of a model that was closed is kept, or read by the next model whose weights lie at its address.
TEST(PackedCopies, LiveAsLongAsTheyAreRead) {
  PackedCopies copies;
  const int tensor = 0;
  PackedCopy first = copies.shared(&tensor, copyOf(1, 10), 10);
  EXPECT_EQ(first.use_count(), 1);
  std::weak_ptr<void> watch = first;
  first.reset();
  EXPECT_TRUE(watch.expired());
  PackedCopy next = copies.shared(&tensor, copyOf(3, 10), 10);
  EXPECT_EQ(static_cast<const char *>(next.get())[0], 3);
}

// Without it: a process that opens models and closes them keeps an entry for each of their weights.
TEST(PackedCopies, ForgetTensorsThatNobodyReads) {
  PackedCopies copies;
  const std::vector<char> tensors(1000);
  PackedCopy kept = copies.shared(&tensors[0], copyOf(1, 10), 10);
  for (const char &tensor : tensors)
    copies.shared(&tensor, copyOf(2, 10), 10);
  EXPECT_LE(copies.size(), 130u);
  EXPECT_EQ(copies.shared(&tensors[0], copyOf(1, 10), 10), kept);
}

// Sizes come from files.
TEST(PackedCopies, RefuseSizesThatOverflow) {
  EXPECT_FALSE(PackedCopies::create(SIZE_MAX / 4));
  EXPECT_FALSE(PackedCopies::create(SIZE_MAX));
}
