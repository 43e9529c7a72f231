// The canonical loops of the dimensions of a body's values.
//
// Types only say `?`. After te.reduce_max %x axes [-1] on a tensor [m, n], the result is a tensor [?] over m, which
// would broadcast against [m, n] as if it were [n]. The loops of arguments are in te.dims; those of other values are
// derived from the ops.

#ifndef OPC_LOWERING_TE_LOOPS_H
#define OPC_LOWERING_TE_LOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace opc::te {

/// The loop of each dimension of a tensor; -1 for a static size of 1.
using Dims = llvm::SmallVector<int64_t, 3>;

/// te.dims of an argument or a result; empty if there is none.
Dims dimsOfArgument(mlir::func::FuncOp kernel, unsigned argument);
Dims dimsOfResult(mlir::func::FuncOp kernel, unsigned result);

/// The loops in `dims`, in order.
Dims loopsOf(llvm::ArrayRef<int64_t> dims);

/// A loop in terms of the contract, such as "the last dimension" of rows or "the reduced axes", depending on the
/// shape key; "loop 1" for a function without one.
std::string loopName(mlir::func::FuncOp kernel, int64_t loop);

class Loops {
public:
  /// The loops of all tensor values of a body; reports bound_c5 if dimensions of two different loops meet.
  static mlir::FailureOr<Loops> of(mlir::func::FuncOp kernel);

  llvm::ArrayRef<int64_t> dims(mlir::Value value) const { return table.find(value)->second; }

private:
  llvm::DenseMap<mlir::Value, Dims> table;
};

} // namespace opc::te

#endif // OPC_LOWERING_TE_LOOPS_H
