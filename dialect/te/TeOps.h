// Ops of the te dialect.

#ifndef OPC_DIALECT_TE_TEOPS_H
#define OPC_DIALECT_TE_TEOPS_H

#include "dialect/te/Inference.h"
#include "dialect/te/TeDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace opc::te {

/// Trait: each element of the result depends only on the operands' elements at the same position.
template <typename ConcreteType> class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {};

/// Why a constant (an f64 or an i64) is not a number of a type; empty when it is one.
std::string wrongConstant(mlir::TypedAttr value, mlir::Type type);
/// The error text for a number whose magnitude is too large for a type, or so small that it would round to zero.
std::string outOfReach(mlir::Type type, bool tooLarge);

} // namespace opc::te

#include "dialect/te/TeInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialect/te/TeOps.h.inc"

#endif // OPC_DIALECT_TE_TEOPS_H
