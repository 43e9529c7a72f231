// Where a view of a tile lies and how long it is, as far as that is known without running anything.

#ifndef OPC_LOWERING_AICORE_VERIFY_VALUES_VIEWS_H
#define OPC_LOWERING_AICORE_VERIFY_VALUES_VIEWS_H

#include "dialect/aicore/AICoreOps.h"
#include "lowering/aicore/verify/values/Facts.h"

namespace opc::aicore {

/// What a view in UB is a view of: follows subviews to the buffer; null when something else is met.
BufferOp bufferOfView(mlir::Value memref);

/// The lengths of the dimensions that a memref has: those of its subview that were not dropped, or its static shape.
llvm::SmallVector<mlir::OpFoldResult> lengthsOf(mlir::Value memref);

/// A view of rank 1 in UB as offset and length in its slot, in elements.
struct Extent {
  Fact offset{0, 0, 0};
  mlir::OpFoldResult length;
};
Extent extentOf(mlir::Value memref, const Facts &facts);

/// A length for a message: a number, or the value as IR prints it.
std::string lengthText(mlir::OpFoldResult length);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_VALUES_VIEWS_H
