// The signature of a kernel in phase `fused`: memrefs of the inputs, memrefs of the outputs, then the scalars of the
// launch. TeDialect.td describes te.element and te.dims on them.

#ifndef OPC_LOWERING_TE_FUSEDFUNCTION_H
#define OPC_LOWERING_TE_FUSEDFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::te {

/// Makes a function with the name, attributes and location of a bound kernel, before it; its entry block is empty.
mlir::func::FuncOp makeFused(mlir::func::FuncOp bound);

} // namespace opc::te

#endif // OPC_LOWERING_TE_FUSEDFUNCTION_H
