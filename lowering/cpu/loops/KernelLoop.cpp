// The loops that a kernel itself contains, as opposed to the loops over lanes that the conversion creates.
//
//   while (variable < upper and status == 0)
//     body, which counts the trip
//     variable += step
//
// A kernel by hand may contain an infinite loop. So trips are counted, and lanes are counted where their loops are
// made (LoopEmitter::spend). Too many of them set a bit of the status, and every loop ends as soon as the status is
// not 0. Loops over lanes are at most as long as a tile and need no such exit. The loop over blocks counts nothing,
// since each block has the whole limit.

#include "lowering/cpu/loops/LoopEmitter.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace opc::cpu {

void LoopEmitter::startBlock() {
  memref::StoreOp::create(b, math.of(0), state.steps, ValueRange{});
}

void LoopEmitter::spend(Value steps) {
  Value before = memref::LoadOp::create(b, state.steps, ValueRange{});
  memref::StoreOp::create(b, arith::AddIOp::create(b, before, steps), state.steps, ValueRange{});
}

void LoopEmitter::spendTrip() {
  spend(math.of(OPC_KERNEL_STEPS_A_TRIP));
  Value taken = memref::LoadOp::create(b, state.steps, ValueRange{});
  report(arith::CmpIOp::create(b, arith::CmpIPredicate::sle, taken, state.limit), OPC_KERNEL_STEP_LIMIT);
}

FailureOr<SmallVector<Value>> LoopEmitter::kernelLoop(Value lower, Value upper, Value step, ValueRange initial,
                                                      bool isUnsigned, LoopBody body) {
  SmallVector<Value> operands = {lower};
  llvm::append_range(operands, initial);
  SmallVector<Type> types(ValueRange(operands).getTypes());
  SmallVector<Location> locations(operands.size(), b.getLoc());
  auto loop = scf::WhileOp::create(b, types, operands);
  OpBuilder::InsertionGuard guard(b);
  Location location = b.getLoc();

  Block *before = b.createBlock(&loop.getBefore(), {}, types, locations);
  auto predicate = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value more = arith::CmpIOp::create(b, predicate, before->getArgument(0), upper);
  Value found = memref::LoadOp::create(b, state.status, ValueRange{});
  Value sound = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, found, arith::ConstantIntOp::create(b, 0, 32));
  scf::ConditionOp::create(b, arith::AndIOp::create(b, more, sound), before->getArguments());

  Block *after = b.createBlock(&loop.getAfter(), {}, types, locations);
  FailureOr<SmallVector<Value>> carried = body(after->getArgument(0), after->getArguments().drop_front());
  b.setLoc(location);
  SmallVector<Value> next = {arith::AddIOp::create(b, after->getArgument(0), step)};
  if (succeeded(carried))
    llvm::append_range(next, *carried);
  else
    llvm::append_range(next, after->getArguments().drop_front());
  scf::YieldOp::create(b, next);
  if (failed(carried))
    return failure();
  return SmallVector<Value>(loop.getResults().drop_front());
}

} // namespace opc::cpu
