// The types in which a body is computed: the contract's `precision`, given by te.compute and te.accumulate of a kernel.
//
//   element of te     stored in memrefs     computed in                      summed in
//   f16               f16                   te.compute, else f16             te.accumulate, else as computed
//   bf16              bf16                  te.compute, else f32             "
//   f32, f64          as it is              te.compute where wider           "
//   iN, uiN           iN                    iN                               te.accumulate where it is an integer
//   i1                i8, 0 or 1            i1

#ifndef OPC_LOWERING_TE_PRECISION_H
#define OPC_LOWERING_TE_PRECISION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::te {

/// The element type of memrefs and of tensors between generics; always signless.
mlir::Type storedType(mlir::Type element);
/// Integers of te are signed unless their type is unsigned; truth values are 0 and 1.
bool isUnsigned(mlir::Type element);

class Precision {
public:
  explicit Precision(mlir::func::FuncOp kernel);

  /// The type of scalars in payloads; always signless.
  mlir::Type computed(mlir::Type element) const;
  /// The accumulation type of a reduction: for sums and products as the contract states, for maxima and minima
  /// the computed type, for truth values the stored one. For matrix products it is at least f32, regardless of
  /// the contract.
  mlir::Type reduced(mlir::Operation *reduction) const;

private:
  mlir::Type compute, accumulate; ///< null if not stated
};

} // namespace opc::te

#endif // OPC_LOWERING_TE_PRECISION_H
