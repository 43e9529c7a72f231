// Comparisons as C++ spells them.

#ifndef OPC_LOWERING_EMIT_CPP_PREDICATES_H
#define OPC_LOWERING_EMIT_CPP_PREDICATES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"

#include <optional>

namespace opc {

/// Of signed 64-bit operands; none for an unsigned comparison whose operands may be negative.
std::optional<mlir::emitc::CmpPredicate> cppPredicate(mlir::arith::CmpIOp compare);

} // namespace opc

#endif // OPC_LOWERING_EMIT_CPP_PREDICATES_H
