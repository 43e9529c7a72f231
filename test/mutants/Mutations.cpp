// The changes, as edits of IR.

#include "test/mutants/Mutations.h"

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace mlir;
using namespace opc::aicore;

namespace opc::mutants {

std::vector<Operation *> pipeOpsOf(func::FuncOp kernel) {
  std::vector<Operation *> ops;
  kernel.walk<WalkOrder::PreOrder>([&](PipeOpInterface op) { ops.push_back(op); });
  return ops;
}

SmallVector<scf::IfOp> nestsOf(func::FuncOp kernel) {
  SmallVector<scf::IfOp> nests;
  for (auto branch : kernel.getBody().front().getOps<scf::IfOp>()) {
    auto condition = branch.getCondition().getDefiningOp<arith::CmpIOp>();
    auto field = condition ? condition.getLhs().getDefiningOp<TilingDataOp>() : TilingDataOp();
    if (field && field.getName().starts_with("runs_n"))
      nests.push_back(branch);
  }
  return nests;
}

static bool isWork(Operation *op) {
  return isa<PipeOpInterface>(op) && !isa<SetFlagOp, WaitFlagOp, PipeBarrierOp>(op);
}

static std::string textOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().useLocalScope().elideLargeElementsAttrs());
  return text.substr(0, text.find(" : "));
}

namespace {

/// A flag: sets and waits that take each other's places.
struct Flag {
  std::vector<unsigned> ops;
  opc::Pipe from, to;
  int64_t firstId = INT64_MAX;
};

class Generator {
public:
  Generator(func::FuncOp kernel, const std::vector<Launched> &launches, int64_t eventIds)
      : launches(launches), eventIds(eventIds), ops(pipeOpsOf(kernel)) {
    kernel.walk([&](BufferOp buffer) { buffers.push_back(buffer); });
    if (!nestsOf(kernel).empty())
      joins = &kernel.getBody().front();
    findFlags();
  }

  std::vector<Mutation> run() {
    deletions();
    moves();
    ids();
    addresses();
    swaps();
    for (unsigned index = 0; index < ops.size(); ++index)
      if (isWork(ops[index])) {
        tails(index);
        slots(index);
        cube(index);
      }
    return std::move(mutations);
  }

private:
  using Apply = Mutation::Apply;

  void findFlags();
  void deletions();
  void moves();
  void ids();
  void addresses();
  void swaps();
  void tails(unsigned index);
  void slots(unsigned index);
  void cube(unsigned index);
  void add(const char *kind, std::string text, Apply apply, bool counts = false) {
    mutations.push_back({kind, std::move(text), std::move(apply), counts});
  }
  std::string nameOf(unsigned index) const { return "op " + std::to_string(index) + ", '" + textOf(ops[index]) + "'"; }
  void shiftIds(const std::vector<unsigned> &which, int64_t by, std::string text);

  const std::vector<Launched> &launches;
  int64_t eventIds;
  std::vector<Operation *> ops;
  std::vector<BufferOp> buffers;
  std::vector<Flag> flags;
  std::map<unsigned, std::set<int64_t>> idsOf; ///< of each set and wait
  Block *joins = nullptr;                      ///< the block of the waits between nests
  std::vector<Mutation> mutations;
};

} // namespace

void Generator::findFlags() {
  std::vector<unsigned> parent(ops.size());
  std::iota(parent.begin(), parent.end(), 0u);
  std::function<unsigned(unsigned)> rootOf = [&](unsigned op) {
    return parent[op] == op ? op : parent[op] = rootOf(parent[op]);
  };
  for (const Launched &launch : launches) {
    const std::vector<Step> &steps = launch.trace->steps;
    for (const auto &[set, wait] : launch.facts->flags())
      parent[rootOf(steps[wait].op)] = rootOf(steps[set].op);
    for (const Step &step : steps)
      if (!step.isWork() && step.kind != PipeInstruction::Barrier)
        idsOf[step.op].insert(step.event);
  }
  std::map<unsigned, Flag> byRoot;
  for (unsigned index = 0; index < ops.size(); ++index) {
    if (!isa<SetFlagOp, WaitFlagOp>(ops[index]))
      continue;
    Flag &flag = byRoot[rootOf(index)];
    flag.ops.push_back(index);
    auto set = dyn_cast<SetFlagOp>(ops[index]);
    auto wait = dyn_cast<WaitFlagOp>(ops[index]);
    flag.from = toTarget(set ? set.getFrom() : wait.getFrom());
    flag.to = toTarget(set ? set.getTo() : wait.getTo());
    if (!idsOf[index].empty())
      flag.firstId = std::min(flag.firstId, *idsOf[index].begin());
  }
  for (auto &[root, flag] : byRoot)
    flags.push_back(std::move(flag));
}

void Generator::deletions() {
  auto erase = [this](const std::vector<unsigned> &which) -> Apply {
    std::vector<Operation *> chosen;
    for (unsigned index : which)
      chosen.push_back(ops[index]);
    return [chosen](func::FuncOp, const IRMapping &mapping) {
      for (Operation *op : chosen)
        mapping.lookup(op)->erase();
      return true;
    };
  };
  for (const Flag &flag : flags) {
    if (ops[flag.ops.front()]->getBlock() != joins)
      add("flag", "without the flag of " + nameOf(flag.ops.front()), erase(flag.ops), true);
    for (unsigned index : flag.ops)
      add("half", "without " + nameOf(index), erase({index}));
  }
  std::vector<unsigned> join;
  for (unsigned index = 0; index < ops.size(); ++index)
    if (ops[index]->getBlock() == joins)
      join.push_back(index);
    else if (isa<PipeBarrierOp>(ops[index]))
      add("barrier", "without " + nameOf(index), erase({index}), true);
  if (!join.empty())
    add("join", "without the waits between nests", erase(join));
}

/// The nearest op of the block, before or after, that works on the pipe or has work of it inside.
static Operation *nearestWork(Operation *op, aicore::Pipe pipe, bool behind) {
  for (Operation *other = behind ? op->getNextNode() : op->getPrevNode(); other;
       other = behind ? other->getNextNode() : other->getPrevNode()) {
    bool works = false;
    other->walk([&](PipeOpInterface inner) {
      works |= isWork(inner) && inner.getPipe() == pipe;
      return works ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (works)
      return other;
  }
  return nullptr;
}

void Generator::moves() {
  for (unsigned index = 0; index < ops.size(); ++index) {
    Operation *op = ops[index];
    if (isWork(op))
      continue;
    const aicore::Pipe pipe = cast<PipeOpInterface>(op).getPipe();
    for (bool behind : {false, true}) {
      // A set earlier and a wait later order less, a barrier past either side something else.
      if ((isa<SetFlagOp>(op) && behind) || (isa<WaitFlagOp>(op) && !behind))
        continue;
      Operation *past = nearestWork(op, pipe, behind);
      if (!past)
        continue;
      add("move", nameOf(index) + (behind ? " behind '" : " in front of '") + textOf(past) + "'",
          [op, past, behind](func::FuncOp, const IRMapping &mapping) {
            Operation *moved = mapping.lookup(op), *place = mapping.lookup(past);
            for (Value operand : moved->getOperands()) {
              Operation *id = operand.getDefiningOp();
              if (!behind && id && id->getBlock() == place->getBlock() && place->isBeforeInBlock(id))
                return false;
            }
            behind ? moved->moveAfter(place) : moved->moveBefore(place);
            return true;
          });
    }
  }
}

void Generator::shiftIds(const std::vector<unsigned> &which, int64_t by, std::string text) {
  std::vector<Operation *> chosen;
  for (unsigned index : which)
    chosen.push_back(ops[index]);
  add("id", std::move(text), [chosen, by](func::FuncOp, const IRMapping &mapping) {
    for (Operation *op : chosen) {
      Operation *flag = mapping.lookup(op);
      OpBuilder builder(flag);
      Value shift = arith::ConstantIndexOp::create(builder, flag->getLoc(), by);
      flag->setOperand(0, arith::AddIOp::create(builder, flag->getLoc(), flag->getOperand(0), shift));
    }
    return true;
  });
}

void Generator::ids() {
  for (const Flag &flag : flags) {
    std::set<int64_t> used;
    for (const Flag &other : flags)
      if (other.from == flag.from && other.to == flag.to)
        for (unsigned index : other.ops)
          used.insert(idsOf[index].begin(), idsOf[index].end());
    for (const Flag &other : flags)
      if (&other != &flag && other.from == flag.from && other.to == flag.to && other.firstId != flag.firstId &&
          other.firstId != INT64_MAX && flag.firstId != INT64_MAX)
        shiftIds(flag.ops, other.firstId - flag.firstId,
                 "the flag of " + nameOf(flag.ops.front()) + " with the ids of " + nameOf(other.ops.front()));
    for (unsigned index : flag.ops) {
      if (idsOf[index].empty())
        continue;
      const int64_t id = *idsOf[index].begin(), last = *idsOf[index].rbegin();
      std::set<int64_t> shifts;
      for (int64_t other : used)
        if (!idsOf[index].count(other))
          shifts.insert(other - id);
      if (shifts.empty())
        shifts.insert(last + 1 < eventIds ? 1 : -1);
      for (int64_t by : shifts)
        if (id + by >= 0 && last + by < eventIds)
          shiftIds({index}, by, nameOf(index) + " with its id moved by " + std::to_string(by));
    }
  }
}

void Generator::addresses() {
  for (BufferOp buffer : buffers) {
    if (!buffer.getAddress())
      continue;
    const int64_t begin = *buffer.getAddress(), end = begin + buffer.getBytes();
    BufferOp below, above;
    for (BufferOp other : buffers) {
      if (!other.getAddress() || other == buffer || other.getSpace() != buffer.getSpace())
        continue;
      const int64_t otherBegin = *other.getAddress(), otherEnd = otherBegin + other.getBytes();
      if (otherBegin >= end && (!above || otherBegin < *above.getAddress()))
        above = other;
      if (otherEnd <= begin && (!below || otherEnd > *below.getAddress() + below.getBytes()))
        below = other;
    }
    auto move = [&](BufferOp onto, int64_t address) {
      if (address < 0 || address == begin)
        return;
      add("address",
          "buffer '" + buffer.getName().str() + "' at " + std::to_string(address) + " instead of " +
              std::to_string(begin) + ", in '" + onto.getName().str() + "'",
          [buffer, address](func::FuncOp, const IRMapping &mapping) {
            BufferOp original = buffer;
            cast<BufferOp>(mapping.lookup(original.getOperation())).setAddress(address);
            return true;
          });
    };
    if (below) {
      move(below, *below.getAddress());
      move(below, *below.getAddress() + below.getBytes() - 32);
    }
    if (above) {
      move(above, *above.getAddress());
      move(above, *above.getAddress() + 32 - buffer.getBytes());
    }
  }
}

/// Moves what `op` needs of the ops between `place` and itself before `place`; false when that cannot be.
static bool hoistOperands(Operation *op, Operation *place) {
  llvm::SetVector<Operation *> needed;
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty())
    for (Value operand : worklist.pop_back_val()->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source || source->getBlock() != place->getBlock() || source->isBeforeInBlock(place) ||
          needed.contains(source))
        continue;
      if (source == place || !isMemoryEffectFree(source))
        return false;
      needed.insert(source);
      worklist.push_back(source);
    }
  SmallVector<Operation *> ordered(needed.begin(), needed.end());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *source : ordered)
    source->moveBefore(place);
  return true;
}

void Generator::swaps() {
  std::set<std::pair<unsigned, unsigned>> pairs;
  for (const Launched &launch : launches)
    for (const Facts::Pair &pair : launch.facts->pairs()) {
      const unsigned a = launch.trace->steps[pair.first].op, b = launch.trace->steps[pair.second].op;
      if (a != b && ops[a]->getBlock() == ops[b]->getBlock() && ops[a]->isBeforeInBlock(ops[b]))
        pairs.insert({a, b});
    }
  std::set<unsigned> done;
  for (const auto &[a, b] : pairs) {
    // Each op with the nearest one that depends on it.
    if (!done.insert(a).second)
      continue;
    Operation *first = ops[a], *second = ops[b];
    if (first->getNumResults() || second->getNumResults())
      continue;
    add("swap", nameOf(a) + " and " + nameOf(b) + " exchanged",
        [first, second](func::FuncOp, const IRMapping &mapping) {
          Operation *earlier = mapping.lookup(first), *later = mapping.lookup(second);
          Operation *behind = later->getNextNode();
          if (!hoistOperands(later, earlier))
            return false;
          later->moveBefore(earlier);
          earlier->moveBefore(behind);
          return true;
        });
  }
}

static OpFoldResult oneLess(OpBuilder &builder, Location location, OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return builder.getIndexAttr(std::max<int64_t>(0, *constant - 1));
  Value one = arith::ConstantIndexOp::create(builder, location, 1);
  return arith::SubIOp::create(builder, location, cast<Value>(size), one).getResult();
}

/// The view with other offsets and sizes, of the same rank.
static Value viewAgain(OpBuilder &builder, memref::SubViewOp view, ArrayRef<OpFoldResult> offsets,
                       ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape, whole;
  SmallVector<Value> ignored;
  dispatchIndexOpFoldResults(sizes, ignored, whole);
  const int64_t rank = view.getType().getRank();
  shape.assign(whole.end() - rank, whole.end());
  auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(shape, view.getSourceType(), offsets,
                                                                             sizes, view.getMixedStrides()));
  return memref::SubViewOp::create(builder, view.getLoc(), type, view.getSource(), offsets, sizes,
                                   view.getMixedStrides());
}

void Generator::tails(unsigned index) {
  // What is written says the length; operands of that length get shorter with it.
  Operation *op = ops[index];
  SmallVector<Access> accesses;
  cast<PipeOpInterface>(op).getAccesses(accesses);
  OpFoldResult length;
  for (const Access &access : accesses)
    if (auto view = access.memref().getDefiningOp<memref::SubViewOp>(); view && access.writes && !access.scratch)
      length = view.getMixedSizes().back();
  if (!length)
    return;
  add("tail", nameOf(index) + " one element shorter", [op, length](func::FuncOp, const IRMapping &mapping) {
    Operation *clone = mapping.lookup(op);
    OpBuilder builder(clone);
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      auto original = op->getOperand(i).getDefiningOp<memref::SubViewOp>();
      if (!original || original.getMixedSizes().back() != length)
        continue;
      auto view = clone->getOperand(i).getDefiningOp<memref::SubViewOp>();
      SmallVector<OpFoldResult> sizes = view.getMixedSizes();
      sizes.back() = oneLess(builder, clone->getLoc(), sizes.back());
      clone->setOperand(i, viewAgain(builder, view, view.getMixedOffsets(), sizes));
    }
    return true;
  });
}

/// Mistakes in what an op of the cube does with its fractals: another layout, another stride, no zeros beyond k.
void Generator::cube(unsigned index) {
  Operation *op = ops[index];
  auto moreRows = [&](unsigned operand, const char *what) {
    add("stride", nameOf(index) + " with 16 more as " + what, [op, operand](func::FuncOp, const IRMapping &mapping) {
      Operation *clone = mapping.lookup(op);
      OpBuilder builder(clone);
      Value more = arith::ConstantIndexOp::create(builder, clone->getLoc(), 16);
      clone->setOperand(operand, arith::AddIOp::create(builder, clone->getLoc(), clone->getOperand(operand), more));
      return true;
    });
  };
  if (auto load = dyn_cast<LoadNzOp>(op))
    moreRows(load.getHeightMutable().getOperandNumber(), "its height");
  if (auto store = dyn_cast<StoreNzOp>(op)) {
    moreRows(store.getHeightMutable().getOperandNumber(), "its height");
    moreRows(store.getRowStrideMutable().getOperandNumber(), "its stride");
  }
  if (auto load = dyn_cast<LoadFractalsOp>(op)) {
    moreRows(load.getHeightMutable().getOperandNumber(), "its height");
    add("layout", nameOf(index) + " with its fractals the other way", [op](func::FuncOp, const IRMapping &mapping) {
      auto clone = cast<LoadFractalsOp>(mapping.lookup(op));
      clone.setTranspose(!clone.getTranspose());
      return true;
    });
  }
  if (auto load = dyn_cast<LoadIm2colOp>(op)) {
    moreRows(load.getFirstRowMutable().getOperandNumber(), "its first row");
    moreRows(load.getFirstColumnMutable().getOperandNumber(), "its first column");
    // Sizes, pads before the image, strides and dilations. Some have no effect: a filter of one row has no dilation.
    for (unsigned i : {0u, 1u, 2u, 4u, 8u, 9u, 10u, 11u})
      add("layout", nameOf(index) + " with 1 more as number " + std::to_string(i) + " of its image",
          [op, i](func::FuncOp, const IRMapping &mapping) {
            auto clone = cast<LoadIm2colOp>(mapping.lookup(op));
            OpBuilder builder(clone);
            Value one = arith::ConstantIndexOp::create(builder, clone.getLoc(), 1);
            OpOperand &number = clone.getImageMutable()[i];
            number.set(arith::AddIOp::create(builder, clone.getLoc(), number.get(), one));
            return true;
          });
  }
  if (auto fixpipe = dyn_cast<FixpipeOp>(op); fixpipe && fixpipe.getRowStride())
    moreRows(fixpipe.getRowStrideMutable()[0].getOperandNumber(), "its stride");
  if (auto fixpipe = dyn_cast<FixpipeOp>(op); fixpipe && fixpipe.getHeight())
    moreRows(fixpipe.getHeightMutable()[0].getOperandNumber(), "its height");
  if (auto fill = dyn_cast<FillOp>(op)) {
    add("zeros", "without " + nameOf(index), [op](func::FuncOp, const IRMapping &mapping) {
      mapping.lookup(op)->erase();
      return true;
    });
    if (isa<IntegerType>(fill.getValue().getType()))
      mutations.back().withOnes = [op](func::FuncOp, const IRMapping &mapping) {
        auto clone = cast<FillOp>(mapping.lookup(op));
        OpBuilder builder(clone);
        auto one = builder.getIntegerAttr(clone.getValue().getType(), 1);
        clone.getValueMutable().assign(arith::ConstantOp::create(builder, clone.getLoc(), one));
        return true;
      };
  }
  if (isa<LoadBiasOp>(op))
    add("zeros", "without " + nameOf(index), [op](func::FuncOp, const IRMapping &mapping) {
      mapping.lookup(op)->erase();
      return true;
    });
  if (isa<MmadOp>(op))
    add("layout", nameOf(index) + " with the other start value", [op](func::FuncOp, const IRMapping &mapping) {
      auto clone = cast<MmadOp>(mapping.lookup(op));
      OpBuilder builder(clone);
      Value yes = arith::ConstantIntOp::create(builder, clone.getLoc(), 1, 1);
      clone.getInitMutable().assign(arith::XOrIOp::create(builder, clone.getLoc(), clone.getInit(), yes));
      return true;
    });
}

void Generator::slots(unsigned index) {
  Operation *op = ops[index];
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    auto view = op->getOperand(i).getDefiningOp<memref::SubViewOp>();
    auto buffer = view ? view.getSource().getDefiningOp<BufferOp>() : BufferOp();
    if (!buffer || buffer.getSlots() < 2)
      continue;
    const int64_t slots = buffer.getSlots();
    add("slot", nameOf(index) + " with operand " + std::to_string(i) + " in the next slot",
        [op, i, slots](func::FuncOp, const IRMapping &mapping) {
          Operation *clone = mapping.lookup(op);
          OpBuilder builder(clone);
          auto view = clone->getOperand(i).getDefiningOp<memref::SubViewOp>();
          Location location = clone->getLoc();
          SmallVector<OpFoldResult> offsets = view.getMixedOffsets();
          Value slot = getValueOrCreateConstantIndexOp(builder, location, offsets.front());
          Value next =
              arith::AddIOp::create(builder, location, slot, arith::ConstantIndexOp::create(builder, location, 1));
          offsets.front() =
              arith::RemSIOp::create(builder, location, next, arith::ConstantIndexOp::create(builder, location, slots))
                  .getResult();
          clone->setOperand(i, viewAgain(builder, view, offsets, view.getMixedSizes()));
          return true;
        });
  }
}

std::vector<Mutation> mutationsOf(func::FuncOp kernel, const std::vector<Launched> &launches, int64_t eventIds) {
  return Generator(kernel, launches, eventIds).run();
}

} // namespace opc::mutants
