// Flags and barriers belong to the method of their pipe; only data ops decide whether the split is readable.

#include "lowering/emit/ascendc/PipeSplit.h"

#include "lowering/emit/ascendc/TilePlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace opc;

bool opc::isScalarOp(Operation *op) {
  return isa<arith::ArithDialect>(op->getDialect()) || isa<aicore::TilingDataOp, aicore::BlockIdxOp, memref::DimOp>(op);
}

static bool isSync(Operation *op) {
  return isa<aicore::SetFlagOp, aicore::WaitFlagOp, aicore::PipeBarrierOp>(op);
}

static std::optional<unsigned> stageOf(Operation *op) {
  aicore::Pipe pipe = cast<aicore::PipeOpInterface>(op).getPipe();
  for (unsigned i = 0; i < std::size(kStages); ++i)
    if (kStages[i] == pipe)
      return i;
  return std::nullopt;
}

static bool reads(scf::ForOp loop) {
  if (loop.getNumRegionIterArgs() != 0)
    return false;
  unsigned last = 0, seen = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isScalarOp(&op) || isView(&op) || isa<aicore::BufferOp>(op))
      continue;
    if (!isa<aicore::PipeOpInterface>(op))
      return false;
    std::optional<unsigned> stage = stageOf(&op);
    if (!stage)
      return false;
    if (isSync(&op))
      continue;
    if (*stage < last)
      return false;
    last = *stage;
    seen |= 1u << *stage;
  }
  return seen == 7;
}

scf::ForOp opc::findTileLoop(func::FuncOp kernel) {
  scf::ForOp found;
  unsigned loops = 0;
  kernel.walk([&](aicore::PipeOpInterface op) {
    auto loop = op->getParentOfType<scf::ForOp>();
    // Ops outside of all loops stay in Process.
    if (isSync(op) || !loop || loop == found)
      return;
    found = loop;
    ++loops;
  });
  return loops == 1 && found && reads(found) ? found : scf::ForOp();
}

Stage opc::sliceStage(scf::ForOp loop, aicore::Pipe pipe, llvm::function_ref<bool(Value)> isKnown) {
  Block *body = loop.getBody();
  llvm::SetVector<Value> parameters;
  llvm::DenseSet<Operation *> needed;
  SmallVector<Value> worklist;
  auto need = [&](Operation *op) {
    if (needed.insert(op).second)
      worklist.append(op->operand_begin(), op->operand_end());
  };
  for (Operation &op : body->without_terminator())
    if (auto pipeOp = dyn_cast<aicore::PipeOpInterface>(op); pipeOp && pipeOp.getPipe() == pipe) {
      need(&op);
      // One op at a time, so that parameters are in the order of their first use.
      for (size_t i = 0; i < worklist.size(); ++i) {
        Value value = worklist[i];
        Operation *definition = value.getDefiningOp();
        if (isa<MemRefType>(value.getType())) {
          if (definition && isView(definition))
            worklist.append(definition->operand_begin(), definition->operand_end());
        } else if (isKnown(value)) {
          continue;
        } else if (definition && definition->getBlock() == body) {
          need(definition);
        } else {
          parameters.insert(value);
        }
      }
      worklist.clear();
    }
  Stage stage;
  for (Operation &op : body->without_terminator())
    if (needed.contains(&op))
      stage.ops.push_back(&op);
  stage.parameters.assign(parameters.begin(), parameters.end());
  return stage;
}
