// The invariant of phase `fused`: see Passes.td. It states what placement and the CPU lowering accept.

#include "lowering/te/Loops.h"
#include "lowering/te/Passes.h"

#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace opc::te {
#define GEN_PASS_DEF_VERIFYFUSEDPASS
#include "lowering/te/Passes.h.inc"

namespace {

/// Checks one kernel. Each method checks one rule, or a few related ones.
class FusedRules {
public:
  explicit FusedRules(func::FuncOp kernel) : kernel(kernel) {}

  LogicalResult verify();

private:
  LogicalResult verifySignature();
  LogicalResult verifyOp(Operation *op);
  LogicalResult verifyScalarOp(Operation *op);
  LogicalResult verifyStores();
  LogicalResult verifyGenerics();

  func::FuncOp kernel;
};

} // namespace

/// The types of scalars in payloads and before generics: signless numbers.
static bool isScalarType(Type type) {
  return type.isIndex() || (isNumberType(type) && !type.isUnsignedInteger());
}

LogicalResult FusedRules::verifySignature() {
  if (!kernel.getBody().hasOneBlock() || kernel.getNumResults() != 0)
    return kernel.emitOpError("[fused_c2] expects one block and no results");
  bool seenScalar = false;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    bool isPlain =
        memref && !seenScalar && !memref.getMemorySpace() && memref.getLayout().isIdentity() &&
        isScalarType(memref.getElementType()) && !memref.getElementType().isInteger(1) &&
        llvm::all_of(memref.getShape(), [](int64_t size) { return ShapedType::isDynamic(size) || size == 1; });
    seenScalar |= !memref;
    if (memref ? !isPlain : !isScalarType(type))
      return kernel.emitOpError("[fused_c2] expects memrefs of ? and 1 without memory space and "
                                "layout, then scalars; argument ")
             << index << " is " << type;
  }
  return success();
}

LogicalResult FusedRules::verifyScalarOp(Operation *op) {
  if (isa<TeDialect>(op->getDialect()) &&
      !isa<SigmoidOp, SwishOp, GeluOp, TanhOp, ErfOp, SoftplusOp, SignOp, ModOp, CastOp, ScanOp, SortOp, GatherOp>(op))
    return op->emitOpError("[fused_c4] is no scalar op of te: sigmoid, swish, gelu, tanh, erf, softplus, sign, mod, "
                           "cast, scan, sort and gather remain in payloads");
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isScalarType(type)) {
        bool isTe = isa<TeDialect>(op->getDialect());
        return op->emitOpError(isTe ? "[fused_c4] expects scalars, found "
                                    : "[fused_c7] expects scalars without sign, found ")
               << type;
      }
  return success();
}

LogicalResult FusedRules::verifyOp(Operation *op) {
  if (isa<linalg::GenericOp, linalg::FillOp>(op)) {
    if (!cast<linalg::LinalgOp>(op).hasPureTensorSemantics())
      return op->emitOpError("[fused_c1] expects linalg on tensors");
    return success();
  }
  if (isa<linalg::YieldOp, linalg::IndexOp, tensor::EmptyOp, tensor::DimOp, func::ReturnOp>(op))
    return success();
  if (auto size = dyn_cast<memref::DimOp>(op)) {
    // The size of a loop that no input has. It only gives a result its shape.
    if (!isa<BlockArgument>(size.getSource()) ||
        !llvm::all_of(op->getUsers(), [](Operation *user) { return isa<tensor::EmptyOp>(user); }))
      return op->emitOpError("[fused_c3] expects the size of an argument, for 'tensor.empty' alone");
    return success();
  }
  if (auto read = dyn_cast<bufferization::ToTensorOp>(op)) {
    auto argument = dyn_cast<BlockArgument>(read.getBuffer());
    if (!read.getRestrict() || !argument || argument.getOwner() != &kernel.front())
      return op->emitOpError("[fused_c3] expects 'to_tensor restrict' of an argument");
    return success();
  }
  if (auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
    auto argument = dyn_cast<BlockArgument>(write.getDest());
    if (!write.getRestrict() || !write.getWritable() || !argument || argument.getOwner() != &kernel.front())
      return op->emitOpError("[fused_c3] expects 'materialize_in_destination ... restrict writable' "
                             "of an argument");
    return success();
  }
  if (isa<arith::ArithDialect, math::MathDialect, TeDialect>(op->getDialect()))
    return verifyScalarOp(op);
  return op->emitOpError("[fused_c1] has no place in phase 'fused'");
}

/// Each memref is read or written, but not both, and written only once.
LogicalResult FusedRules::verifyStores() {
  for (BlockArgument argument : kernel.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    unsigned written = 0, read = 0;
    for (Operation *user : argument.getUsers())
      if (!isa<memref::DimOp>(user))
        ++(isa<bufferization::MaterializeInDestinationOp>(user) ? written : read);
    if (written > 1 || (written && read))
      return kernel.emitOpError("[fused_c3] expects an output to be written once and never read; "
                                "argument ")
             << argument.getArgNumber() << " is written " << written << " times and read " << read << " times";
  }
  return success();
}

static bool isElementwise(linalg::GenericOp generic) {
  return generic.getNumReductionLoops() == 0;
}

LogicalResult FusedRules::verifyGenerics() {
  SmallVector<linalg::GenericOp> generics(kernel.getOps<linalg::GenericOp>());
  bool anyReduction = llvm::any_of(generics, [](linalg::GenericOp generic) { return !isElementwise(generic); });
  if (!anyReduction && generics.size() > 1 && kernel.getNumArguments() > 0) {
    // A single generic cannot compute outputs of different shapes.
    bool oneShape = llvm::all_of(generics, [&](linalg::GenericOp generic) {
      return generic.getNumLoops() == generics.front().getNumLoops() &&
             generic->getResult(0).getType() == generics.front()->getResult(0).getType();
    });
    if (oneShape)
      return generics[1].emitOpError("[fused_c6] expects one generic in a kernel without "
                                     "reductions, found ")
             << generics.size();
  }
  for (linalg::GenericOp generic : generics) {
    if (!isElementwise(generic) || generic.getNumResults() != 1 || !generic.getResult(0).hasOneUse())
      continue;
    OpOperand &use = *generic.getResult(0).getUses().begin();
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (user && user.isDpsInput(&use) && user.getNumLoops() == generic.getNumLoops() &&
        user.getMatchingIndexingMap(&use).isIdentity())
      return generic
                 .emitOpError("[fused_c5] expects an elementwise generic to be part of its only "
                              "user, which runs over the same loops")
                 .attachNote(user.getLoc())
             << "the user is here";
  }
  return success();
}

LogicalResult FusedRules::verify() {
  if (failed(verifySignature()))
    return failure();
  WalkResult result = kernel.walk<WalkOrder::PreOrder>(
      [&](Operation *op) -> WalkResult { return op == kernel ? WalkResult::advance() : WalkResult(verifyOp(op)); });
  if (result.wasInterrupted())
    return failure();
  return failure(failed(verifyStores()) || failed(verifyGenerics()));
}

namespace {
struct VerifyFusedPass : impl::VerifyFusedPassBase<VerifyFusedPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      auto phase = function->getAttrOfType<PhaseAttr>(TeDialect::kPhaseAttr);
      if (phase && phase.getValue() == Phase::Fused && failed(FusedRules(function).verify()))
        return signalPassFailure();
    }
  }
};
} // namespace

} // namespace opc::te
