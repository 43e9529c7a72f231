// The canonical loops that the dimensions of a body's values run over.
//
// The types say no more than `?`: after te.reduce_max %x axes [-1] of a tensor [m, n] there is a tensor [?] over m,
// which would broadcast against [m, n] as if it were [n]. The loops of arguments stand in te.dims; those of other
// values follow from the ops.

#ifndef OPC_LOWERING_TE_LOOPS_H
#define OPC_LOWERING_TE_LOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace opc::te {

/// For each dimension of a tensor its loop, -1 where the size is a static 1.
using Dims = llvm::SmallVector<int64_t, 3>;

/// te.dims of an argument or a result, empty where there is none.
Dims dimsOfArgument(mlir::func::FuncOp kernel, unsigned argument);
Dims dimsOfResult(mlir::func::FuncOp kernel, unsigned result);

/// The loops among dims, in order.
Dims loopsOf(llvm::ArrayRef<int64_t> dims);

/// What a loop is to who wrote the contract: "the last dimension" of rows, "the reduced axes". By the shape key;
/// "loop 1" of a function without one.
std::string loopName(mlir::func::FuncOp kernel, int64_t loop);

class Loops {
public:
  /// Of all tensor values of a body; bound_c5 where dimensions of two loops meet.
  static mlir::FailureOr<Loops> of(mlir::func::FuncOp kernel);

  llvm::ArrayRef<int64_t> dims(mlir::Value value) const { return table.find(value)->second; }

private:
  llvm::DenseMap<mlir::Value, Dims> table;
};

} // namespace opc::te

#endif // OPC_LOWERING_TE_LOOPS_H
