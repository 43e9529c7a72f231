// Sizes and spellings of the element types, one row for each type.

#include "runtime/target/ElementType.h"

using namespace opc;

namespace {
struct ElementTypeRow {
  unsigned size;
  std::string_view name, ascendC, mlir;
};
} // namespace

// In the order of the enumerators.
static constexpr ElementTypeRow rows[kNumElementTypes] = {
    {2, "float16", "half", "f16"},     {4, "float32", "float", "f32"},    {2, "bfloat16", "bfloat16_t", "bf16"},
    {1, "int8", "int8_t", "i8"},       {1, "uint8", "uint8_t", "ui8"},    {2, "int16", "int16_t", "i16"},
    {2, "uint16", "uint16_t", "ui16"}, {4, "int32", "int32_t", "i32"},    {4, "uint32", "uint32_t", "ui32"},
    {8, "int64", "int64_t", "i64"},    {8, "uint64", "uint64_t", "ui64"}, {1, "bool", "bool", "i1"},
    {8, "float64", "double", "f64"},
};

static const ElementTypeRow &row(ElementType type) {
  return rows[static_cast<unsigned>(type)];
}

unsigned opc::elementSize(ElementType type) {
  return row(type).size;
}
std::string_view opc::elementTypeName(ElementType type) {
  return row(type).name;
}
std::string_view opc::ascendCTypeName(ElementType type) {
  return row(type).ascendC;
}
std::string_view opc::mlirTypeName(ElementType type) {
  return row(type).mlir;
}

std::optional<ElementType> opc::parseElementType(std::string_view name) {
  for (unsigned i = 0; i < kNumElementTypes; ++i)
    if (rows[i].name == name)
      return static_cast<ElementType>(i);
  return std::nullopt;
}
