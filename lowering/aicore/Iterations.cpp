#include "lowering/aicore/Iterations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

Value opc::aicore::iterationOf(OpBuilder &builder, ArrayRef<scf::ForOp> nest) {
  Value number = scf::ForOp(nest.front()).getInductionVar();
  for (scf::ForOp inner : nest.drop_front()) {
    number = arith::MulIOp::create(builder, inner.getLoc(), number, inner.getUpperBound());
    number = arith::AddIOp::create(builder, inner.getLoc(), number, inner.getInductionVar());
  }
  return number;
}
