#include "ops/proto/Words.h"

using namespace opc;

static constexpr struct {
  const char *name;
  ElementType type;
} kTypes[] = {
    // In the order of the enumeration, then further spellings.
    {"float16", ElementType::Float16}, {"float", ElementType::Float32},   {"bf16", ElementType::BFloat16},
    {"int8", ElementType::Int8},       {"uint8", ElementType::UInt8},     {"int16", ElementType::Int16},
    {"uint16", ElementType::UInt16},   {"int32", ElementType::Int32},     {"uint32", ElementType::UInt32},
    {"int64", ElementType::Int64},     {"uint64", ElementType::UInt64},   {"bool", ElementType::Bool},
    {"double", ElementType::Float64},  {"fp16", ElementType::Float16},    {"half", ElementType::Float16},
    {"fp32", ElementType::Float32},    {"float32", ElementType::Float32}, {"bfloat16", ElementType::BFloat16},
    {"float64", ElementType::Float64},
};

static constexpr struct {
  const char *name;
  AttributeType type;
} kAttributes[] = {
    {"float", AttributeType::Float},
    {"int", AttributeType::Int},
    {"bool", AttributeType::Bool},
    {"string", AttributeType::String},
    {"list_float", AttributeType::ListFloat},
    {"list_int", AttributeType::ListInt},
    {"list_bool", AttributeType::ListBool},
    {"list_string", AttributeType::ListString},
    {"str", AttributeType::String},
    {"listFloat", AttributeType::ListFloat},
    {"listInt", AttributeType::ListInt},
    {"listBool", AttributeType::ListBool},
    {"listStr", AttributeType::ListString},
};

std::string opc::vendorTypeName(ElementType type) {
  return kTypes[static_cast<size_t>(type)].name;
}

std::optional<ElementType> opc::parseVendorType(std::string_view name) {
  for (const auto &known : kTypes)
    if (name == known.name)
      return known.type;
  return std::nullopt;
}

std::string opc::vendorAttributeName(AttributeType type) {
  return kAttributes[static_cast<size_t>(type)].name;
}

std::optional<AttributeType> opc::parseVendorAttribute(std::string_view name) {
  for (const auto &known : kAttributes)
    if (name == known.name)
      return known.type;
  return std::nullopt;
}

std::vector<std::string> opc::vendorTypeNames() {
  std::vector<std::string> names;
  for (const auto &known : kTypes)
    names.emplace_back(known.name);
  return names;
}

std::vector<std::string> opc::vendorAttributeNames() {
  std::vector<std::string> names;
  for (const auto &known : kAttributes)
    names.emplace_back(known.name);
  return names;
}
