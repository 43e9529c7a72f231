// The C++ operators of comparisons.

#ifndef OPC_LOWERING_EMIT_CPP_PREDICATES_H
#define OPC_LOWERING_EMIT_CPP_PREDICATES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"

#include <optional>

namespace opc {

/// For signed 64-bit operands; nullopt for an unsigned comparison whose operands may be negative.
std::optional<mlir::emitc::CmpPredicate> cppPredicate(mlir::arith::CmpIOp compare);

} // namespace opc

#endif // OPC_LOWERING_EMIT_CPP_PREDICATES_H
