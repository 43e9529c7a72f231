// Fields, methods, loops and branches.
//
// Scalar ops at the start of the kernel that depend only on the tiling data belong to Init; those of their results that
// other methods use become fields, named as in the body. All other ops belong to Process, in the order of the kernel.

#include "lowering/emit/ascendc/KernelClass.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace opc;

static constexpr llvm::StringLiteral kStageNames[] = {"CopyIn", "Compute", "CopyOut"};
static constexpr llvm::StringLiteral kStageComments[] = {"// MTE2: from global memory to tiles.", "// V: on tiles.",
                                                         "// MTE3: from tiles to global memory."};

// Scalars that C++ text can represent: numbers of the scalar unit, and elements of tiles.
static bool isTextScalar(Type type) {
  bool isNumber = type.isInteger() && llvm::is_contained({8u, 16u, 32u, 64u}, type.getIntOrFloatBitWidth());
  return type.isIndex() || type.isF32() || type.isF16() || type.isBF16() || type.isSignlessInteger(1) || isNumber;
}

LogicalResult KernelClassBuilder::checkScalars() {
  for (Type type : kernel.getArgumentTypes())
    if (!isa<MemRefType>(type) && !isTextScalar(type))
      return kernel.emitOpError("[ascendc_c1] expects launch attributes of f32, i1, i8, i16, i32 or i64, found ")
             << type;
  WalkResult walk = kernel.walk([](Operation *op) {
    if (isa<arith::SelectOp>(op) && isa<MemRefType>(op->getResult(0).getType())) {
      op->emitOpError("[ascendc_c3] expects a tile that is a view of one buffer or tensor, found one of two");
      return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if (!isa<MemRefType>(type) && !isTextScalar(type)) {
        op->emitOpError("[ascendc_c1] expects scalars of index, integers, f32, f16 or bf16, found ") << type;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

// Tiling data is read in Init, wherever the kernel reads it.
void KernelClassBuilder::findInitOps() {
  llvm::DenseSet<Operation *> init;
  Block *entry = &kernel.getBody().front();
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool known = llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *definition = operand.getDefiningOp();
      return definition ? init.contains(definition) : !isa<MemRefType>(operand.getType());
    });
    bool isRead = isa<aicore::TilingDataOp, aicore::BlockIdxOp>(op);
    if (!isRead && (op->getBlock() != entry || !isScalarOp(op) || !known))
      return;
    init.insert(op);
    if (!isa<arith::ConstantOp>(op))
      initOps.push_back(op);
  });
  auto usedOutside = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return !init.contains(user); });
  };
  for (auto [index, argument] : llvm::enumerate(kernel.getArguments()))
    if (!isa<MemRefType>(argument.getType()) && usedOutside(argument))
      fields[argument] = classNames.take(lowerCamel(wantedName(argument)));
  for (Operation *op : initOps)
    if (usedOutside(op->getResult(0))) {
      std::string name = lowerCamel(wantedName(op->getResult(0)));
      fields[op->getResult(0)] = classNames.take(wantedName(op->getResult(0)).empty() ? "value" : name);
    }
}

/// The vendor's name of the position whose buffer is a memory: UB, L1, L0A, L0B, L0C.
static StringRef positionOf(aicore::Space space) {
  static constexpr llvm::StringLiteral names[kNumMemories] = {"GM", "VECCALC", "A1", "A2", "B2", "CO1", "C2"};
  return names[static_cast<unsigned>(space)];
}

/// UB, and the other memories that a kernel has buffers in.
static SmallVector<aicore::Space> memoriesOf(func::FuncOp kernel) {
  bool isUsed[kNumMemories] = {};
  kernel.walk([&](aicore::BufferOp buffer) { isUsed[static_cast<unsigned>(buffer.getSpace())] = true; });
  SmallVector<aicore::Space> memories = {aicore::Space::UB};
  for (aicore::Space space :
       {aicore::Space::L1, aicore::Space::L0A, aicore::Space::L0B, aicore::Space::L0C, aicore::Space::BT})
    if (isUsed[static_cast<unsigned>(space)])
      memories.push_back(space);
  return memories;
}

void KernelClassBuilder::declareFields() {
  Location loc = kernel.getLoc();
  auto declare = [&](StringRef name, Type type) {
    emitc::FieldOp::create(b, loc, b.getStringAttr(name), TypeAttr::get(type), Attribute());
  };
  auto opaque = [&](const llvm::Twine &text) { return emitc::OpaqueType::get(b.getContext(), text.str()); };
  for (aicore::Space space : memoriesOf(kernel))
    declare(aicore::stringifySpace(space), opaque("AscendC::TBuf<AscendC::TPosition::" + positionOf(space) + ">"));
  for (const KernelInterface::Tensor &tensor : interface.tensors)
    declare(lowerCamel(tensor.name) + "Gm",
            opaque("AscendC::GlobalTensor<" + std::string(ascendCTypeName(tensor.type)) + ">"));
  for (Value argument : kernel.getArguments())
    if (fields.contains(argument))
      declare(fields[argument], cppType(argument.getType()));
  for (Operation *op : initOps)
    if (fields.contains(op->getResult(0)))
      declare(fields[op->getResult(0)], cppType(op->getResult(0).getType()));
}

emitc::FuncOp KernelClassBuilder::openMethod(StringRef name, ArrayRef<Type> parameters) {
  auto method = emitc::FuncOp::create(b, kernel.getLoc(), name, b.getFunctionType(parameters, {}));
  method.setSpecifiersAttr(b.getStrArrayAttr({"__aicore__", "inline"}));
  b.setInsertionPointToStart(method.addEntryBlock());
  values.clear();
  tiles.clear();
  methodNames = classNames;
  return method;
}

void KernelClassBuilder::closeMethod() {
  auto method = cast<emitc::FuncOp>(b.getInsertionBlock()->getParentOp());
  emitc::ReturnOp::create(b, kernel.getLoc(), Value());
  b.setInsertionPointAfter(method);
}

LogicalResult KernelClassBuilder::buildInit() {
  auto opaque = [&](StringRef text) { return emitc::OpaqueType::get(b.getContext(), text); };
  SmallVector<Type> parameters = {opaque("AscendC::TPipe &")};
  parameters.append(interface.tensors.size(), opaque("GM_ADDR"));
  parameters.push_back(opaque(("const " + tilingType + " &").str()));
  emitc::FuncOp method = openMethod("Init", parameters);
  inInit = true;
  methodNames.reserve("tiling");
  for (auto [i, tensor] : llvm::enumerate(interface.tensors))
    markName(b, method.getArgument(i + 1), methodNames.take(lowerCamel(tensor.name)));
  markName(b, method.getArguments().front(), "pipe");
  markName(b, method.getArguments().back(), "tiling");

  for (aicore::Space space : memoriesOf(kernel)) {
    int64_t bytes = 32;
    kernel.walk([&](aicore::BufferOp buffer) {
      if (buffer.getSpace() == space)
        bytes = std::max(bytes, buffer.getAddress().value_or(0) + buffer.getBytes());
    });
    verbatim(kernel.getLoc(),
             "pipe.InitBuffer(" + aicore::stringifySpace(space) + ", " + llvm::Twine((bytes + 31) / 32 * 32) + ");");
  }
  for (auto [i, tensor] : llvm::enumerate(interface.tensors))
    verbatim(kernel.getLoc(),
             lowerCamel(tensor.name) + "Gm.SetGlobalBuffer(reinterpret_cast<__gm__ " +
                 std::string(ascendCTypeName(tensor.type)) + " *>({}));",
             method.getArgument(i + 1));
  unsigned field = interface.fields.size() - interface.launchAttributes.size();
  for (Value argument : kernel.getArguments()) {
    if (isa<MemRefType>(argument.getType()))
      continue;
    Value value = launchValue(field++, argument.getType());
    if (fields.contains(argument))
      verbatim(kernel.getLoc(), fields[argument] + " = {};", value);
    else
      values[argument] = value;
  }
  for (Operation *op : initOps)
    if (failed(emitScalar(op)))
      return failure();
  inInit = false;
  closeMethod();
  return success();
}

LogicalResult KernelClassBuilder::buildProcess() {
  openMethod("Process", {});
  if (failed(emitBlock(kernel.getBody().front())))
    return failure();
  closeMethod();
  return success();
}

LogicalResult KernelClassBuilder::buildStage(unsigned index) {
  verbatim(kernel.getLoc(), kStageComments[index]);
  const Stage &stage = stages[index];
  SmallVector<Type> types;
  for (Value parameter : stage.parameters)
    types.push_back(cppType(parameter.getType()));
  emitc::FuncOp method = openMethod(kStageNames[index], types);
  for (auto [value, parameter] : llvm::zip_equal(stage.parameters, method.getArguments()))
    define(value, parameter);
  for (Operation *op : stage.ops)
    if (isScalarOp(op) && failed(emitScalar(op)))
      return failure();
  // Declare tiles first, so that the calls below read as a list.
  for (Operation *op : stage.ops)
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()) && aicore::spaceOf(operand) == aicore::Space::UB &&
          failed(tileOf(op, operand)))
        return failure();
  for (Operation *op : stage.ops)
    if (auto pipeOp = dyn_cast<aicore::PipeOpInterface>(op); pipeOp && failed(emitPipeOp(pipeOp)))
      return failure();
  closeMethod();
  return success();
}

LogicalResult KernelClassBuilder::emitStageCalls() {
  for (auto [name, stage] : llvm::zip_equal(kStageNames, stages)) {
    SmallVector<Value> arguments;
    for (Value parameter : stage.parameters)
      arguments.push_back(use(parameter));
    emitc::CallOpaqueOp::create(b, tileLoop.getLoc(), TypeRange(), name, arguments);
  }
  return success();
}

LogicalResult KernelClassBuilder::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(&op)))
      return failure();
  return success();
}

LogicalResult KernelClassBuilder::emitOp(Operation *op) {
  bool printsNothing = isView(op) || isa<aicore::BufferOp, arith::ConstantOp>(op) || llvm::is_contained(initOps, op);
  if (printsNothing)
    return success();
  if (isScalarOp(op))
    return emitScalar(op);
  if (auto pipeOp = dyn_cast<aicore::PipeOpInterface>(op))
    return emitPipeOp(pipeOp);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(branch);
  return op->emitOpError("[ascendc_c1] expects ops that Ascend C has calls for on this chip, found '")
         << op->getName() << "'";
}

// A variable before a loop or branch. Uses of a carried value read it.
Value KernelClassBuilder::declareVariable(Value carried) {
  auto type = emitc::LValueType::get(cppType(carried.getType()));
  Value variable = emitc::VariableOp::create(b, carried.getLoc(), type, emitc::OpaqueAttr::get(b.getContext(), ""));
  std::string name = wantedName(carried);
  markName(b, variable, methodNames.take(name.empty() ? "carried" : lowerCamel(name)));
  return variable;
}

// Reads all values before it writes any variable.
void KernelClassBuilder::assign(ValueRange from, ArrayRef<Value> variables) {
  SmallVector<Value> printed;
  for (Value value : from)
    printed.push_back(use(value));
  for (auto [value, variable] : llvm::zip_equal(printed, variables))
    emitc::AssignOp::create(b, value.getLoc(), variable, value);
}

static void load(OpBuilder &b, llvm::DenseMap<Value, Value> &values, ValueRange carried, ArrayRef<Value> variables) {
  for (auto [value, variable] : llvm::zip_equal(carried, variables))
    if (!value.use_empty())
      values[value] = emitc::LoadOp::create(b, value.getLoc(),
                                            cast<emitc::LValueType>(variable.getType()).getValueType(), variable);
}

LogicalResult KernelClassBuilder::emitFor(scf::ForOp loop) {
  if (llvm::any_of(loop.getResultTypes(), [](Type type) { return isa<MemRefType>(type); }))
    return loop.emitOpError("[ascendc_c3] expects a tile that is a view of one buffer or tensor, "
                            "found one that a loop carries");
  SmallVector<Value> variables;
  for (Value carried : loop.getRegionIterArgs())
    variables.push_back(declareVariable(carried));
  assign(loop.getInitArgs(), variables);
  auto printed = emitc::ForOp::create(b, loop.getLoc(), use(loop.getLowerBound()), use(loop.getUpperBound()),
                                      use(loop.getStep()), nullptr);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(printed.getBody());
    define(loop.getInductionVar(), printed.getInductionVar());
    load(b, values, loop.getRegionIterArgs(), variables);
    if (loop == tileLoop ? failed(emitStageCalls()) : failed(emitBlock(*loop.getBody())))
      return failure();
    assign(loop.getYieldedValues(), variables);
  }
  load(b, values, loop.getResults(), variables);
  return success();
}

LogicalResult KernelClassBuilder::emitIf(scf::IfOp branch) {
  if (llvm::any_of(branch.getResultTypes(), [](Type type) { return isa<MemRefType>(type); }))
    return branch.emitOpError("[ascendc_c3] expects a tile that is a view of one buffer or tensor, "
                              "found one that a branch picks");
  SmallVector<Value> variables;
  for (Value result : branch.getResults())
    variables.push_back(declareVariable(result));
  bool hasElse = branch.elseBlock() != nullptr;
  auto printed = emitc::IfOp::create(b, branch.getLoc(), use(branch.getCondition()),
                                     /*addThenBlock=*/true, hasElse);
  auto fill = [&](Block &target, Block &source, ValueRange yielded) -> LogicalResult {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&target);
    if (failed(emitBlock(source)))
      return failure();
    assign(yielded, variables);
    // The printer omits the last op of a region.
    emitc::YieldOp::create(b, branch.getLoc());
    return success();
  };
  if (failed(fill(printed.getThenRegion().front(), *branch.thenBlock(), branch.thenYield().getOperands())))
    return failure();
  if (hasElse && failed(fill(printed.getElseRegion().front(), *branch.elseBlock(), branch.elseYield().getOperands())))
    return failure();
  load(b, values, branch.getResults(), variables);
  return success();
}

LogicalResult KernelClassBuilder::build(StringRef className) {
  for (StringRef name :
       {"pipe", "ub", "l1", "l0a", "l0b", "l0c", "bt", "tiling", "Init", "Process", "CopyIn", "Compute", "CopyOut"})
    classNames.reserve(name);
  for (StringRef name : HelperSet::names())
    classNames.reserve(name);
  for (const KernelInterface::Tensor &tensor : interface.tensors)
    classNames.reserve(lowerCamel(tensor.name) + "Gm");
  if (failed(checkScalars()))
    return failure();
  findInitOps();
  tileLoop = findTileLoop(kernel);
  auto isKnown = [&](Value value) { return fields.contains(value) || value.getDefiningOp<arith::ConstantOp>(); };
  if (tileLoop)
    for (auto [stage, pipe] : llvm::zip_equal(stages, kStages))
      stage = sliceStage(tileLoop, pipe, isKnown);

  auto classOp = emitc::ClassOp::create(b, kernel.getLoc(), className, /*final_specifier=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&classOp.getBody());
  declareFields();
  if (failed(buildInit()) || failed(buildProcess()))
    return failure();
  for (unsigned i = 0; tileLoop && i < std::size(kStages); ++i)
    if (failed(buildStage(i)))
      return failure();
  return success();
}
