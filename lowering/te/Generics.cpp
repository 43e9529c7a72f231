// Lowers a group of nodes to a linalg.generic: the tensors that it reads and writes, its indexing maps over the loops
// of the group, and its payload.

#include "lowering/te/KernelLowering.h"

#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace opc::te {

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

/// The indexing map of a tensor over the loops of a generic.
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

/// The type of the tensor between groups.
Type KernelLowering::typeBetween(const Node &node) const {
  Type element = elementOf(node.value.getType());
  if (node.kind == Node::Reduce)
    return precision.reduced(node.op);
  if (node.kind == Node::Locate)
    return element;
  return element.isInteger(1) ? storedType(element) : precision.computed(element);
}

/// The tensors that a group reads, without duplicates.
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
      else if (!operand && isa<RankedTensorType>(value.getType()) && !value.getDefiningOp<IotaOp>())
        add(inputs.lookup(value));
    }
  if (group.reduction && group.reduction->kind == Node::Locate)
    add(between.lookup(group.reduction->operands.back()));
  // No tensor may have a loop, for example if a row was broadcast and is summed. Its size then comes from an input.
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
    if (isRead || (!node->outputs.empty() && node->reduces()))
      results.push_back({node, inside, loopsOf(node->dims)});
    if (!node->outputs.empty() && (!isRead || inside != outside) && !node->reduces())
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
            scalarAs(node->op->getLoc(), value,
                     isa<GatherOp>(node->op) ? value.getType() : payload->operandType(node->op, unsigned(index)));
  }
}

/// The body of a generic: the values of a group's nodes at one position of its loops.
class KernelLowering::GroupPayload {
public:
  /// `arguments` are the elements of the sources, then of the results.
  GroupPayload(KernelLowering &lowering, const Group &group, ArrayRef<Stored> sources, ValueRange arguments)
      : lowering(lowering), payload(*lowering.payload), builder(lowering.builder), group(group), sources(sources),
        arguments(arguments) {}

  /// Emits all nodes and the yield.
  void emit(ArrayRef<Written> results);

private:
  Value argumentOf(Value tensor) const;
  Value argumentOf(Node *node) const { return argumentOf(lowering.between.lookup(node).tensor); }
  uint64_t placeOf(int64_t loop) const;
  Value element(Location location, Value value, Node *node);
  Value valueOf(Node &node);
  Value compute(Node &node);
  Value gather(GatherOp op, ArrayRef<Value> operands);
  Value scan(ScanOp op, Value operand);
  Value reduce(Node &node);
  Value locate(Node &node);
  Type computed(Type type) const { return lowering.precision.computed(type); }

  KernelLowering &lowering;
  Payload &payload;
  OpBuilder &builder;
  const Group &group;
  ArrayRef<Stored> sources;
  ValueRange arguments;
  llvm::DenseMap<Value, Value> read;        // elements of inputs
  llvm::DenseMap<const Node *, Value> done; // elements of nodes
};

Value KernelLowering::GroupPayload::argumentOf(Value tensor) const {
  const auto *at = llvm::find_if(sources, [&](const Stored &source) { return source.tensor == tensor; });
  return arguments[size_t(at - sources.begin())];
}

/// The place of a loop of the kernel among the loops of the generic.
uint64_t KernelLowering::GroupPayload::placeOf(int64_t loop) const {
  return uint64_t(llvm::find(group.domain, loop) - group.domain.begin());
}

/// An operand in its computed type: a node of this group or of another, or an input.
Value KernelLowering::GroupPayload::element(Location location, Value value, Node *node) {
  Value &known = node ? done[node] : read[value];
  if (known)
    return known;
  Type type = elementOf(value.getType());
  if (auto iota = value.getDefiningOp<IotaOp>()) {
    auto index = linalg::IndexOp::create(builder, iota.getLoc(), placeOf(int64_t(*iota.getLoop())));
    index->setAttr(TeDialect::kLoopAttr, iota.getLoopAttr());
    return known = arith::IndexCastOp::create(builder, iota.getLoc(), computed(type), index);
  }
  Value stored = node ? argumentOf(node) : argumentOf(lowering.inputs.lookup(value).tensor);
  if (node && node->kind == Node::Reduce && !type.isInteger(1))
    return known = payload.resize(location, stored, computed(type));
  return known = payload.read(location, stored, type);
}

Value KernelLowering::GroupPayload::gather(GatherOp op, ArrayRef<Value> operands) {
  Value stored = GatherOp::create(builder, op.getLoc(), operands.front(), ValueRange(operands).drop_front(),
                                  op.getDims(), op.getBeyond());
  return payload.read(op.getLoc(), stored, elementOf(op.getResult().getType()));
}

Value KernelLowering::GroupPayload::scan(ScanOp op, Value operand) {
  Type type = elementOf(op.getResult().getType());
  Value value = payload.resize(op.getLoc(), operand, lowering.precision.reduced(op), isUnsigned(type));
  value = ScanOp::create(builder, op.getLoc(), op.getForm(), value, op.getDim(), op.getExclusive(), op.getReverse(),
                         isUnsigned(type), builder.getI64IntegerAttr(int64_t(placeOf(int64_t(*op.getLoop())))));
  return payload.resize(op.getLoc(), value, computed(type), isUnsigned(type));
}

Value KernelLowering::GroupPayload::compute(Node &node) {
  SmallVector<Value> operands;
  for (auto [index, value] : llvm::enumerate(node.values())) {
    // A gathered tensor is read by its address in memory: its argument is the element at index 0.
    if (index == 0 && isa<GatherOp>(node.op)) {
      operands.push_back(argumentOf(lowering.inputs.lookup(value).tensor));
      continue;
    }
    Value scalar = lowering.prepared.lookup({&node, unsigned(index)});
    operands.push_back(scalar ? scalar : element(node.value.getLoc(), value, node.operands[index]));
  }
  if (auto op = dyn_cast<GatherOp>(node.op))
    return gather(op, operands);
  if (auto op = dyn_cast<ScanOp>(node.op))
    return scan(op, operands.front());
  if (isa<ArgMaxOp, ArgMinOp>(node.op))
    return lowering.constants->get(computed(elementOf(node.value.getType())), 0.0);
  // Of a single element.
  if (isa<ReductionOpInterface>(node.op))
    return operands.front();
  if (auto sort = dyn_cast<SortOp>(node.op))
    return SortOp::create(builder, sort.getLoc(), operands.front(), sort.getDim(), sort.getTo(), sort.getDescending(),
                          sort.getPlaces(), isUnsigned(elementOf(sort.getOperand().getType())),
                          builder.getI64IntegerAttr(int64_t(placeOf(int64_t(*sort.getLoop())))));
  return payload.apply(node.op, operands);
}

Value KernelLowering::GroupPayload::reduce(Node &node) {
  Location location = node.value.getLoc();
  Value sum = arguments.back();
  auto operand = [&](unsigned index) {
    Value whole = node.op->getOperand(index);
    Value value = element(location, whole, node.operands[index]);
    return payload.resize(location, value, sum.getType(), isUnsigned(elementOf(whole.getType())));
  };
  Value value = operand(0);
  if (isa<MatmulOp>(node.op))
    value = isa<FloatType>(sum.getType()) ? arith::MulFOp::create(builder, location, value, operand(1)).getResult()
                                          : arith::MulIOp::create(builder, location, value, operand(1)).getResult();
  return payload.combine(node.op, sum, value);
}

Value KernelLowering::GroupPayload::locate(Node &node) {
  Location location = node.value.getLoc();
  Value value = element(location, node.op->getOperand(0), node.operands.front());
  Dims kept = loopsOf(node.dims);
  // Loops around the innermost reduced loop have one iteration (arg_c1).
  uint64_t reduced = 0;
  for (auto [place, loop] : llvm::enumerate(group.domain))
    reduced = llvm::is_contained(kept, loop) ? reduced : place;
  Value index = linalg::IndexOp::create(builder, location, reduced);
  return payload.locate(node.op, value, argumentOf(node.operands.back()), index, arguments.back());
}

Value KernelLowering::GroupPayload::valueOf(Node &node) {
  Location location = node.value.getLoc();
  switch (node.kind) {
  case Node::Compute:
    return compute(node);
  case Node::Copy:
    return element(location, node.value, node.operands.front());
  case Node::Divide: {
    Value sum = argumentOf(node.operands.front());
    Value mean = arith::DivFOp::create(builder, location, sum, lowering.prepared.lookup({&node, 0u}));
    return payload.resize(location, mean, computed(elementOf(node.value.getType())));
  }
  case Node::Reduce:
    return reduce(node);
  case Node::Locate:
    return locate(node);
  }
}

void KernelLowering::GroupPayload::emit(ArrayRef<Written> results) {
  for (Node *node : group.nodes) {
    Value value = valueOf(*node);
    done[node] = value;
  }
  SmallVector<Value> yielded;
  for (const Written &written : results) {
    Value value = done.lookup(written.node);
    if (value.getType() != written.type)
      value = payload.write(written.node->value.getLoc(), value, elementOf(written.node->value.getType()));
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
    if (group.reduction) {
      Operation *op = group.reduction->op;
      Value start =
          group.reduction->kind == Node::Locate ? payload->noPosition(op) : payload->neutral(op, written.type);
      empty = linalg::FillOp::create(builder, location, start, empty).getResult(0);
    }
    outs.push_back(empty);
    maps.push_back(mapOf(written.dims, group.domain));
  }
  SmallVector<utils::IteratorType> iterators;
  Dims kept = group.reduction ? loopsOf(group.reduction->dims) : group.domain;
  for (int64_t loop : group.domain)
    iterators.push_back(llvm::is_contained(kept, loop) ? utils::IteratorType::parallel
                                                       : utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(builder, location, ValueRange(outs).getTypes(), ins, outs, maps, iterators,
                                           [&](OpBuilder &inner, Location, ValueRange arguments) {
                                             OpBuilder::InsertionGuard guard(builder);
                                             builder.restoreInsertionPoint(inner.saveInsertionPoint());
                                             GroupPayload(*this, group, sources, arguments).emit(results);
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

} // namespace opc::te
