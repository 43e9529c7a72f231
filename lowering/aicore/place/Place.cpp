// Placement: from fused instances of te bodies to placed kernels, in two passes with the schedule
// between them.
//
//   measure   reads the body into a tile program and says what it needs of UB
//   place     reads it again, now with a schedule, and writes the kernel
//
// Loops and tiles are written directly from the tile program: a fused body is a chain of generics
// over at most three loops of known kinds, and what is hard about placing it (rows on 32 bytes,
// pads, row scalars, invariants in front of the loops, in-place homes) is not what tiling and
// bufferisation do. docs/rationale/tiling-keys.md has the comparison.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"
#include "lowering/aicore/place/FusedBody.h"
#include "lowering/aicore/place/KernelForms.h"

#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace opc::aicore;
namespace te = opc::te;

namespace opc::aicore {
#define GEN_PASS_DEF_MEASUREPASS
#define GEN_PASS_DEF_PLACEPASS
#include "lowering/aicore/Passes.h.inc"
} // namespace opc::aicore

static SmallVector<func::FuncOp> instancesOf(ModuleOp module) {
  SmallVector<func::FuncOp> instances;
  for (auto function : module.getOps<func::FuncOp>())
    if (isFusedInstance(function))
      instances.push_back(function);
  return instances;
}

/// An empty kernel with the arguments of an instance, not yet in a module.
static func::FuncOp emptyKernel(func::FuncOp fused, const KernelShape &shape) {
  MLIRContext *context = fused.getContext();
  SmallVector<Type> types;
  SmallVector<Attribute> arguments;
  unsigned tensor = 0;
  Builder builder(context);
  for (auto [index, type] : llvm::enumerate(fused.getArgumentTypes())) {
    auto name = fused.getArgAttrOfType<StringAttr>(index, te::TeDialect::kNameAttr);
    arguments.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(AICoreDialect::kNameAttr, name ? name : builder.getStringAttr(""))));
    if (!isa<MemRefType>(type)) {
      types.push_back(type);
      continue;
    }
    opc::ElementType element = shape.tensors[tensor++].type;
    types.push_back(MemRefType::get({ShapedType::kDynamic}, mlirTypeOf(element, context), MemRefLayoutAttrInterface(),
                                    SpaceAttr::get(context, Space::GM)));
  }
  auto kernel = func::FuncOp::create(fused.getLoc(), fused.getName(), builder.getFunctionType(types, {}));
  kernel.setAllArgAttrs(arguments);
  Block *entry = kernel.addEntryBlock();
  auto end = OpBuilder::atBlockEnd(entry);
  func::ReturnOp::create(end, fused.getLoc());
  return kernel;
}

namespace {
/// One instance on its way to a kernel.
class Placement {
public:
  Placement(func::FuncOp fused, const opc::Target &target) : fused(fused), target(target) {}
  ~Placement() {
    if (kernel && !kernel->getBlock())
      kernel.erase();
  }

  /// Makes the kernel's frame, the tile program and the homes.
  LogicalResult read(bool alias, opc::ElementType expansion);
  /// Assigns homes anew.
  void assign(bool alias) { homes = assignHomes(program, shape, inPasses, alias, target); }
  TileNeeds needs() const { return needsOf(program, homes, inPasses, target); }
  /// Whether another expansion type would be another program.
  bool hasExpansions();
  /// Writes the loops and puts the kernel in the place of the instance.
  LogicalResult write(ScheduleAttr schedule);

private:
  void shareCasts();

  func::FuncOp fused, kernel;
  const opc::Target &target;
  KernelShape shape;
  TileProgram program;
  Homes homes;
  bool inPasses = false;
};
} // namespace

LogicalResult Placement::read(bool alias, opc::ElementType expansion) {
  FailureOr<KernelShape> read = readKernelShape(fused);
  if (failed(read))
    return failure();
  shape = std::move(*read);
  kernel = emptyKernel(fused, shape);
  OpBuilder entry(kernel.getBody().front().getTerminator());
  IRMapping scalars;
  for (unsigned index : shape.scalars)
    scalars.map(fused.getArgument(index), kernel.getArgument(index));
  auto sizeOf = [&](unsigned loop) -> Value {
    return TilingDataOp::create(entry, fused.getLoc(), entry.getIndexType(), "size" + std::to_string(loop),
                                std::nullopt, std::nullopt,
                                /*cases=*/nullptr);
  };
  FailureOr<TileProgram> body = readFusedBody(fused, shape, target, expansion, entry, scalars, sizeOf);
  if (failed(body))
    return failure();
  program = std::move(*body);
  auto key = fused->getAttrOfType<StringAttr>(te::TeDialect::kShapeKeyAttr);
  bool hasLongForm = shape.form == KernelForm::Rows || shape.form == KernelForm::ReduceRows;
  inPasses = hasLongForm && key && key.getValue().ends_with("_long");
  shareCasts();
  assign(alias);
  return success();
}

// A cast that is kept for later readers saves an intrinsic over the tile, unless it takes a tile of
// its own until then: smaller tiles cost more. Passes over a row begin with what was loaded.
void Placement::shareCasts() {
  if (inPasses)
    return;
  assign(/*alias=*/false);
  const TileNeeds apart = needs();
  TileProgram written = std::move(program);
  program = written.withCastsShared();
  assign(/*alias=*/false);
  if (needs().tileBits > apart.tileBits || needs().rowBytes > apart.rowBytes)
    program = std::move(written);
}

bool Placement::hasExpansions() {
  bool halves = llvm::any_of(
      program.values, [](const TileValue &value) { return value.tensor && value.type == opc::ElementType::Float16; });
  if (!halves)
    return false;
  WalkResult found = fused.walk([](Operation *op) {
    bool isExpanded = isa<te::SigmoidOp, te::TanhOp, te::ErfOp, te::GeluOp, te::SwishOp>(op);
    return isExpanded ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

static NeedsAttr attributeOf(MLIRContext *context, const TileNeeds &needs, bool alias, int64_t expansion) {
  auto reach = [&](int64_t cycles) {
    return needs.cycles > 0 ? NeedsAttr::kWholeReach * cycles / needs.cycles : NeedsAttr::kWholeReach;
  };
  return NeedsAttr::get(context, needs.tileBits, needs.rowBytes, needs.secondBits, needs.secondBytes, needs.fixedBytes,
                        needs.buffers, needs.loads, needs.loadBytes, needs.storeBytes, needs.smallest,
                        needs.readsScalars, alias, expansion, needs.passes, needs.tileOps, needs.rowOps, needs.cycles,
                        reach(needs.loadReach), reach(needs.storeReach));
}

/// The needs of an instance under each schedule that changes them, the plain one first.
static LogicalResult measure(func::FuncOp fused, const opc::Target &chip, SmallVectorImpl<Attribute> &variants) {
  for (auto [bits, expansion] : {std::pair(32, opc::ElementType::Float32), std::pair(16, opc::ElementType::Float16)}) {
    Placement placement(fused, chip);
    if (failed(placement.read(/*alias=*/false, expansion)))
      return failure();
    TileNeeds plain = placement.needs();
    // Functions of what has not come from float16 are expanded as ever.
    if (bits == 16 && attributeOf(fused.getContext(), plain, false, 32) == variants.front())
      break;
    variants.push_back(attributeOf(fused.getContext(), plain, false, bits));
    placement.assign(/*alias=*/true);
    TileNeeds shared = placement.needs();
    if (shared.tileBits != plain.tileBits || shared.rowBytes != plain.rowBytes)
      variants.push_back(attributeOf(fused.getContext(), shared, true, bits));
    if (!placement.hasExpansions())
      break;
  }
  return success();
}

LogicalResult Placement::write(ScheduleAttr schedule) {
  TileNeeds needed = needs();
  OpBuilder builder(kernel.getBody().front().getTerminator());
  KernelWriter writer(program, homes, schedule, needed, target, builder, kernel);
  std::vector<unsigned> levels = levelsOf(program);
  KernelParts parts{program, shape, homes, schedule, writer, passesOf(program, levels), levels};
  switch (shape.form) {
  case KernelForm::Flat:
    writeFlatKernel(parts);
    break;
  case KernelForm::Grid:
    writeRowsKernel(parts);
    break;
  case KernelForm::Rows:
  case KernelForm::ReduceRows:
    inPasses ? writeLongRowsKernel(parts) : writeRowsKernel(parts);
    break;
  case KernelForm::ReduceColumns:
    writeColumnsKernel(parts);
    break;
  }
  for (StringRef name : {AICoreDialect::kTilingFunctionAttr, AICoreDialect::kTilingKeyAttr})
    if (Attribute attribute = fused->getAttr(name))
      kernel->setAttr(name, attribute);
  kernel->setAttr(AICoreDialect::kScheduleAttr, schedule);
  kernel->setAttr(AICoreDialect::kKernelAttr, UnitAttr::get(kernel.getContext()));
  setPhase(kernel, Phase::Placed);
  fused->getBlock()->getOperations().insert(Block::iterator(fused), kernel);
  fused.erase();
  return success();
}

namespace {
struct MeasurePass : opc::aicore::impl::MeasurePassBase<MeasurePass> {
  using MeasurePassBase::MeasurePassBase;
  void runOnOperation() override {
    const opc::Target *chip = targetByName(getOperation(), target);
    if (!chip)
      return signalPassFailure();
    for (func::FuncOp fused : instancesOf(getOperation())) {
      SmallVector<Attribute> variants;
      if (failed(measure(fused, *chip, variants)))
        return signalPassFailure();
      fused->setAttr(AICoreDialect::kNeedsAttr, variants.front());
      fused->setAttr(AICoreDialect::kNeedsVariantsAttr, ArrayAttr::get(&getContext(), variants));
    }
  }
};

struct PlacePass : opc::aicore::impl::PlacePassBase<PlacePass> {
  using PlacePassBase::PlacePassBase;
  void runOnOperation() override {
    const opc::Target *chip = targetByName(getOperation(), target);
    if (!chip)
      return signalPassFailure();
    for (func::FuncOp fused : instancesOf(getOperation())) {
      auto schedule = fused->getAttrOfType<ScheduleAttr>(AICoreDialect::kScheduleAttr);
      if (!schedule) {
        fused.emitError("[place_c4] expects an instance with a schedule (aicore.schedule)");
        return signalPassFailure();
      }
      Placement placement(fused, *chip);
      opc::ElementType expansion =
          schedule.getExpansion() == 16 ? opc::ElementType::Float16 : opc::ElementType::Float32;
      if (failed(placement.read(schedule.getAlias(), expansion)) || failed(placement.write(schedule)))
        return signalPassFailure();
      ++numPlaced;
    }
  }
};
} // namespace
