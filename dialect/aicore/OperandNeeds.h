// The names of the attributes of an instance that hold what computes an operand of its matrix product needs
// (#aicore.needs). An operand that is multiplied as it lies in memory has none.

#ifndef OPC_DIALECT_AICORE_OPERANDNEEDS_H
#define OPC_DIALECT_AICORE_OPERANDNEEDS_H

#include "llvm/ADT/StringRef.h"

namespace opc::aicore {

inline constexpr llvm::StringLiteral kNeedsOfLeftAttr = "aicore.needs_of_left";
inline constexpr llvm::StringLiteral kNeedsOfRightAttr = "aicore.needs_of_right";

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_OPERANDNEEDS_H
