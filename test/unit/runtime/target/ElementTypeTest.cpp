// Spellings and sizes of the element types.

#include "runtime/target/ElementType.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace opc;

static std::string asString(std::string_view text) {
  return std::string(text);
}

// Rows are found by the enumerator's value: one row out of place would give every later type another size.
TEST(ElementType, RowsStandInTheOrderOfTheEnumerators) {
  EXPECT_EQ(asString(elementTypeName(ElementType::Float16)), "float16");
  EXPECT_EQ(asString(ascendCTypeName(ElementType::Float16)), "half");
  EXPECT_EQ(asString(mlirTypeName(ElementType::BFloat16)), "bf16");
  EXPECT_EQ(asString(mlirTypeName(ElementType::UInt8)), "ui8");
  EXPECT_EQ(asString(elementTypeName(ElementType::Bool)), "bool");
  EXPECT_EQ(asString(elementTypeName(ElementType::Float64)), "float64");
  EXPECT_EQ(elementSize(ElementType::Bool), 1u);
  EXPECT_EQ(elementSize(ElementType::Float64), 8u);
}

// A size that disagrees with the name would shift every element of a tensor.
TEST(ElementType, SizesAgreeWithNames) {
  for (unsigned i = 0; i < kNumElementTypes; ++i) {
    auto type = static_cast<ElementType>(i);
    std::string name = asString(elementTypeName(type));
    size_t digit = name.find_first_of("0123456789");
    unsigned bits = digit == std::string::npos ? 8 : static_cast<unsigned>(std::stoi(name.substr(digit)));
    EXPECT_EQ(elementSize(type) * 8, bits) << name;
  }
}

// Names are keys of contracts and manifests.
TEST(ElementType, NamesAreUniqueAndParse) {
  std::set<std::string> names, mlirNames;
  for (unsigned i = 0; i < kNumElementTypes; ++i) {
    auto type = static_cast<ElementType>(i);
    EXPECT_TRUE(names.insert(asString(elementTypeName(type))).second);
    EXPECT_TRUE(mlirNames.insert(asString(mlirTypeName(type))).second);
    EXPECT_EQ(parseElementType(elementTypeName(type)), type);
  }
  for (const char *name : {"", "half", "f16", "Float16", "float16 ", "int4"})
    EXPECT_EQ(parseElementType(name), std::nullopt) << name;
}
