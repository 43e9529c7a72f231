#include "lowering/graph/memory/Branches.h"

#include "mlir/IR/Builders.h"

#include <set>

using namespace mlir;
using namespace opc::graph;

namespace {

class BranchMaker {
public:
  explicit BranchMaker(ModelOp model) : builder(model.getContext()) {}
  /// Handles the choices of a block, which is nested in `depth` branches.
  void run(Block &block, unsigned depth);

private:
  void sink(Block &region, OutputOp output, unsigned depth);
  OpBuilder builder;
};

} // namespace

/// Moves ops before the choice that only a region needs into the region: the last first, so that all readers of a value
/// have moved before it is examined.
void BranchMaker::sink(Block &region, OutputOp output, unsigned depth) {
  Operation *branch = region.getParentOp();
  Block *from = branch->getBlock();
  auto isLater = [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); };
  std::set<Operation *, decltype(isLater)> waiting(isLater);
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (Operation *op = value.getDefiningOp(); op && op->getBlock() == from)
        waiting.insert(op);
  };
  add(output.getValues());
  while (!waiting.empty()) {
    Operation *op = *waiting.begin();
    waiting.erase(waiting.begin());
    const bool isStep =
        isa<InstanceOp, ViewOp, PartOp, JoinOp, HostOp>(op) || (isa<ChooseOp>(op) && depth < kMostNestedBranches);
    if (!isStep || !llvm::all_of(op->getUsers(), [&](Operation *user) { return user->getBlock() == &region; }))
      continue;
    add(op->getOperands());
    op->moveBefore(&region, region.begin());
  }
}

void BranchMaker::run(Block &block, unsigned depth) {
  // The last first: then a choice that only another one reads is already in its region.
  for (Operation *op = &block.back(), *before = nullptr; op; op = before) {
    before = op->getPrevNode();
    auto choose = dyn_cast<ChooseOp>(op);
    if (!choose)
      continue;
    builder.setInsertionPoint(choose);
    auto branch = BranchOp::create(builder, choose.getLoc(), choose.getResultTypes(), choose.getCondition(),
                                   choose.getResultNamesAttr(), choose.getNameAttr(), ArrayAttr());
    std::pair<Region *, ValueRange> lists[] = {{&branch.getThenSteps(), choose.getThens()},
                                               {&branch.getElseSteps(), choose.getElses()}};
    SmallVector<OutputOp> outputs;
    for (auto &[region, values] : lists) {
      builder.createBlock(region);
      outputs.push_back(OutputOp::create(builder, choose.getLoc(), values));
    }
    choose.replaceAllUsesWith(branch.getResults());
    choose.erase();
    for (OutputOp output : outputs) {
      sink(*output->getBlock(), output, depth + 1);
      run(*output->getBlock(), depth + 1);
    }
    // The op before the choice may have moved into it.
    before = branch->getPrevNode();
  }
}

void opc::graph::makeBranches(ModelOp model) {
  BranchMaker(model).run(model.getBody().front(), 0);
}
