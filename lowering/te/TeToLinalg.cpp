// From te on tensors to linalg.generic between memrefs: see Passes.td. KernelLowering.h lists the steps for a kernel. A
// kernel is lowered as a whole and not by conversion patterns: a group of ops becomes one generic (Groups.h).

#include "lowering/te/FusedFunction.h"
#include "lowering/te/KernelLowering.h"
#include "lowering/te/Passes.h"
#include "lowering/te/VerifyBound.h"

#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace opc::te {
#define GEN_PASS_DEF_TETOLINALGPASS
#include "lowering/te/Passes.h.inc"

void KernelLowering::run() {
  fused = makeFused(bound);
  builder.setInsertionPointToStart(&fused.front());
  readInputs();
  constants.emplace(OpBuilder::atBlockBegin(&fused.front()));
  payload.emplace(builder, *constants, precision);
  lowerScalars();
  outputs.resize(bound.getNumResults());
  for (auto &group : groups.all())
    lower(*group);
  unsigned firstOutput = unsigned(inputs.size());
  for (auto [index, tensor] : llvm::enumerate(outputs))
    bufferization::MaterializeInDestinationOp::create(
        builder, fused.getArgument(firstOutput + unsigned(index)).getLoc(), Type(), tensor,
        fused.getArgument(firstOutput + unsigned(index)), /*restrict=*/true, /*writable=*/true);
  func::ReturnOp::create(builder, bound.front().getTerminator()->getLoc());
  // Scalars that no output needs and inputs that nothing reads are erased.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(fused.front())))
    if (isOpTriviallyDead(&op) || (isa<bufferization::ToTensorOp>(op) && op.use_empty()))
      op.erase();
  bound.erase();
}

namespace {
struct TeToLinalgPass : impl::TeToLinalgPassBase<TeToLinalgPass> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> kernels;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      auto phase = function->getAttrOfType<PhaseAttr>(TeDialect::kPhaseAttr);
      if (phase && phase.getValue() == Phase::Bound)
        kernels.push_back(function);
    }
    for (func::FuncOp kernel : kernels) {
      // Run on its own in opc-opt, the pass may get any input.
      if (failed(verifyBound(kernel)))
        return signalPassFailure();
      FailureOr<Loops> loops = Loops::of(kernel);
      if (failed(loops))
        return signalPassFailure();
      KernelLowering lowering(kernel, *loops);
      numGenerics += lowering.numGenerics();
      numJoined += lowering.numJoined();
      lowering.run();
    }
  }
};
} // namespace

} // namespace opc::te
