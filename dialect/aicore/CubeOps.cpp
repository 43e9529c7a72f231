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
  return verifyOneType(*this, elementOf(getSource()), elementOf(getDestination()));
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
  const bool isSquare = hasSquares() && spaceOf(getDestination()) == Space::L0B;
  if (getTranspose() && elementOf(getSource()).getIntOrFloatBitWidth() != 16 && !isSquare)
    return emitOpError("[cube_c4] expects elements of 16 bits for 'transpose', or i8 for l0b, found ")
           << elementOf(getSource());
  return success();
}

int64_t LoadFractalsOp::unitOf(bool isAlongK) {
  const int64_t width = kFractalRowBytes * 8 / elementOf(getSource()).getIntOrFloatBitWidth();
  return isAlongK || hasSquares() ? width : kFractalRows;
}

void MmadOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getLhsMutable(), /*reads=*/true});
  accesses.push_back({&getRhsMutable(), /*reads=*/true});
  Access result = {&getResultMutable(), /*reads=*/true, /*writes=*/true};
  result.mayStartAnew = true;
  accesses.push_back(result);
}

LogicalResult MmadOp::verify() {
  Type lhs = elementOf(getLhs()), rhs = elementOf(getRhs()), result = elementOf(getResult());
  const bool isSum = lhs.isInteger(8) ? result.isSignlessInteger(32) : result.isF32();
  if (lhs != rhs || !isOperandType(lhs) || !isSum)
    return emitOpError(
               "[cube_c5] expects 'lhs' and 'rhs' of one element type, f16, bf16 or f32 with 'result' of f32, or "
               "i8 with 'result' of i32, found ")
           << lhs << ", " << rhs << " and " << result;
  llvm::APInt m;
  if (matchPattern(getM(), m_ConstantInt(&m)) && m.isOne())
    return emitOpError(
        "[cube_c6] expects m of 2 or more, found 1, with which the chip reads 'lhs' as a row; take 2 and "
        "a second row of zeros");
  return success();
}

void FixpipeOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getSourceMutable(), /*reads=*/true});
  accesses.push_back({&getDestinationMutable(), /*reads=*/false, /*writes=*/true});
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
  if (!isRounded && !(from.isSignlessInteger(32) && to == from))
    return emitOpError(
               "[cube_c8] expects f32 in 'source' and f32, f16 or bf16 in 'destination', or i32 in both, found ")
           << elementOf(getSource()) << " and " << type.getElementType();
  return success();
}
