// The table of accuracies: each row says what can be true of its intrinsic, and where it is from.

#include "runtime/target/accuracy/Accuracy.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace opc;

namespace {

bool isNarrowFloat(ElementType type) {
  return type == ElementType::Float16 || type == ElementType::BFloat16;
}

bool anyRow(const IntrinsicInfo &info, bool (*holds)(const TypeRow &)) {
  return std::any_of(info.types.begin(), info.types.end(), holds);
}

} // namespace

// A bound where none belongs, or none where one does, is an error that the simulator never draws.
TEST(Accuracy, RowsFitTheirIntrinsics) {
  for (const IntrinsicInfo &info : allIntrinsics()) {
    const Accuracy &row = accuracyOf(info.intrinsic);
    EXPECT_EQ(row.intrinsic, info.intrinsic) << info.name;
    EXPECT_FALSE(row.source.empty()) << info.name;
    EXPECT_EQ(row.half > 0 && row.single > 0, row.isInterval()) << info.name;
    EXPECT_EQ(row.half > 0 || row.single > 0, row.isInterval()) << info.name;
    // A product of halves is rounded to half even where it becomes an integer then.
    const bool narrows = anyRow(
        info, [](const TypeRow &types) { return isNarrowFloat(types.destination) || isNarrowFloat(types.source); });
    if (row.leavesOpen(Overflow))
      EXPECT_TRUE(narrows && row.measure != ErrorMeasure::Exact) << info.name;
    if (row.leavesOpen(Fusion))
      EXPECT_EQ(info.form, IntrinsicForm::Accumulate) << info.name;
    if (row.leavesOpen(Subnormals))
      EXPECT_TRUE(row.isInterval()) << info.name;
    // Sums of halves overflow, whatever their shape.
    if (row.measure == ErrorMeasure::Rounded && info.form != IntrinsicForm::Fill)
      EXPECT_TRUE(row.leavesOpen(Overflow)) << info.name;
    if (row.isInterval())
      EXPECT_TRUE(row.assumed()) << info.name << ": nothing of the kind is published";
  }
}

// The text is all that a reader of a page gets.
TEST(Accuracy, Text) {
  EXPECT_EQ(accuracyOf(Intrinsic::vmax).text(), "exact");
  EXPECT_EQ(accuracyOf(Intrinsic::vfma).text(),
            "nearest number; 16 bits overflow to infinity or the largest number; the product "
            "rounded or not");
  for (Intrinsic function : {Intrinsic::vexp, Intrinsic::vdiv})
    EXPECT_EQ(accuracyOf(function).text(),
              std::string("within ") + (function == Intrinsic::vexp ? "2" : "1") +
                  " ulp; 16 bits overflow to infinity or the largest number; subnormals kept or "
                  "flushed");
  EXPECT_EQ(accuracyOf(Intrinsic::vsqrt).text(), "within 1 ulp; subnormals kept or flushed");
  EXPECT_EQ(accuracyOf(Intrinsic::vrec).text().substr(0, 25), "within 0.004 of the value");
}
