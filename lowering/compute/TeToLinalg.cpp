// From te on tensors to linalg.generic between memrefs: see Passes.td. Groups.h says what becomes
// one generic, Payload.h what stands in it, Precision.h in which types.

#include "lowering/compute/FusedFunction.h"
#include "lowering/compute/Groups.h"
#include "lowering/compute/Passes.h"
#include "lowering/compute/Payload.h"
#include "lowering/compute/VerifyBound.h"

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
#include "lowering/compute/Passes.h.inc"

namespace {

/// A tensor of the lowered kernel, and the loops of its dimensions.
struct Stored {
  Value tensor;
  Dims dims;
};

/// What a generic writes: the value of a node, as a type, for other groups or as outputs.
struct Written {
  Node *node;
  Type type;
  Dims dims;
};

/// One kernel. The old function gives way to a new one of the same name.
class KernelLowering {
public:
  KernelLowering(func::FuncOp bound, const Loops &loops)
      : bound(bound), precision(bound), groups(bound, loops, precision), loops(loops),
        builder(bound.getContext()) {}

  void run();
  unsigned numGenerics() const { return unsigned(groups.all().size()); }
  unsigned numJoined() const {
    unsigned joined = 0;
    for (auto &group : groups.all())
      joined += unsigned(group->nodes.size()) - 1;
    return joined;
  }

private:
  void readInputs();
  Value sizeOf(int64_t loop);
  void lowerScalars();
  Value scalarAs(Location location, Value value, Type type);
  Value emptyTensor(Location location, ArrayRef<int64_t> dims, Type element);
  Value countOf(Node *divide, Type type);
  AffineMap mapOf(ArrayRef<int64_t> dims, ArrayRef<int64_t> domain);
  void lower(const Group &group);
  Type typeBetween(const Node &node) const;
  SmallVector<Stored> sourcesOf(const Group &group);
  SmallVector<Written> resultsOf(const Group &group) const;
  void prepareScalars(const Group &group);
  void emitPayload(const Group &group, ArrayRef<Stored> sources, ValueRange arguments,
                   ArrayRef<Written> results);

  func::FuncOp bound, fused;
  Precision precision;
  Groups groups;
  const Loops &loops;
  OpBuilder builder;
  std::optional<Constants> constants;
  std::optional<Payload> payload;
  llvm::DenseMap<Value, Stored> inputs;         ///< by the argument of the bound kernel
  llvm::DenseMap<const Node *, Stored> between; ///< what a group leaves to others
  llvm::DenseMap<Value, Value> scalars;         ///< by the scalar of the bound kernel
  /// Scalar operands of nodes, in the type the node takes them in.
  llvm::DenseMap<std::pair<const Node *, unsigned>, Value> prepared;
  llvm::DenseMap<int64_t, Value> sizes;
  SmallVector<Value> outputs; ///< tensors to store
};

} // namespace

//===----------------------------------------------------------------------===//
// Inputs, sizes and scalars
//===----------------------------------------------------------------------===//

void KernelLowering::readInputs() {
  unsigned next = 0, scalar = bound.getNumResults();
  for (BlockArgument argument : bound.getArguments())
    scalar += isa<RankedTensorType>(argument.getType());
  for (BlockArgument argument : bound.getArguments()) {
    if (!isa<RankedTensorType>(argument.getType())) {
      scalars[argument] = fused.getArgument(scalar++);
      continue;
    }
    Value memory = fused.getArgument(next++);
    auto type = RankedTensorType::get(cast<MemRefType>(memory.getType()).getShape(),
                                      cast<MemRefType>(memory.getType()).getElementType());
    auto tensor = bufferization::ToTensorOp::create(builder, argument.getLoc(), type, memory,
                                                    /*restrict=*/true);
    inputs[argument] = {tensor, Dims(loops.dims(argument))};
  }
}

/// Of the first input that runs over the loop.
Value KernelLowering::sizeOf(int64_t loop) {
  if (Value known = sizes.lookup(loop))
    return known;
  for (BlockArgument argument : bound.getArguments()) {
    auto input = inputs.find(argument);
    if (input == inputs.end())
      continue;
    const auto *at = llvm::find(input->second.dims, loop);
    if (at == input->second.dims.end())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(input->second.tensor);
    Value place = constants->get(builder.getIndexAttr(at - input->second.dims.begin()));
    Value size =
        tensor::DimOp::create(builder, input->second.tensor.getLoc(), input->second.tensor, place);
    return sizes[loop] = size;
  }
  return {};
}

/// Ops on scalars alone, in the order of the body.
void KernelLowering::lowerScalars() {
  for (Operation &op : bound.front().without_terminator()) {
    if (isa<ConstantOp>(op) || isa<RankedTensorType>(op.getResult(0).getType()))
      continue;
    SmallVector<Value> operands;
    for (auto [index, operand] : llvm::enumerate(op.getOperands()))
      operands.push_back(
          scalarAs(op.getLoc(), operand, payload->operandType(&op, unsigned(index))));
    scalars[op.getResult(0)] = payload->apply(&op, operands);
  }
}

/// A scalar of the bound kernel in a type of its kind. A constant is rounded once, from what the
/// text says.
Value KernelLowering::scalarAs(Location location, Value value, Type type) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return constants->get(type, constant.getValue());
  return payload->resize(location, scalars.lookup(value), type, isUnsigned(value.getType()));
}

/// The number of elements that a mean divides by.
Value KernelLowering::countOf(Node *divide, Type type) {
  Location location = divide->op->getLoc();
  Dims reduced;
  Dims left = loopsOf(divide->dims);
  for (int64_t loop : loopsOf(loops.dims(divide->op->getOperand(0))))
    if (!llvm::is_contained(left, loop))
      reduced.push_back(loop);
  Value count;
  for (int64_t loop : reduced)
    count =
        count ? Value(arith::MulIOp::create(builder, location, count, sizeOf(loop))) : sizeOf(loop);
  if (!count)
    return constants->get(type, 1.0);
  Value integer = arith::IndexCastOp::create(builder, location, builder.getI64Type(), count);
  if (isa<FloatType>(type))
    return arith::SIToFPOp::create(builder, location, type, integer);
  return payload->resize(location, integer, type);
}

//===----------------------------------------------------------------------===//
// Generics
//===----------------------------------------------------------------------===//

Value KernelLowering::emptyTensor(Location location, ArrayRef<int64_t> dims, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (int64_t loop : dims) {
    shape.push_back(loop < 0 ? 1 : ShapedType::kDynamic);
    if (loop >= 0)
      dynamic.push_back(sizeOf(loop));
  }
  return tensor::EmptyOp::create(builder, location, shape, element, dynamic);
}

/// Where a tensor's dimensions lie in the loops of a generic.
AffineMap KernelLowering::mapOf(ArrayRef<int64_t> dims, ArrayRef<int64_t> domain) {
  SmallVector<AffineExpr> places;
  bool isWhole = dims == domain;
  for (auto [index, loop] : llvm::enumerate(dims)) {
    const auto *at = llvm::find(domain, loop);
    if (isWhole)
      places.push_back(builder.getAffineDimExpr(unsigned(index)));
    else if (loop < 0)
      places.push_back(builder.getAffineConstantExpr(0));
    else
      places.push_back(builder.getAffineDimExpr(unsigned(at - domain.begin())));
  }
  return AffineMap::get(unsigned(domain.size()), 0, places, builder.getContext());
}

/// Of the tensor between groups.
Type KernelLowering::typeBetween(const Node &node) const {
  Type element = elementOf(node.value.getType());
  if (node.kind == Node::Reduce)
    return precision.reduced(node.op);
  return element.isInteger(1) ? storedType(element) : precision.computed(element);
}

/// Tensors that a group reads, each once.
SmallVector<Stored> KernelLowering::sourcesOf(const Group &group) {
  SmallVector<Stored> sources;
  auto add = [&](const Stored &stored) {
    if (llvm::none_of(sources, [&](const Stored &other) { return other.tensor == stored.tensor; }))
      sources.push_back(stored);
  };
  for (Node *node : group.nodes)
    for (auto [operand, value] : llvm::zip(node->operands, node->values())) {
      if (operand && operand->group != &group)
        add(between.lookup(operand));
      else if (!operand && isa<RankedTensorType>(value.getType()))
        add(inputs.lookup(value));
    }
  // A loop that no tensor has, as of a row that was broadcast and is summed: an input tells its
  // size.
  for (int64_t loop : loopsOf(group.domain)) {
    auto has = [&](const Stored &source) { return llvm::is_contained(source.dims, loop); };
    if (!group.reduction || llvm::any_of(sources, has))
      continue;
    for (BlockArgument argument : bound.getArguments())
      if (Stored input = inputs.lookup(argument); input.tensor && has(input)) {
        add(input);
        break;
      }
  }
  return sources;
}

SmallVector<Written> KernelLowering::resultsOf(const Group &group) const {
  SmallVector<Written> results;
  for (Node *node : group.nodes) {
    bool isRead = llvm::any_of(node->users, [&](Node *user) { return user->group != &group; });
    Type inside = typeBetween(*node), outside = storedType(elementOf(node->value.getType()));
    if (isRead || (!node->outputs.empty() && node->kind == Node::Reduce))
      results.push_back({node, inside, loopsOf(node->dims)});
    if (!node->outputs.empty() && (!isRead || inside != outside) && node->kind != Node::Reduce)
      results.push_back({node, outside, node->dims});
  }
  return results;
}

void KernelLowering::prepareScalars(const Group &group) {
  for (Node *node : group.nodes) {
    if (node->kind == Node::Divide)
      prepared[{node, 0u}] = countOf(node, typeBetween(*node->operands.front()));
    if (node->kind != Node::Compute)
      continue;
    for (auto [index, value] : llvm::enumerate(node->values()))
      if (!isa<RankedTensorType>(value.getType()))
        prepared[{node, unsigned(index)}] =
            scalarAs(node->op->getLoc(), value, payload->operandType(node->op, unsigned(index)));
  }
}

void KernelLowering::emitPayload(const Group &group, ArrayRef<Stored> sources, ValueRange arguments,
                                 ArrayRef<Written> results) {
  auto argumentOf = [&](Value tensor) {
    const auto *at =
        llvm::find_if(sources, [&](const Stored &source) { return source.tensor == tensor; });
    return arguments[size_t(at - sources.begin())];
  };
  llvm::DenseMap<Value, Value> read;        // elements of inputs
  llvm::DenseMap<const Node *, Value> done; // elements of nodes
  // An operand in its computed type: of this group, of another, of an input.
  auto element = [&](Location location, Value value, Node *node) {
    Value &known = node ? done[node] : read[value];
    if (known)
      return known;
    Type type = elementOf(value.getType());
    Value stored = argumentOf(node ? between.lookup(node).tensor : inputs.lookup(value).tensor);
    if (node && node->kind == Node::Reduce)
      return known = payload->resize(location, stored, precision.computed(type));
    return known = payload->read(location, stored, type);
  };
  for (Node *node : group.nodes) {
    Location location = node->value.getLoc();
    Type type = elementOf(node->value.getType());
    Value result;
    switch (node->kind) {
    case Node::Compute: {
      SmallVector<Value> operands;
      for (auto [index, value] : llvm::enumerate(node->values())) {
        Value scalar = prepared.lookup({node, unsigned(index)});
        operands.push_back(scalar ? scalar : element(location, value, node->operands[index]));
      }
      result = payload->apply(node->op, operands);
      break;
    }
    case Node::Copy:
      result = element(location, node->value, node->operands.front());
      break;
    case Node::Divide: {
      Value sum = argumentOf(between.lookup(node->operands.front()).tensor);
      result = arith::DivFOp::create(builder, location, sum, prepared.lookup({node, 0u}));
      result = payload->resize(location, result, precision.computed(type));
      break;
    }
    case Node::Reduce: {
      Value value = element(location, node->op->getOperand(0), node->operands.front());
      Value sum = arguments.back();
      value = payload->resize(location, value, sum.getType(), isUnsigned(type));
      result = payload->combine(node->op, sum, value);
      break;
    }
    }
    done[node] = result;
  }
  SmallVector<Value> yielded;
  for (const Written &written : results) {
    Value value = done.lookup(written.node);
    if (value.getType() != written.type)
      value = payload->write(written.node->value.getLoc(), value,
                             elementOf(written.node->value.getType()));
    yielded.push_back(value);
  }
  linalg::YieldOp::create(builder, group.nodes.back()->value.getLoc(), yielded);
}

void KernelLowering::lower(const Group &group) {
  Location location = group.nodes.back()->value.getLoc();
  prepareScalars(group);
  SmallVector<Stored> sources = sourcesOf(group);
  SmallVector<Written> results = resultsOf(group);
  SmallVector<Value> ins, outs;
  SmallVector<AffineMap> maps;
  for (const Stored &source : sources) {
    ins.push_back(source.tensor);
    maps.push_back(mapOf(source.dims, group.domain));
  }
  for (const Written &written : results) {
    Value empty = emptyTensor(location, written.dims, written.type);
    if (group.reduction)
      empty = linalg::FillOp::create(builder, location,
                                     payload->neutral(group.reduction->op, written.type), empty)
                  .getResult(0);
    outs.push_back(empty);
    maps.push_back(mapOf(written.dims, group.domain));
  }
  SmallVector<utils::IteratorType> iterators;
  Dims kept = group.reduction ? loopsOf(group.reduction->dims) : group.domain;
  for (int64_t loop : group.domain)
    iterators.push_back(llvm::is_contained(kept, loop) ? utils::IteratorType::parallel
                                                       : utils::IteratorType::reduction);
  auto generic =
      linalg::GenericOp::create(builder, location, ValueRange(outs).getTypes(), ins, outs, maps,
                                iterators, [&](OpBuilder &inner, Location, ValueRange arguments) {
                                  OpBuilder::InsertionGuard guard(builder);
                                  builder.restoreInsertionPoint(inner.saveInsertionPoint());
                                  emitPayload(group, sources, arguments, results);
                                });
  for (auto [written, result] : llvm::zip(results, generic.getResults())) {
    Node *node = written.node;
    bool isRead = llvm::any_of(node->users, [&](Node *user) { return user->group != &group; });
    if (isRead && written.type == typeBetween(*node))
      between[node] = {result, written.dims};
    if (written.type == storedType(elementOf(node->value.getType())))
      for (unsigned output : node->outputs)
        outputs[output] = result;
  }
}

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
  // Scalars that no output needs, and inputs that nothing reads, leave no trace.
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
      // Alone in opc-opt a pass meets anything.
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
