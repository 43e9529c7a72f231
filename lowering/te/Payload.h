// Scalar ops for a single element: the payloads of generics, and the ops before generics for values that are scalars.

#ifndef OPC_LOWERING_TE_PAYLOAD_H
#define OPC_LOWERING_TE_PAYLOAD_H

#include "lowering/te/Precision.h"

#include "mlir/IR/Builders.h"

namespace opc::te {

/// Constants in the entry block of a kernel, without duplicates.
class Constants {
public:
  explicit Constants(mlir::OpBuilder entry) : entry(entry) {}

  /// `value` rounded to a float type, or as an integer type that holds it.
  mlir::Value get(mlir::Type type, double value);
  /// The value of a te.constant (f64 or i64) as a number of `type`.
  mlir::Value get(mlir::Type type, mlir::Attribute value);
  mlir::Value get(mlir::TypedAttr value);

private:
  mlir::OpBuilder entry;
  llvm::DenseMap<mlir::Attribute, mlir::Value> known;
};

/// Emits ops on single elements at the insertion point.
class Payload {
public:
  Payload(mlir::OpBuilder &builder, Constants &constants, const Precision &precision)
      : builder(builder), constants(constants), precision(precision) {}

  /// Converts an element from its stored to its computed type, and back.
  mlir::Value read(mlir::Location location, mlir::Value stored, mlir::Type element);
  mlir::Value write(mlir::Location location, mlir::Value computed, mlir::Type element);
  /// Converts between floats or between integers; `isUnsigned` selects how integers are widened.
  mlir::Value resize(mlir::Location location, mlir::Value value, mlir::Type type, bool isUnsigned = false);

  /// The type in which an elementwise op takes an operand.
  mlir::Type operandType(mlir::Operation *op, unsigned operand) const;
  /// Applies the op to one element. Operands have their operandType, and the result has the computed type of its
  /// element.
  mlir::Value apply(mlir::Operation *op, mlir::ValueRange operands);

  /// A step of a reduction, and the neutral element that it starts from.
  mlir::Value combine(mlir::Operation *reduction, mlir::Value sum, mlir::Value value);
  mlir::Value neutral(mlir::Operation *reduction, mlir::Type type);

  /// A step of te.arg_max or te.arg_min, whose extreme value is known: the next position, from that of earlier
  /// elements. The first step starts from noPosition(), which is no valid position.
  mlir::Value locate(mlir::Operation *arg, mlir::Value value, mlir::Value extreme, mlir::Value index,
                     mlir::Value position);
  mlir::Value noPosition(mlir::Operation *arg);

private:
  mlir::Value computed(mlir::Operation *op, mlir::ValueRange operands);
  mlir::Value cast(mlir::Operation *op, mlir::Value value);

  mlir::OpBuilder &builder;
  Constants &constants;
  const Precision &precision;
};

} // namespace opc::te

#endif // OPC_LOWERING_TE_PAYLOAD_H
