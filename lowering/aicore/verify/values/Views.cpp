#include "lowering/aicore/verify/values/Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace opc::aicore {

BufferOp bufferOfView(Value memref) {
  while (auto subview = memref.getDefiningOp<memref::SubViewOp>())
    memref = subview.getSource();
  return memref.getDefiningOp<BufferOp>();
}

SmallVector<OpFoldResult> lengthsOf(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<OpFoldResult> lengths;
  if (auto subview = memref.getDefiningOp<memref::SubViewOp>()) {
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    for (auto [dim, size] : llvm::enumerate(subview.getMixedSizes()))
      if (!dropped[dim])
        lengths.push_back(size);
    return lengths;
  }
  if (auto cast = memref.getDefiningOp<memref::ReinterpretCastOp>())
    return cast.getMixedSizes();
  for (int64_t size : type.getShape())
    lengths.push_back(Builder(memref.getContext()).getIndexAttr(size));
  return lengths;
}

Extent extentOf(Value memref, const Facts &facts) {
  Extent extent;
  extent.length = lengthsOf(memref).back();
  for (; auto subview = memref.getDefiningOp<memref::SubViewOp>(); memref = subview.getSource())
    extent.offset = sum(extent.offset, facts.of(subview.getMixedOffsets().back()));
  return extent;
}

std::string lengthText(OpFoldResult length) {
  if (std::optional<int64_t> constant = getConstantIntValue(length))
    return std::to_string(*constant);
  std::string text;
  llvm::raw_string_ostream os(text);
  cast<Value>(length).printAsOperand(os, OpPrintingFlags());
  return text;
}

} // namespace opc::aicore
