// The signature of a kernel in phase `fused`: memrefs of inputs, of outputs, then the scalars of the launch. What
// te.element and te.dims say of them stands in TeDialect.td.

#ifndef OPC_LOWERING_TE_FUSEDFUNCTION_H
#define OPC_LOWERING_TE_FUSEDFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::te {

/// A function with the name, the marks and the places of a bound kernel, in front of it; its entry block is empty.
mlir::func::FuncOp makeFused(mlir::func::FuncOp bound);

} // namespace opc::te

#endif // OPC_LOWERING_TE_FUSEDFUNCTION_H
