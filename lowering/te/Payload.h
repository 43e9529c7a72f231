// Scalar ops for one element: what stands in the payload of a generic, and in front of generics for values that
// are scalars already.

#ifndef OPC_LOWERING_TE_PAYLOAD_H
#define OPC_LOWERING_TE_PAYLOAD_H

#include "lowering/te/Precision.h"

#include "mlir/IR/Builders.h"

namespace opc::te {

/// Constants at the entry of a kernel, each once.
class Constants {
public:
  explicit Constants(mlir::OpBuilder entry) : entry(entry) {}

  /// `value` rounded to a float type, or to an integer type that holds it.
  mlir::Value get(mlir::Type type, double value);
  /// A te.constant's value (f64 or i64) as a number of `type`.
  mlir::Value get(mlir::Type type, mlir::Attribute value);
  mlir::Value get(mlir::TypedAttr value);

private:
  mlir::OpBuilder entry;
  llvm::DenseMap<mlir::Attribute, mlir::Value> known;
};

/// One element at a time, at the builder's place.
class Payload {
public:
  Payload(mlir::OpBuilder &builder, Constants &constants, const Precision &precision)
      : builder(builder), constants(constants), precision(precision) {}

  /// From the stored to the computed type of an element, and back.
  mlir::Value read(mlir::Location location, mlir::Value stored, mlir::Type element);
  mlir::Value write(mlir::Location location, mlir::Value computed, mlir::Type element);
  /// Between numbers of one kind; integers by their width, with the sign of `element`.
  mlir::Value resize(mlir::Location location, mlir::Value value, mlir::Type type, bool isUnsigned = false);

  /// The type an elementwise op takes an operand in.
  mlir::Type operandType(mlir::Operation *op, unsigned operand) const;
  /// The op on one element. Operands are of their operandType, the result is of the computed type of its element.
  mlir::Value apply(mlir::Operation *op, mlir::ValueRange operands);

  /// One step of a reduction, and what it starts from.
  mlir::Value combine(mlir::Operation *reduction, mlir::Value sum, mlir::Value value);
  mlir::Value neutral(mlir::Operation *reduction, mlir::Type type);

private:
  mlir::Value cast(mlir::Operation *op, mlir::Value value);

  mlir::OpBuilder &builder;
  Constants &constants;
  const Precision &precision;
};

} // namespace opc::te

#endif // OPC_LOWERING_TE_PAYLOAD_H
