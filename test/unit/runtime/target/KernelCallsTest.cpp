// The table of calls by version, and what the rest of the target says against it: no intrinsic in a type, and no cast
// in a rounding mode, that one of the toolkit's versions lacks.

#include "runtime/target/toolkit/KernelCalls.h"
#include "runtime/target/RowForm.h"
#include "runtime/target/Target.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

using namespace opc;

// A kernel would compile, and the chip would do nothing: placement takes what Intrinsics.def has.
TEST(KernelCalls, BothVersionsHaveEveryIntrinsicInEveryRow) {
  for (const IntrinsicInfo &info : allIntrinsics())
    for (TypeRow types : info.types)
      for (Cann version : kCannVersions)
        EXPECT_EQ(callFate(version, info.ascendC, callForm(info), callRow(info, types)), CallFate::Emits)
            << info.name << " as " << info.ascendC << " by " << callForm(info) << " on " << callRow(info, types)
            << " in " << cannName(version);
}

// Rows with a block each are strided calls, another form than a count.
TEST(KernelCalls, BothVersionsHaveTheFormForRows) {
  unsigned found = 0;
  for (const IntrinsicInfo &info : allIntrinsics())
    if (mayTakeRows(info.intrinsic))
      for (TypeRow types : info.types)
        for (Cann version : kCannVersions) {
          ++found;
          EXPECT_EQ(callFate(version, info.ascendC, "mask", callRow(info, types)), CallFate::Emits) << info.name;
        }
  EXPECT_GT(found, 0u);
}

// A mode that a row lacks compiles and emits nothing.
TEST(KernelCalls, BothVersionsRoundAsCastsMay) {
  const Target &target = *findTarget("Ascend310B");
  for (TypeRow types : intrinsicInfo(Intrinsic::vcast).types)
    for (RoundingMode mode : target.castRoundings(types))
      for (Cann version : kCannVersions)
        EXPECT_TRUE(castRounds(version, types, mode))
            << mlirTypeName(types.source) << " to " << mlirTypeName(types.destination) << " by "
            << roundingModeName(mode) << " in " << cannName(version);
}

// The fates that the table tells apart, each by a call that has it.
TEST(KernelCalls, TellsFatesApart) {
  EXPECT_EQ(callFate(Cann::V8_1, "Add", "count", "f16"), CallFate::Emits);
  EXPECT_EQ(callFate(Cann::V8_1, "Add", "count", "bf16"), CallFate::Nothing) << "silent";
  EXPECT_EQ(callFate(Cann::V9_1, "Duplicate", "count", "bf16"), CallFate::Refused);
  EXPECT_EQ(callFate(Cann::V8_1, "Copy", "count", "f32"), CallFate::Refused);
  EXPECT_EQ(callFate(Cann::V8_1, "Compares", "count", "f32>ui8"), CallFate::Absent);
  EXPECT_EQ(callFate(Cann::V9_1, "Compares", "count", "f32>ui8"), CallFate::Emits);
  EXPECT_EQ(callFate(Cann::V9_1, "MulAddDst", "count", "f16>f32"), CallFate::Nothing);
  EXPECT_EQ(callFate(Cann::V8_1, "RepeatReduceSum", "mask", "f16"), CallFate::Nothing);
  EXPECT_EQ(callFate(Cann::V9_1, "RepeatReduceSum", "mask", "f16"), CallFate::Emits);
  EXPECT_EQ(callFate(Cann::V9_1, "DataCopyPad", "GM_to_UB_DataCopyExtParams", "i64"), CallFate::Unknown) << "not clear";
  EXPECT_EQ(callFate(Cann::V9_1, "Ad", "count", "f16"), CallFate::Unknown);
  EXPECT_EQ(callFate(Cann::V9_1, "Add", "", "f16"), CallFate::Unknown);
  EXPECT_FALSE(castRounds(Cann::V8_1, {ElementType::Float32, ElementType::Int32}, RoundingMode::Odd));
  EXPECT_FALSE(hasCall(Cann::V8_1, "Compares"));
  EXPECT_TRUE(hasCall(Cann::V9_1, "Compares"));
  EXPECT_TRUE(knowsCall("Tanh"));
  EXPECT_FALSE(knowsCall("Tan2"));
}

// A fix that one of the versions lacks would be no fix.
TEST(KernelCalls, WhatIsToldInsteadIsThereInBoth) {
  std::set<std::string_view> told;
#define OPC_CALL(...)
#define OPC_CAST_MODES(...)
#define OPC_CALL_OF_BOTH(NAME, FORM) told.insert(NAME);
#include "runtime/target/toolkit/KernelCalls.def"
#undef OPC_CALL
#undef OPC_CAST_MODES
#undef OPC_CALL_OF_BOTH
  ASSERT_FALSE(told.empty());
  for (std::string_view name : told) {
    bool isAnywhere = false;
    for (Cann version : kCannVersions)
      isAnywhere = isAnywhere || hasCall(version, name);
    EXPECT_TRUE(isAnywhere) << name;
    const std::string texts(callOfBoth(name));
    const std::regex word("[A-Z]\\w+");
    for (std::sregex_iterator i(texts.begin(), texts.end(), word), end; i != end; ++i)
      for (Cann version : kCannVersions)
        EXPECT_TRUE(hasCall(version, i->str())) << i->str() << " in " << cannName(version);
  }
}
