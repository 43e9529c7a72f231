// The operands of an image in L1, which image-to-column loads share.

#ifndef OPC_DIALECT_AICORE_IMAGEOPERANDS_H
#define OPC_DIALECT_AICORE_IMAGEOPERANDS_H

#include "mlir/IR/OpImplementation.h"

namespace opc::aicore {

/// The operands of an image by name: sizes, pads, strides and dilations in places. A null image has none.
struct ImageOperands {
  static constexpr unsigned kNumber = 12;

  ImageOperands() = default;
  /// `image` has kNumber operands.
  explicit ImageOperands(mlir::ValueRange image);

  mlir::Value height, width, top, bottom, left, right, filterHeight, filterWidth, strideHeight, strideWidth,
      dilationHeight, dilationWidth;
};

/// image [%h, %w] pads [%top, %bottom, %left, %right] filter [%h, %w] strides [%h, %w] dilations [%h, %w]
mlir::ParseResult parseImage(mlir::OpAsmParser &parser,
                             llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &image);
void printImage(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange image);

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_IMAGEOPERANDS_H
