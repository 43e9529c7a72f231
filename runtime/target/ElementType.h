// Element types of tensors, of UB tiles and of intrinsics: one enumeration for contracts, IR, program
// formats and runtime.

#ifndef OPC_RUNTIME_TARGET_ELEMENTTYPE_H
#define OPC_RUNTIME_TARGET_ELEMENTTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace opc {

/// Stored in program files: values never change their meaning.
enum class ElementType : uint8_t {
  Float16 = 0,
  Float32 = 1,
  BFloat16 = 2,
  Int8 = 3,
  UInt8 = 4,
  Int16 = 5,
  UInt16 = 6,
  Int32 = 7,
  UInt32 = 8,
  Int64 = 9,
  UInt64 = 10,
  Bool = 11, ///< one byte, 0 or 1
  Float64 = 12,
};
inline constexpr unsigned kNumElementTypes = 13;

/// Bytes an element takes in memory.
unsigned elementSize(ElementType type);
/// The name in contracts and manifests: "float16", "bfloat16", "int8", "bool".
std::string_view elementTypeName(ElementType type);
std::optional<ElementType> parseElementType(std::string_view name);
/// The name in Ascend C: "half", "float", "bfloat16_t", "int8_t".
std::string_view ascendCTypeName(ElementType type);
/// The name in MLIR: "f16", "bf16", "i8", "ui8".
std::string_view mlirTypeName(ElementType type);

} // namespace opc

#endif // OPC_RUNTIME_TARGET_ELEMENTTYPE_H
