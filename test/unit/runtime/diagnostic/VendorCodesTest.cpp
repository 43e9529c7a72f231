// The vendor's status codes that `opc explain` knows.

#include "runtime/diagnostic/VendorCodes.h"

#include <gtest/gtest.h>

using namespace opc;

// A family that stands before an exact number would hide it.
TEST(VendorCodes, ExactNumbersComeFirst) {
  for (const VendorCode &code : allVendorCodes()) {
    EXPECT_LE(code.first, code.last);
    EXPECT_EQ(findVendorCode(code.first == code.last ? code.first : code.last), &code) << code.first;
  }
}

// These are what users of custom operators report most.
TEST(VendorCodes, KnowsWhatUsersMeet) {
  for (uint32_t number : {0u, 100001u, 100024u, 100029u, 107000u, 107002u, 148049u, 161001u, 161002u, 207001u, 207018u,
                          507014u, 507015u, 561001u, 561002u, 561003u})
    EXPECT_NE(findVendorCode(number), nullptr) << number;
  EXPECT_EQ(findVendorCode(1), nullptr);
  EXPECT_EQ(findVendorCode(4294967295u), nullptr);
}

TEST(VendorCodes, EveryRowHasText) {
  for (const VendorCode &code : allVendorCodes()) {
    EXPECT_FALSE(code.title.empty());
    EXPECT_GE(code.explanation.size(), 20u) << code.first;
  }
}
