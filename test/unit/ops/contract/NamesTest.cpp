// Names by their form and by the words of the languages they end in.

#include "ops/contract/Names.h"

#include "gtest/gtest.h"

using namespace opc;

TEST(Names, Identifiers) {
  for (const char *good : {"x", "x1", "keep_dims", "keepDims", "N", "aB3_c"})
    EXPECT_EQ(checkIdentifier(good), "") << good;
  for (const char *bad : {"",         "_x",       "x_",          "x__y",      "1x",       "a.b",          "a b",
                          "\xc3\xa9", "a\n",      "for",         "None",      "co_await", "half",         "tiling",
                          "NULL",     "restrict", "kernel_name", "impl_mode", "DTYPE_X",  "ORIG_DTYPE_X", "FORMAT_X"})
    EXPECT_NE(checkIdentifier(bad), "") << bad;
  // Macros of the device compiler: the emitter gives its identifiers other names.
  for (const char *good : {"RND", "DS", "NORM", "likely", "block_idx"})
    EXPECT_EQ(checkIdentifier(good), "") << good;
  EXPECT_EQ(checkIdentifier(std::string(48, 'a')), "");
  EXPECT_NE(checkIdentifier(std::string(49, 'a')), "");
}

// Without it the kernel and a function of the C library would have one name in a host build.
TEST(Names, Kernels) {
  for (const char *bad :
       {"div", "round", "asinh", "exp", "expf", "sqrtl", "malloc", "select", "log2", "main", "y0", "Add"})
    EXPECT_NE(checkKernelName(bad), "") << bad;
  // The entry of the kernel has this name, where these are macros.
  for (const char *bad : {"likely", "unlikely", "block_idx", "l2_in_main"})
    EXPECT_EQ(checkKernelName(bad), "is a macro of the device compiler's headers") << bad;
  for (const char *good : {"add_relu", "div_kernel", "relu", "cast", "softmax", "add", "f", "l"})
    EXPECT_EQ(checkKernelName(good), "") << good;
  // Every letter upper-case: the longest name that a type gives.
  std::string longest = "a";
  for (int i = 1; i < 48; ++i)
    longest += "_a";
  EXPECT_EQ(checkKernelName(longest), "");
}

TEST(Names, OpTypes) {
  for (const char *good : {"Add", "AddRelu", "Conv2D", "A"})
    EXPECT_EQ(checkOpType(good), "") << good;
  for (const char *bad : {"", "add", "Add_Relu", "2D", "Add-Relu", "\xc3\x89t\xc3\xa9"})
    EXPECT_NE(checkOpType(bad), "") << bad;
}

TEST(Names, Paths) {
  for (const char *good : {"a", "a/b.c", "a.aicore.mlir", "...", "..a", "a b"})
    EXPECT_EQ(checkRelativePath(good), "") << good;
  for (const char *bad :
       {"", "/", "/a", "..", "a/..", "../a", "a/../b", ".", "a/./b", "a//b", "a/", "a\\b", "c:d", "a\x01"})
    EXPECT_NE(checkRelativePath(bad), "") << bad;
}
