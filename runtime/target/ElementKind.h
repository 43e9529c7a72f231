// What kind of numbers an element type has.

#ifndef OPC_RUNTIME_TARGET_ELEMENTKIND_H
#define OPC_RUNTIME_TARGET_ELEMENTKIND_H

#include "runtime/target/ElementType.h"

namespace opc {

inline constexpr bool isFloat(ElementType type) {
  return type == ElementType::Float16 || type == ElementType::BFloat16 || type == ElementType::Float32 ||
         type == ElementType::Float64;
}

} // namespace opc

#endif // OPC_RUNTIME_TARGET_ELEMENTKIND_H
