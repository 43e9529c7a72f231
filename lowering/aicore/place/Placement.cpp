#include "lowering/aicore/place/Placement.h"

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/place/LineScans.h"
#include "lowering/aicore/place/LineSorts.h"
#include "lowering/aicore/place/LookupSteps.h"

#include "dialect/aicore/tiles/RowTiles.h"
#include "dialect/te/TeOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace opc::aicore;
namespace te = opc::te;

SmallVector<func::FuncOp> opc::aicore::fusedInstancesOf(ModuleOp module) {
  SmallVector<func::FuncOp> instances;
  for (auto function : module.getOps<func::FuncOp>())
    if (isFusedInstance(function))
      instances.push_back(function);
  return instances;
}

/// An empty kernel with the arguments of an instance, in which parts of a tensor are one argument; it is not yet in
/// a module.
static func::FuncOp emptyKernel(func::FuncOp fused, const KernelShape &shape) {
  MLIRContext *context = fused.getContext();
  SmallVector<Type> types;
  SmallVector<Attribute> arguments;
  unsigned tensor = 0;
  Builder builder(context);
  for (auto [index, type] : llvm::enumerate(fused.getArgumentTypes())) {
    bool isTensor = isa<MemRefType>(type);
    if (isTensor && shape.tensors[tensor].argument < arguments.size()) {
      ++tensor;
      continue;
    }
    auto name = fused.getArgAttrOfType<StringAttr>(index, te::TeDialect::kNameAttr);
    if (isTensor && shape.tensors[tensor].isPart)
      name = fused.getArgAttrOfType<StringAttr>(index, te::TeDialect::kPartOfAttr);
    arguments.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(AICoreDialect::kNameAttr, name ? name : builder.getStringAttr(""))));
    if (!isTensor) {
      types.push_back(type);
      continue;
    }
    opc::ElementType element = shape.tensors[tensor++].type;
    // No copy of the chip supports elements of 64 bits. Only indices have them; they are read as pairs of words.
    if (element == opc::ElementType::Int64)
      element = opc::ElementType::Int32;
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

LogicalResult Placement::read(bool alias, opc::ElementType expansion) {
  FailureOr<KernelShape> read = readKernelShape(fused);
  if (failed(read))
    return failure();
  shape = std::move(*read);
  kernel = emptyKernel(fused, shape);
  OpBuilder entry(kernel.getBody().front().getTerminator());
  IRMapping scalars;
  unsigned first = shape.tensors.empty() ? 0 : shape.tensors.back().argument + 1; // scalars are last
  for (auto [number, index] : llvm::enumerate(shape.scalars))
    scalars.map(fused.getArgument(index), kernel.getArgument(first + unsigned(number)));
  auto sizeOf = [&](unsigned loop) -> Value {
    return TilingDataOp::create(entry, fused.getLoc(), entry.getIndexType(),
                                "size" + std::to_string(loop) + shape.suffix, std::nullopt, std::nullopt,
                                /*cases=*/nullptr);
  };
  FailureOr<TileProgram> body = readFusedBody(fused, shape, target, expansion, entry, scalars, sizeOf);
  if (failed(body))
    return failure();
  program = std::move(*body);
  FailureOr<std::vector<Prologue>> before = readPrologues(fused, shape, target, expansion, entry, scalars);
  if (failed(before))
    return failure();
  prologues = std::move(*before);
  if (shape.form == KernelForm::Windows)
    program.moveRowsBehind();
  program.joinLines();
  bool hasLongForm = shape.form == KernelForm::Rows || shape.form == KernelForm::ReduceRows;
  bool isNest = shape.form == KernelForm::SplitRows || shape.form == KernelForm::Columns;
  inPasses = isNest || (hasLongForm && te::TeDialect::shapeKeyOf(fused).ends_with("_long"));
  shareCasts();
  assign(alias);
  return success();
}

TileNeeds Placement::needs() const {
  TileNeeds needs = needsOf(program, shape, homes, inPasses, target);
  if (shape.form == KernelForm::Gather)
    addIndices(shape, needs);
  if (shape.form == KernelForm::Scatter)
    addScatter(shape, needs);
  addLookups(program, shape, needs);
  addLineScans(program, needs);
  addLineSorts(program, shape, needs);
  if (shape.form != KernelForm::Contraction)
    return needs;
  // If Fixpipe stores the result, it uses neither UB nor the vector unit.
  if (program.storesProduct()) {
    needs.tileBits = needs.secondBits = needs.fixedBytes = needs.buffers = 0;
    needs.tileOps = needs.cycles = 0;
  }
  for (const Prologue &prologue : prologues)
    addPrologue(prologue, target, needs);
  return needs;
}

std::optional<TileNeeds> Placement::operandNeeds(bool isRight) const {
  for (const Prologue &prologue : prologues)
    if (prologue.isRight == isRight)
      return needsOfPrologue(prologue, target);
  return std::nullopt;
}

SmallVector<StringRef> Placement::lines() {
  SmallVector<StringRef> names;
  for (const TileStep &step : program.steps)
    if (step.lookup && step.lookup->kind == TileStep::Lookup::Lines)
      if (StringRef name = shape.tensors[step.lookup->tensor].name; !llvm::is_contained(names, name))
        names.push_back(StringAttr::get(fused.getContext(), name).getValue());
  return names;
}

// Keeping the result of a cast for later readers saves an intrinsic for each tile. It does not pay if the result
// needs a home of its own, since that makes tiles smaller. Passes over a row recompute from the loaded values anyway.
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

/// The schedule of the steps on rows that are longer than a tile, which work on some of them at a time. Null if there
/// is no room for one.
ScheduleAttr Placement::scheduleOfPiece(ScheduleAttr schedule, const TileNeeds &needs) const {
  const RowNeeds all = {needs.tileBits, needs.rowBytes, needs.fixedBytes + schedule.getAlignment() * needs.buffers};
  const auto ofRows = RowNeeds::of(all, {needs.secondBits, needs.secondBytes, 0}, schedule);
  const int64_t piece = rowsOfPiece(schedule, ofRows, target);
  if (piece == 0)
    return {};
  return ScheduleAttr::get(schedule.getContext(), schedule.getTile() / schedule.getRows() * piece, piece,
                           schedule.getSlots(), schedule.getPrefetch(), schedule.getAlignment(), schedule.getAlias(),
                           schedule.getExpansion());
}

LogicalResult Placement::write(ScheduleAttr schedule) {
  const int64_t rows = schedule.getRows(), width = schedule.getTile() / rows;
  auto isWhole = [](int64_t size) {
    return size >= kFractalRows && size <= CubeTile::kMostColumns && size % kFractalRows == 0;
  };
  const bool isRow = width % kLongRowUnit == 0 && width >= kLeastLongRow && width <= kMostLongRow;
  const bool isValid = shape.hasLongRows ? isRow : shape.hasResidentRight ? isRow || isWhole(width) : isWhole(width);
  if (shape.form == KernelForm::Contraction && !(isWhole(rows) && isValid && rows * width == schedule.getTile()))
    return fused.emitError("[place_c4] expects a schedule of a matrix product whose tile is whole fractals of ")
           << kFractalRows << " rows and columns, at most " << CubeTile::kMostColumns << " of each, found " << rows
           << " rows and " << width << " columns of " << schedule.getTile() << " elements";
  TileNeeds needed = needs();
  OpBuilder builder(kernel.getBody().front().getTerminator());
  const bool hasPieces = shape.form == KernelForm::Contraction && isLongRow(schedule);
  const ScheduleAttr ofSteps = hasPieces ? scheduleOfPiece(schedule, needed) : schedule;
  if (!ofSteps)
    return fused.emitError("[place_c4] expects a schedule of a matrix product with room for a row beside ")
           << rows << " rows of results, found rows of " << width << " elements";
  KernelWriter writer(program, shape, homes, ofSteps, needed, target, builder, kernel);
  std::vector<unsigned> levels = levelsOf(program);
  KernelParts parts{program, shape, homes, schedule, target, writer, passesOf(program, levels), levels, prologues};
  switch (shape.form) {
  case KernelForm::Flat:
    writeFlatKernel(parts);
    break;
  case KernelForm::Grid:
    writeRowsKernel(parts);
    break;
  case KernelForm::Any:
    writeAnyKernel(parts);
    break;
  case KernelForm::Rows:
  case KernelForm::ReduceRows:
  case KernelForm::SplitRows:
    inPasses ? writeLongRowsKernel(parts) : writeRowsKernel(parts);
    break;
  case KernelForm::ReduceColumns:
    writeColumnsKernel(parts);
    break;
  case KernelForm::Columns:
    writeColumnPassesKernel(parts);
    break;
  case KernelForm::Windows:
    writeWindowsKernel(parts);
    break;
  case KernelForm::Convolution:
    writeConvolutionKernel(parts);
    break;
  case KernelForm::Contraction:
    writeContractionKernel(parts);
    break;
  case KernelForm::Gather:
    writeGatherKernel(parts);
    break;
  case KernelForm::Scatter:
    writeScatterKernel(parts);
    break;
  case KernelForm::Sorted:
    writeSortedKernel(parts);
    break;
  }
  for (StringRef name : {AICoreDialect::kTilingFunctionAttr, AICoreDialect::kTilingKeyAttr, te::TeDialect::kNestAttr,
                         te::TeDialect::kTensorsAttr})
    if (Attribute attribute = fused->getAttr(name))
      kernel->setAttr(name, attribute);
  kernel->setAttr(AICoreDialect::kScheduleAttr, schedule);
  kernel->setAttr(AICoreDialect::kKernelAttr, UnitAttr::get(kernel.getContext()));
  setPhase(kernel, Phase::Placed);
  fused->getBlock()->getOperations().insert(Block::iterator(fused), kernel);
  fused.erase();
  return success();
}
