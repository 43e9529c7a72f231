// The kernels of the nests of a launch (te.nest) become one: their bodies one after another, with a full wait between
// two. Whole kernels are moved, in the order of the nests, so this is a walk and not a set of patterns.
//
//   nest 0, if the launch runs it: loads, intrinsics, stores, flags
//   s -> mte2, mte2 -> v, v -> mte3, mte3 -> mte2, mte3 -> v, mte3 -> s; barrier of mte3
//   nest 1, if the launch runs it
//
// The field `runs_n0` decides this: a nest without results is skipped, since no proof covers its fields with a trip
// count of 0.
//
// There are flags of the scalar unit if it reads tiles. Each pipe begins nest 1 after all pipes have ended nest 0, for
// any addresses: so the plan and the proof of each nest remain valid. The flags of the wait have the last event id,
// which nests do not use: nest 1 may set its own flags before these waits are over. Other kernels do not change.

#include "dialect/te/TeDialect.h"
#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace opc::aicore;
using opc::te::TeDialect;

namespace opc::aicore {
#define GEN_PASS_DEF_JOINNESTSPASS
#include "lowering/aicore/Passes.h.inc"
} // namespace opc::aicore

namespace {

/// Joins the nests of a launch into one kernel.
class NestJoin {
public:
  NestJoin(ArrayRef<func::FuncOp> nests, const opc::Target &target)
      : nests(nests), target(target), first(nests.front()), entry(first.getContext()) {}
  LogicalResult run();

private:
  LogicalResult addTensors();
  void addScalars();
  void append(func::FuncOp nest, unsigned number);
  void waitForAll();

  ArrayRef<func::FuncOp> nests;
  const opc::Target &target;
  func::FuncOp first, joined;
  SmallVector<Type> types;
  SmallVector<Attribute> names;
  llvm::StringMap<unsigned> places; ///< of arguments, by name
  bool hasScalars = false;          ///< the scalar unit reads or writes tiles
  OpBuilder entry;
};

} // namespace

static StringAttr nameOf(func::FuncOp kernel, unsigned argument) {
  return kernel.getArgAttrOfType<StringAttr>(argument, AICoreDialect::kNameAttr);
}

/// Adds the tensors of the contract, each from a nest that has it.
LogicalResult NestJoin::addTensors() {
  auto tensors = first->getAttrOfType<ArrayAttr>(TeDialect::kTensorsAttr);
  if (!tensors)
    return first.emitOpError("expects the names of all tensors (te.tensors) on a nest");
  for (StringAttr tensor : tensors.getAsRange<StringAttr>()) {
    Type type;
    for (func::FuncOp nest : nests)
      for (unsigned i = 0; i < nest.getNumArguments() && !type; ++i)
        if (nameOf(nest, i) == tensor && isa<MemRefType>(nest.getArgumentTypes()[i]))
          type = nest.getArgumentTypes()[i];
    if (!type)
      return first.emitOpError("expects a nest that has the tensor ") << tensor << ", found none";
    places[tensor.getValue()] = unsigned(types.size());
    types.push_back(type);
    names.push_back(tensor);
  }
  return success();
}

/// Adds the attributes of a launch, which all nests have.
void NestJoin::addScalars() {
  for (auto [i, type] : llvm::enumerate(first.getArgumentTypes())) {
    StringAttr name = nameOf(first, unsigned(i));
    if (isa<MemRefType>(type) || !name)
      continue;
    places[name.getValue()] = unsigned(types.size());
    types.push_back(type);
    names.push_back(name);
  }
}

void NestJoin::waitForAll() {
  Location at = joined.getLoc();
  Value id = indexConstant(joined, target.eventIds() - 1);
  auto order = [&](Pipe from, Pipe to) {
    SetFlagOp::create(entry, at, from, to, id);
    WaitFlagOp::create(entry, at, from, to, id);
  };
  if (hasScalars)
    order(Pipe::S, Pipe::MTE2);
  order(Pipe::MTE2, Pipe::V);
  order(Pipe::V, Pipe::MTE3);
  order(Pipe::MTE3, Pipe::MTE2);
  order(Pipe::MTE3, Pipe::V);
  if (hasScalars)
    order(Pipe::MTE3, Pipe::S);
  PipeBarrierOp::create(entry, at, Pipe::MTE3);
}

// Buffers and constants of all nests come first, as in any kernel.
void NestJoin::append(func::FuncOp nest, unsigned number) {
  for (auto [i, argument] : llvm::enumerate(nest.getArguments()))
    argument.replaceAllUsesWith(joined.getArgument(places.lookup(nameOf(nest, unsigned(i)).getValue())));
  nest.walk([&](BufferOp buffer) {
    if (number > 0)
      buffer.setName(buffer.getName().str() + "_n" + std::to_string(number));
  });
  // A range may be empty while the others are not, and the launch runs one of two kernels for the same rows.
  Location at = joined.getLoc();
  Value runs = TilingDataOp::create(entry, at, entry.getIndexType(), "runs_n" + std::to_string(number), std::nullopt,
                                    std::nullopt, /*cases=*/nullptr);
  Value some = arith::CmpIOp::create(entry, at, arith::CmpIPredicate::sgt, runs, indexConstant(joined, 0));
  auto branch = scf::IfOp::create(entry, at, some, /*withElseRegion=*/false);
  Block &block = joined.getBody().front();
  Block::iterator top = block.begin();
  while (top != block.end() && isa<arith::ConstantOp, BufferOp>(*top))
    ++top;
  for (Operation &op : llvm::make_early_inc_range(nest.getBody().front().without_terminator()))
    if (isa<arith::ConstantOp, BufferOp>(op))
      op.moveBefore(&block, top);
    else
      op.moveBefore(branch.thenBlock()->getTerminator());
}

LogicalResult NestJoin::run() {
  if (failed(addTensors()))
    return failure();
  addScalars();
  entry.setInsertionPoint(first);
  StringRef name = first.getName();
  name.consume_back("_n0");
  joined = func::FuncOp::create(entry, first.getLoc(), name, entry.getFunctionType(types, {}));
  for (auto [i, each] : llvm::enumerate(names))
    joined.setArgAttr(unsigned(i), AICoreDialect::kNameAttr, each);
  for (StringRef attribute : {AICoreDialect::kTilingFunctionAttr, AICoreDialect::kTilingKeyAttr,
                              AICoreDialect::kKernelAttr, AICoreDialect::kScheduleAttr})
    if (Attribute value = first->getAttr(attribute))
      joined->setAttr(attribute, value);
  for (func::FuncOp nest : nests)
    if (Attribute assumed = nest->getAttr(AICoreDialect::kFixToVAttr))
      joined->setAttr(AICoreDialect::kFixToVAttr, assumed);
  setPhase(joined, Phase::Synced);
  Block *block = joined.addEntryBlock();
  entry.setInsertionPointToEnd(block);
  auto ret = func::ReturnOp::create(entry, first.getLoc());
  entry.setInsertionPoint(ret);
  for (func::FuncOp nest : nests)
    nest.walk([&](Operation *op) { hasScalars |= isa<ScalarReadOp, ScalarWriteOp>(op); });
  for (auto [number, nest] : llvm::enumerate(nests)) {
    if (number > 0)
      waitForAll();
    append(nest, unsigned(number));
  }
  for (func::FuncOp nest : nests)
    nest.erase();
  return success();
}

namespace {
struct JoinNestsPass : opc::aicore::impl::JoinNestsPassBase<JoinNestsPass> {
  using JoinNestsPassBase::JoinNestsPassBase;

  void runOnOperation() override {
    const opc::Target *chip = targetByName(getOperation(), target);
    if (!chip)
      return signalPassFailure();
    FailureOr<SmallVector<func::FuncOp>> kernels = kernelsAt(getOperation(), Phase::Synced);
    if (failed(kernels))
      return signalPassFailure();
    llvm::MapVector<std::pair<Attribute, Attribute>, SmallVector<func::FuncOp>> launches;
    for (func::FuncOp kernel : *kernels)
      if (kernel->hasAttr(TeDialect::kNestAttr))
        launches[{kernel->getAttr(AICoreDialect::kTilingFunctionAttr), kernel->getAttr(AICoreDialect::kTilingKeyAttr)}]
            .push_back(kernel);
    for (auto &[launch, nests] : launches)
      if (failed(NestJoin(nests, *chip).run()))
        return signalPassFailure();
  }
};
} // namespace
