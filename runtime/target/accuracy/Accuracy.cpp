#include "runtime/target/accuracy/Accuracy.h"

#include <cstdio>

using namespace opc;

// Rows are in the order of the intrinsics. Comparing the enumerators of both tables finds a missing or misplaced row
// at compile time.
namespace {
enum class Row : uint8_t {
#define OPC_ACCURACY(NAME, MEASURE, HALF, SINGLE, OPEN, SOURCE) NAME,
#include "runtime/target/accuracy/Accuracy.def"
#undef OPC_ACCURACY
  Count
};
enum class Listed : uint8_t {
#define OPC_INTRINSIC(NAME, ASCENDC, FORM, TYPES) NAME,
#include "runtime/target/Intrinsics.def"
#undef OPC_INTRINSIC
  Count
};
#define OPC_INTRINSIC(NAME, ASCENDC, FORM, TYPES)                                                                      \
  static_assert(unsigned(Row::NAME) == unsigned(Listed::NAME), "Accuracy.def: " #NAME);
#include "runtime/target/Intrinsics.def"
#undef OPC_INTRINSIC
static_assert(unsigned(Row::Count) == unsigned(Listed::Count));
} // namespace

const Accuracy &opc::accuracyOf(Intrinsic intrinsic) {
  static constexpr Accuracy table[] = {
#define OPC_ACCURACY(NAME, MEASURE, HALF, SINGLE, OPEN, SOURCE)                                                        \
  {Intrinsic::NAME, ErrorMeasure::MEASURE, HALF, SINGLE, OPEN, SOURCE},
#include "runtime/target/accuracy/Accuracy.def"
#undef OPC_ACCURACY
  };
  return table[static_cast<size_t>(intrinsic)];
}

static std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

static std::string boundText(const Accuracy &accuracy) {
  const bool same = accuracy.half == accuracy.single;
  const std::string bounds =
      same ? number(accuracy.single) : number(accuracy.half) + " (half) and " + number(accuracy.single) + " (float)";
  switch (accuracy.measure) {
  case ErrorMeasure::Exact:
    return "exact";
  case ErrorMeasure::Rounded:
    return "nearest number";
  case ErrorMeasure::Ulps:
    return "within " + bounds + " ulp";
  case ErrorMeasure::Relative:
    return "within " + bounds + " of the value";
  }
  return "";
}

std::string Accuracy::text() const {
  std::string text = boundText(*this);
  if (leavesOpen(Overflow))
    text += "; 16 bits overflow to infinity or the largest number";
  if (leavesOpen(Fusion))
    text += "; the product rounded or not";
  if (leavesOpen(Subnormals))
    text += "; subnormals kept or flushed";
  return text;
}
