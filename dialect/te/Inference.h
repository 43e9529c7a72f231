// Result types of te ops, and the rules of their operands: value_c1 to value_c4 and axes_c1, axes_c2 of TeDialect.td
// and ShapeOps.td. Inference runs when an op is parsed and again when it is verified, so these functions alone check
// the rules. Errors carry the label and are reported at `location`; without a location they are silent.

#ifndef OPC_DIALECT_TE_INFERENCE_H
#define OPC_DIALECT_TE_INFERENCE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>

namespace opc::te {

/// Kinds of elements that an op is defined for.
enum class Kinds {
  kFloats,
  kNumbers, ///< floats and integers
  kTruths,
  kAll, ///< numbers and truth values
};

/// A number type of te: floats, signed (signless in MLIR) and unsigned integers of 8 to 64 bits, i1.
bool isNumberType(mlir::Type type);
/// A number, or a ranked tensor of them.
bool isValueType(mlir::Type type);
/// Whether a value of this type represents all tensors of an input with a count.
bool isOfEach(mlir::Type type);
/// The element type of a tensor; a scalar's own type.
mlir::Type elementOf(mlir::Type type);

/// The common element type of operands that keep value_c2: the element type of the tensors; for scalars alone their
/// type, or f32 or i64 where their types differ.
mlir::Type commonElement(mlir::ValueRange operands);

/// Appends the type of lhs op rhs op ...: the broadcast shape with the common element type.
mlir::LogicalResult inferElementwise(std::optional<mlir::Location> location, llvm::StringRef op,
                                     mlir::ValueRange operands, Kinds kinds, llvm::SmallVectorImpl<mlir::Type> &types);

/// The same with truth values as elements.
mlir::LogicalResult inferTruth(std::optional<mlir::Location> location, llvm::StringRef op, mlir::ValueRange operands,
                               Kinds kinds, llvm::SmallVectorImpl<mlir::Type> &types);

/// Appends the type of a reduction. Axes are dropped, or left as 1: with `keep`, and while a body is parsed whose
/// dimensions match by name (AxisFrame::Domain), where values have a dimension for each loop.
mlir::LogicalResult inferReduction(std::optional<mlir::Location> location, llvm::StringRef op, mlir::Value operand,
                                   llvm::ArrayRef<int64_t> axes, bool keep, Kinds kinds,
                                   llvm::SmallVectorImpl<mlir::Type> &types);

/// Axes counted from 0, sorted. They must be valid for the rank.
llvm::SmallVector<int64_t> normalisedAxes(llvm::ArrayRef<int64_t> axes, int64_t rank);

} // namespace opc::te

#endif // OPC_DIALECT_TE_INFERENCE_H
