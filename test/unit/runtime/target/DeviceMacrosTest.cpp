// The names that no identifier of a kernel may have.

#include "runtime/target/toolkit/DeviceMacros.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace opc;

// What was found first: a field of these names vanished from the struct on the chip.
TEST(DeviceMacros, HaveWhatWasFound) {
  for (const char *name : {"block_num", "block_idx", "inline", "likely", "NORM", "DS", "BLK", "PK", "RND", "US",
                           "DT_BOOL", "FORMAT_ND", "GM_ADDR", "TILING_KEY_IS"})
    EXPECT_TRUE(isDeviceMacro(name)) << name;
  for (const char *name : {"", "x", "block_num_", "num_blocks", "tile_length", "tiling", "beta"})
    EXPECT_FALSE(isDeviceMacro(name)) << name;
}

// A build defines these from the names of an operator's tensors, so no table has them.
TEST(DeviceMacros, BuildsMakeSomeOfTensors) {
  for (const char *name : {"DTYPE_X", "ORIG_DTYPE_X", "FORMAT_Y", "DTYPE_"})
    EXPECT_TRUE(isBuildMacro(name)) << name;
  for (const char *name : {"", "DTYPE", "dtype_x", "x_DTYPE_"})
    EXPECT_FALSE(isBuildMacro(name)) << name;
}

TEST(DeviceMacros, TableIsWhole) {
  std::set<std::string_view> names;
  for (const DeviceMacro &macro : deviceMacros()) {
    EXPECT_TRUE(names.insert(macro.name).second) << macro.name;
    EXPECT_TRUE(macro.versions == "8.1" || macro.versions == "9.1" || macro.versions == "both") << macro.name;
    EXPECT_TRUE(isDeviceMacro(macro.name)) << macro.name;
  }
  EXPECT_GT(names.size(), 500u);
}
