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

/// Trait: each element of the result is computed from the elements at its place.
template <typename ConcreteType> class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {};

/// What is wrong with a constant (an f64 or an i64) as a number of a type; empty when all is well.
std::string wrongConstant(mlir::TypedAttr value, mlir::Type type);
/// What is wrong with a number beyond the numbers of a type, or nearer to zero than all but zero.
std::string outOfReach(mlir::Type type, bool tooLarge);

} // namespace opc::te

#define GET_OP_CLASSES
#include "dialect/te/TeOps.h.inc"

#endif // OPC_DIALECT_TE_TEOPS_H
