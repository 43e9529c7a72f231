// Buffers, tiling data and scalar accesses; the generated definitions of all ops and interfaces.

#include "dialect/aicore/AICoreOps.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace opc::aicore;

#include "dialect/aicore/AICoreInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "dialect/aicore/AICoreOps.cpp.inc"

static bool isIdentifier(StringRef name) {
  if (name.empty() || llvm::isDigit(name.front()))
    return false;
  return llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

//===----------------------------------------------------------------------===//
// BufferOp
//===----------------------------------------------------------------------===//

Space BufferOp::getSpace() {
  return *spaceOf(getMemref());
}

int64_t BufferOp::getSlots() {
  return getType().getRank() == 2 ? getType().getDimSize(0) : 1;
}

int64_t BufferOp::getCapacity() {
  return getType().getShape().back();
}

int64_t BufferOp::getSlotBytes() {
  return getCapacity() * elementSize(*elementTypeOf(getType().getElementType()));
}

int64_t BufferOp::getWindowAddress() {
  return opc::windowOf(toTarget(getSpace())) + *getAddress();
}

void BufferOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getMemref(), getName());
}

LogicalResult BufferOp::verify() {
  std::optional<Space> space = spaceOf(getMemref());
  if (!space || *space == Space::GM)
    return emitOpError("[buffer_c1] expects a result in on-chip memory, found ") << getType();
  bool shaped = (getType().getRank() == 1 || getType().getRank() == 2) && getType().getLayout().isIdentity() &&
                !llvm::is_contained(getType().getShape(), 0);
  if (!shaped || !elementTypeOf(getType().getElementType()))
    return emitOpError("[buffer_c2] expects rank 1, or rank 2 with slots, a static shape without "
                       "zeros, and elements of a number type; found ")
           << getType();
  // At most 2^40 elements: far beyond any on-chip memory, and byte counts do not overflow.
  for (int64_t size : getType().getShape())
    if (size > (int64_t(1) << 20))
      return emitOpError("[buffer_c2] expects dimensions of at most 1048576, found ") << getType();
  if (getAddress() && *getAddress() < 0)
    return emitOpError("[buffer_c3] expects an address that is not negative, found ") << *getAddress();
  if (!isIdentifier(getName()))
    return emitOpError("[buffer_c4] expects an identifier as name, found \"") << getName() << "\"";
  return success();
}

//===----------------------------------------------------------------------===//
// TilingDataOp
//===----------------------------------------------------------------------===//

/// Limit on the values of 'cases': the verifiers analyse a kernel once for each value, in addition to each trip count.
static constexpr size_t kMostCases = 16;

void TilingDataOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getValue(), getName());
}

static ConstantIntRanges indexRange(int64_t least, int64_t most) {
  return ConstantIntRanges::fromSigned(llvm::APInt(64, least), llvm::APInt(64, most));
}

void TilingDataOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setRange) {
  setRange(getValue(), indexRange(getLeast(), getMost().value_or(INT64_MAX)));
}

void BlockIdxOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setRange) {
  setRange(getValue(), indexRange(0, INT64_MAX));
}

LogicalResult TilingDataOp::verify() {
  if (!isIdentifier(getName()))
    return emitOpError("[tiling_data_c1] expects an identifier as name, found \"") << getName() << "\"";
  int64_t min = getMin().value_or(0);
  if (min < 0)
    return emitOpError("[tiling_data_c2] expects a 'min' that is not negative, found ") << min;
  if (getMax() && *getMax() < min)
    return emitOpError("[tiling_data_c2] expects 'min' not above 'max', found ") << min << " and " << *getMax();
  if (std::optional<ArrayRef<int64_t>> cases = getCases()) {
    if (getMin() || getMax())
      return emitOpError("[tiling_data_c3] expects 'cases' without 'min' and 'max': they are the "
                         "first and the last of the cases");
    if (cases->empty() || cases->size() > kMostCases)
      return emitOpError("[tiling_data_c3] expects 1 to ")
             << kMostCases << " values as 'cases', found " << cases->size();
    if (cases->front() < 0)
      return emitOpError("[tiling_data_c3] expects 'cases' that are not negative, found ") << cases->front();
    for (size_t i = 1; i < cases->size(); ++i)
      if ((*cases)[i] <= (*cases)[i - 1])
        return emitOpError("[tiling_data_c3] expects 'cases' in ascending order, found ")
               << (*cases)[i] << " after " << (*cases)[i - 1];
  }
  return success();
}

int64_t TilingDataOp::getLeast() {
  return getCases() ? getCases()->front() : getMin().value_or(0);
}

std::optional<int64_t> TilingDataOp::getMost() {
  return getCases() ? std::optional<int64_t>(getCases()->back()) : getMax();
}

//===----------------------------------------------------------------------===//
// ScalarReadOp, ScalarWriteOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyScalarTile(Operation *op, Value tile) {
  auto type = cast<MemRefType>(tile.getType());
  if (spaceOf(tile) != Space::UB || type.getRank() != 1)
    return op->emitOpError("[scalar_c1] expects 'tile' to be of rank 1 in ub, found ") << type;
  return success();
}

opc::aicore::Pipe ScalarReadOp::getPipe() {
  return Pipe::S;
}
void ScalarReadOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getTileMutable(), /*reads=*/true});
}
LogicalResult ScalarReadOp::verify() {
  return verifyScalarTile(*this, getTile());
}

opc::aicore::Pipe ScalarWriteOp::getPipe() {
  return Pipe::S;
}
void ScalarWriteOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getTileMutable(), /*reads=*/false, /*writes=*/true});
}
LogicalResult ScalarWriteOp::verify() {
  return verifyScalarTile(*this, getTile());
}
