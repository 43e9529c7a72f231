// The cube and its copies.

#include "dialect/aicore/AICoreOps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace opc::aicore;

static Type elementOf(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

/// The element types of operands of the cube.
static bool isOperandType(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isSignlessInteger(8);
}

// Rule cube_c3 for two types that must be the same.
static LogicalResult verifyOneType(Operation *op, Type first, Type second) {
  if (first == second && isOperandType(first))
    return success();
  return op->emitOpError("[cube_c3] expects one element type, f16, bf16, f32 or i8, found ")
         << first << " and " << second;
}

/// Whether a memref has rows in global memory: rank 2, each row contiguous.
static bool hasRowsInGm(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return spaceOf(memref) == Space::GM && type.getRank() == 2 && hasUnitInnerStride(type);
}

void LoadNzOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getSourceMutable(), /*reads=*/true});
  accesses.push_back({&getDestinationMutable(), /*reads=*/false, /*writes=*/true});
}

LogicalResult LoadNzOp::verify() {
  if (!hasRowsInGm(getSource()))
    return emitOpError("[cube_c2] expects 'source' of rank 2 in gm whose rows are contiguous, found ")
           << getSource().getType();
  // Biases of sums of bytes come to L1 as a row.
  const Type from = elementOf(getSource()), to = elementOf(getDestination());
  return from == to && from.isSignlessInteger(32) ? success() : verifyOneType(*this, from, to);
}

void StoreNzOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getSourceMutable(), /*reads=*/true});
  accesses.push_back({&getDestinationMutable(), /*reads=*/false, /*writes=*/true});
}

LogicalResult StoreNzOp::verify() {
  if (!isVectorTile(cast<MemRefType>(getSource().getType())))
    return emitOpError("[cube_c9] expects 'source' of rank 1 in ub, found ") << getSource().getType();
  return verifyOneType(*this, elementOf(getSource()), elementOf(getDestination()));
}

void FillOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getDestinationMutable(), /*reads=*/false, /*writes=*/true});
}

LogicalResult FillOp::verify() {
  return verifyOneType(*this, getValue().getType(), elementOf(getDestination()));
}

void LoadFractalsOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getSourceMutable(), /*reads=*/true});
  accesses.push_back({&getDestinationMutable(), /*reads=*/false, /*writes=*/true});
}

LogicalResult LoadFractalsOp::verify() {
  if (failed(verifyOneType(*this, elementOf(getSource()), elementOf(getDestination()))))
    return failure();
  if (hasSquares() && !hasBands() && spaceOf(getDestination()) != Space::L0B)
    return emitOpError("[cube_c4] expects elements of 16 bits or f32 for 'transpose', or i8 for l0b, found ")
           << elementOf(getSource());
  return success();
}

int64_t LoadFractalsOp::unitOf(bool isAlongK) {
  const int64_t width = kFractalRowBytes * 8 / elementOf(getSource()).getIntOrFloatBitWidth();
  return hasSquares() ? std::max(width, kFractalRows) : isAlongK ? width : kFractalRows;
}

/// Rule cube_c10, also for an op that may have no image.
static LogicalResult verifyImage(Operation *op, OperandRange image) {
  if (image.size() == ImageOperands::kNumber)
    return success();
  return op->emitOpError("[cube_c10] expects ")
         << ImageOperands::kNumber << " operands of an image, its sizes, pads, filter, strides and dilations; found "
         << image.size();
}

void LoadIm2colOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getSourceMutable(), /*reads=*/true});
  accesses.push_back({&getDestinationMutable(), /*reads=*/false, /*writes=*/true});
}

LogicalResult LoadIm2colOp::verify() {
  if (failed(verifyOneType(*this, elementOf(getSource()), elementOf(getDestination()))) ||
      failed(verifyOneType(*this, getPad().getType(), elementOf(getDestination()))))
    return failure();
  return verifyImage(*this, getImage());
}

int64_t LoadIm2colOp::blockChannels() {
  return kFractalRowBytes * 8 / elementOf(getSource()).getIntOrFloatBitWidth();
}

void LoadBiasOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getSourceMutable(), /*reads=*/true});
  accesses.push_back({&getDestinationMutable(), /*reads=*/false, /*writes=*/true});
}

LogicalResult LoadBiasOp::verify() {
  const Type from = elementOf(getSource()), to = elementOf(getDestination());
  if (from == to && (from.isF32() || from.isSignlessInteger(32)))
    return success();
  return emitOpError("[cube_c11] expects biases of one element type, f32 or i32, found ") << from << " and " << to;
}

/// The rules of a product, of operands in L0 or in L1: cube_c5 and cube_c11.
static LogicalResult verifyProduct(Operation *op, Value left, Value right, Value sum, Value bias) {
  Type lhs = elementOf(left), rhs = elementOf(right), result = elementOf(sum);
  const bool isSum = lhs.isInteger(8) ? result.isSignlessInteger(32) : result.isF32();
  if (lhs != rhs || !isOperandType(lhs) || !isSum)
    return op->emitOpError(
               "[cube_c5] expects 'lhs' and 'rhs' of one element type, f16, bf16 or f32 with 'result' of f32, or "
               "i8 with 'result' of i32, found ")
           << lhs << ", " << rhs << " and " << result;
  if (bias && elementOf(bias) != result)
    return op->emitOpError("[cube_c11] expects 'bias' of the element type of 'result', found ")
           << elementOf(bias) << " and " << result;
  return success();
}

/// Rule cube_c6.
static LogicalResult verifyRows(Operation *op, Value rows) {
  llvm::APInt m;
  if (matchPattern(rows, m_ConstantInt(&m)) && m.isOne())
    return op->emitOpError(
        "[cube_c6] expects m of 2 or more, found 1, with which the chip reads 'lhs' as a row; take 2 and "
        "a second row of zeros");
  return success();
}

void MmadOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getLhsMutable(), /*reads=*/true});
  accesses.push_back({&getRhsMutable(), /*reads=*/true});
  Access result = {&getResultMutable(), /*reads=*/true, /*writes=*/true};
  result.mayStartAnew = true;
  accesses.push_back(result);
  if (getBias())
    accesses.push_back({&getBiasMutable()[0], /*reads=*/true});
}

LogicalResult MmadOp::verify() {
  if (failed(verifyProduct(*this, getLhs(), getRhs(), getResult(), getBias())))
    return failure();
  return verifyRows(*this, getM());
}

LogicalResult MultiplyOp::verify() {
  if (failed(verifyProduct(*this, getLhs(), getRhs(), getResult(), getBias())) || failed(verifyRows(*this, getM())))
    return failure();
  const bool hasImage = bool(getFirstRow());
  if (hasImage && failed(verifyImage(*this, getImage())))
    return failure();
  // More rows than L1 has bytes fit into no tile.
  constexpr int64_t kMostRows = int64_t(1) << 20;
  auto isWhole = [](int64_t height) { return height > 0 && height <= kMostRows && height % kFractalRows == 0; };
  if (hasImage != (getLhsHeight() == 0) || (hasImage && (getLhsTranspose() || !getChannels() || !getPad())) ||
      (!hasImage && (!getImage().empty() || getChannels() || getPad() || !isWhole(getLhsHeight()))) ||
      !isWhole(getRhsHeight()))
    return emitOpError("[cube_c12] expects heights of whole fractals, 16 to 1048576 rows, for 'rhs' and, unless it has "
                       "'im2col', for 'lhs'; found ")
           << getRhsHeight() << " for 'rhs' and " << getLhsHeight() << " for 'lhs' " << (hasImage ? "with" : "without")
           << " 'im2col'";
  if (elementOf(getLhs()).isF32() && (getLhsTranspose() || !getRhsTranspose()))
    return emitOpError("[cube_c4] expects f32 along k, 'lhs' without and 'rhs' with 'transpose'; other operands of f32 "
                       "are transposed in bands, by 'aicore.load_fractals'");
  return hasImage ? verifyOneType(*this, getPad().getType(), elementOf(getLhs())) : success();
}

void FixpipeOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getSourceMutable(), /*reads=*/true});
  accesses.push_back({&getDestinationMutable(), /*reads=*/false, /*writes=*/true});
  if (getScale())
    accesses.push_back({&getScaleMutable()[0], /*reads=*/true});
}

LogicalResult FixpipeOp::verify() {
  auto type = cast<MemRefType>(getDestination().getType());
  const bool isTile = isVectorTile(type);
  if (isTile ? !getRowStride() : !hasRowsInGm(getDestination()) || getRowStride())
    return emitOpError(
               "[cube_c7] expects 'destination' of rank 1 in ub with 'stride', or of rank 2 in gm with contiguous "
               "rows and without 'stride', found ")
           << type << (getRowStride() ? " with" : " without") << " 'stride'";
  const Type from = elementOf(getSource()), to = type.getElementType();
  const bool isRounded = from.isF32() && isOperandType(to) && !to.isInteger(8);
  const bool isKept = from.isSignlessInteger(32) && to == from;
  const bool isScaled = from.isSignlessInteger(32) && to.isF16();
  if (getScale() ? !isScaled : !isRounded && !isKept)
    return emitOpError("[cube_c8] expects f32 in 'source' and f32, f16 or bf16 in 'destination', or i32 in both, or "
                       "with 'scale' i32 and f16; found ")
           << from << " and " << to << (getScale() ? " with" : " without") << " 'scale'";
  if (Value scale = getScale())
    if (!isCubeTile(cast<MemRefType>(scale.getType()), Space::L1, Layout::NZ) || !elementOf(scale).isF32())
      return emitOpError("[cube_c13] expects 'scale' of rank 1 and f32 in l1 with layout nz, found ")
             << scale.getType();
  if (getNz() && isTile)
    return emitOpError("[cube_c14] expects 'destination' in gm for 'nz', found ") << type;
  return success();
}
