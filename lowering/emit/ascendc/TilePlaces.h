// The memory that a memref of a kernel denotes: its tensor or buffer, with offset, sizes and strides in elements.

#ifndef OPC_LOWERING_EMIT_ASCENDC_TILEPLACES_H
#define OPC_LOWERING_EMIT_ASCENDC_TILEPLACES_H

#include "dialect/aicore/AICoreOps.h"
#include "dialect/aicore/index/ViewShape.h"
#include "lowering/emit/ascendc/Polynomial.h"

#include <optional>

namespace opc {

/// Counted in elements from the start of tensor or buffer.
struct TilePlace : ViewShape<Polynomial> {
  aicore::BufferOp buffer; ///< null for a tensor
  unsigned tensor = 0;     ///< index of the argument of the kernel
  ElementType type = ElementType::UInt8;
  bool startsSlot = true; ///< the first element is the first of a slot

  ViewShape<Polynomial> &shape() { return *this; }
};

/// Follows views to their owner. Reports ascendc_c3 at `user` if there is none, and ascendc_c2 for a buffer without
/// an address.
mlir::FailureOr<TilePlace> placeOf(mlir::Operation *user, mlir::Value memref);

/// Whether an op only makes a view.
bool isView(mlir::Operation *op);

} // namespace opc

#endif // OPC_LOWERING_EMIT_ASCENDC_TILEPLACES_H
