// Element types of ONNX models; opc has kernels for some of them.

#ifndef OPC_OPS_ONNX_ELEMENTTYPE_H
#define OPC_OPS_ONNX_ELEMENTTYPE_H

#include "runtime/target/ElementType.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace opc::onnx {

/// Values are the numbers of TensorProto.DataType.
enum class ElementType : uint8_t {
  Undefined = 0,
#define OPC_ONNX_TYPE(NUMBER, ENUMERATOR, NAME, BITS) ENUMERATOR = NUMBER,
#include "ops/onnx/ElementTypes.def"
#undef OPC_ONNX_TYPE
};

/// nullopt for numbers that ONNX does not define.
std::optional<ElementType> elementTypeOf(int64_t number);
/// "float32", "float8e4m3fn"; the contract's name if contracts have the type.
std::string_view elementTypeName(ElementType type);
/// Bits that an element takes in rows; 0 for strings, which have no fixed size.
unsigned elementBits(ElementType type);
/// The corresponding type of opc; nullopt if there is none.
std::optional<opc::ElementType> opcType(ElementType type);

/// The ONNX type that corresponds to opc's.
ElementType onnxTypeOf(opc::ElementType type);

} // namespace opc::onnx

#endif // OPC_OPS_ONNX_ELEMENTTYPE_H
