// Position and length of views of tiles, as far as they are known statically.

#ifndef OPC_LOWERING_AICORE_VERIFY_VALUES_VIEWS_H
#define OPC_LOWERING_AICORE_VERIFY_VALUES_VIEWS_H

#include "dialect/aicore/AICoreOps.h"
#include "lowering/aicore/verify/values/Facts.h"

namespace opc::aicore {

/// The buffer that a view in UB is derived from by subviews; null if there is another op in between.
BufferOp bufferOfView(mlir::Value memref);

/// The lengths of the dimensions of a memref: the sizes of its subview that were not dropped, or its static shape.
llvm::SmallVector<mlir::OpFoldResult> lengthsOf(mlir::Value memref);

/// A view of rank 1 in UB: its offset and length in the slot, in elements.
struct Extent {
  Fact offset{0, 0, 0};
  mlir::OpFoldResult length;
};
Extent extentOf(mlir::Value memref, const Facts &facts);

/// A length as text for messages: a number, or the value as IR prints it.
std::string lengthText(mlir::OpFoldResult length);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_VALUES_VIEWS_H
