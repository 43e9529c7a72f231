// The ops before a kernel's generics: its inputs as tensors, the sizes of its loops, and all scalars.

#include "lowering/te/KernelLowering.h"

#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace opc::te {

void KernelLowering::readInputs() {
  unsigned next = 0, scalar = bound.getNumResults();
  for (BlockArgument argument : bound.getArguments())
    scalar += isa<RankedTensorType>(argument.getType());
  for (BlockArgument argument : bound.getArguments()) {
    if (!isa<RankedTensorType>(argument.getType())) {
      scalars[argument] = fused.getArgument(scalar++);
      continue;
    }
    Value memory = fused.getArgument(next++);
    auto type = RankedTensorType::get(cast<MemRefType>(memory.getType()).getShape(),
                                      cast<MemRefType>(memory.getType()).getElementType());
    auto tensor = bufferization::ToTensorOp::create(builder, argument.getLoc(), type, memory,
                                                    /*restrict=*/true);
    inputs[argument] = {tensor, Dims(loops.dims(argument))};
  }
}

/// The size of a loop, from the first input that has the loop, else from an output.
Value KernelLowering::sizeOf(int64_t loop) {
  if (Value known = sizes.lookup(loop))
    return known;
  for (BlockArgument argument : bound.getArguments()) {
    auto input = inputs.find(argument);
    if (input == inputs.end())
      continue;
    const auto *at = llvm::find(input->second.dims, loop);
    if (at == input->second.dims.end())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(input->second.tensor);
    Value place = constants->get(builder.getIndexAttr(at - input->second.dims.begin()));
    Value size = tensor::DimOp::create(builder, input->second.tensor.getLoc(), input->second.tensor, place);
    return sizes[loop] = size;
  }
  for (unsigned result = 0; result < bound.getNumResults(); ++result) {
    Dims dims = dimsOfResult(bound, result);
    const auto *at = llvm::find(dims, loop);
    if (at == dims.end())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    Value memory = fused.getArgument(unsigned(inputs.size()) + result);
    Value place = constants->get(builder.getIndexAttr(at - dims.begin()));
    builder.setInsertionPointAfterValue(place);
    return sizes[loop] = memref::DimOp::create(builder, memory.getLoc(), memory, place);
  }
  return {};
}

/// Lowers ops on scalars, in the order of the body.
void KernelLowering::lowerScalars() {
  for (Operation &op : bound.front().without_terminator()) {
    if (isa<ConstantOp>(op) || isa<RankedTensorType>(op.getResult(0).getType()))
      continue;
    SmallVector<Value> operands;
    for (auto [index, operand] : llvm::enumerate(op.getOperands()))
      operands.push_back(scalarAs(op.getLoc(), operand, payload->operandType(&op, unsigned(index))));
    scalars[op.getResult(0)] = payload->apply(&op, operands);
  }
}

/// A scalar of the bound kernel in another type of the same kind. A constant is rounded once, from its value in the
/// text.
Value KernelLowering::scalarAs(Location location, Value value, Type type) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return constants->get(type, constant.getValue());
  return payload->resize(location, scalars.lookup(value), type, isUnsigned(value.getType()));
}

/// The divisor of a mean: the number of elements.
Value KernelLowering::countOf(Node *divide, Type type) {
  Location location = divide->op->getLoc();
  Dims reduced;
  Dims left = loopsOf(divide->dims);
  for (int64_t loop : loopsOf(loops.dims(divide->op->getOperand(0))))
    if (!llvm::is_contained(left, loop))
      reduced.push_back(loop);
  Value count;
  for (int64_t loop : reduced)
    count = count ? Value(arith::MulIOp::create(builder, location, count, sizeOf(loop))) : sizeOf(loop);
  if (!count)
    return constants->get(type, 1.0);
  Value integer = arith::IndexCastOp::create(builder, location, builder.getI64Type(), count);
  if (isa<FloatType>(type))
    return arith::SIToFPOp::create(builder, location, type, integer);
  return payload->resize(location, integer, type);
}

} // namespace opc::te
