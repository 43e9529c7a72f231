// The table of intrinsics against itself and against the vendor's API list.

#include "runtime/target/Target.h"

#include <gtest/gtest.h>

#include <set>

using namespace opc;

// Program files name intrinsics, and tables are indexed by enumerator.
TEST(Intrinsics, NamesAreUniqueAndFindTheirRow) {
  std::set<std::string_view> names;
  for (const IntrinsicInfo &info : allIntrinsics()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(findIntrinsic(info.name), info.intrinsic);
    EXPECT_EQ(&intrinsicInfo(info.intrinsic), &info);
  }
  EXPECT_EQ(findIntrinsic("vtanh"), std::nullopt);
  EXPECT_EQ(findIntrinsic(""), std::nullopt);
}

// A misspelt type in the table would read as float64, which no vector unit has. Only casts have words of 64 bits.
TEST(Intrinsics, RowsNameTypesOfTheVectorUnit) {
  for (const IntrinsicInfo &info : allIntrinsics()) {
    EXPECT_FALSE(info.types.empty()) << info.name;
    std::set<std::pair<ElementType, ElementType>> rows;
    for (TypeRow row : info.types) {
      for (ElementType type : {row.source, row.destination}) {
        EXPECT_LE(elementSize(type), info.form == IntrinsicForm::Cast ? 8u : 4u) << info.name;
        EXPECT_NE(type, ElementType::Float64) << info.name;
      }
      EXPECT_TRUE(rows.insert({row.source, row.destination}).second) << info.name << " has a row twice";
    }
  }
}

// Emitted kernels call these names: one that the chip does not have would compile and do nothing.
TEST(Intrinsics, EveryCallIsInTheApiOfTheChip) {
  for (const IntrinsicInfo &info : allIntrinsics())
    EXPECT_EQ(queryApi(info.ascendC).support, ApiSupport::Yes) << info.ascendC;
}

// "f16>i8" reads half and writes int8; the other way round every cast would be refused.
TEST(Intrinsics, RowsReadThenWrite) {
  const IntrinsicInfo &info = intrinsicInfo(Intrinsic::vaddrelucast);
  ASSERT_EQ(info.types.size(), 2u);
  EXPECT_EQ(info.types[0].source, ElementType::Float16);
  EXPECT_EQ(info.types[0].destination, ElementType::Int8);
  EXPECT_EQ(info.types[1].source, ElementType::Float32);
  EXPECT_EQ(info.types[1].destination, ElementType::Float16);
}

TEST(Intrinsics, ModesHaveTheirNames) {
  EXPECT_EQ(roundingModeName(RoundingMode::None), "none");
  EXPECT_EQ(roundingModeName(RoundingMode::Odd), "odd");
  EXPECT_EQ(ascendCRoundingName(RoundingMode::Rint), "CAST_RINT");
  EXPECT_EQ(ascendCRoundingName(RoundingMode::Odd), "CAST_ODD");
  EXPECT_EQ(compareModeName(CompareMode::Lt), "lt");
  EXPECT_EQ(compareModeName(CompareMode::Ne), "ne");
}
