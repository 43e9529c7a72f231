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

void KernelLowering::emitPayload(const Group &group, ArrayRef<Stored> sources, ValueRange arguments,
                                 ArrayRef<Written> results) {
  auto argumentOf = [&](Value tensor) {
    const auto *at = llvm::find_if(sources, [&](const Stored &source) { return source.tensor == tensor; });
    return arguments[size_t(at - sources.begin())];
  };
  llvm::DenseMap<Value, Value> read;        // elements of inputs
  llvm::DenseMap<const Node *, Value> done; // elements of nodes
  // An operand in its computed type: a node of this group or of another, or an input.
  auto element = [&](Location location, Value value, Node *node) {
    Value &known = node ? done[node] : read[value];
    if (known)
      return known;
    Type type = elementOf(value.getType());
    if (auto iota = value.getDefiningOp<IotaOp>()) {
      const auto *place = llvm::find(group.domain, int64_t(*iota.getLoop()));
      auto index = linalg::IndexOp::create(builder, iota.getLoc(), uint64_t(place - group.domain.begin()));
      index->setAttr(TeDialect::kLoopAttr, iota.getLoopAttr());
      return known = arith::IndexCastOp::create(builder, iota.getLoc(), precision.computed(type), index);
    }
    Value stored = argumentOf(node ? between.lookup(node).tensor : inputs.lookup(value).tensor);
    if (node && node->kind == Node::Reduce && !type.isInteger(1))
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
        // A gathered tensor is read by its address in memory: its argument is the element at index 0.
        if (index == 0 && isa<GatherOp>(node->op)) {
          operands.push_back(argumentOf(inputs.lookup(value).tensor));
          continue;
        }
        Value scalar = prepared.lookup({node, unsigned(index)});
        operands.push_back(scalar ? scalar : element(location, value, node->operands[index]));
      }
      if (auto gather = dyn_cast<GatherOp>(node->op)) {
        Value stored = GatherOp::create(builder, location, operands.front(), ValueRange(operands).drop_front(),
                                        gather.getDims(), gather.getBeyond());
        result = payload->read(location, stored, type);
        break;
      }
      if (auto scan = dyn_cast<ScanOp>(node->op)) {
        const auto *place = llvm::find(group.domain, int64_t(*scan.getLoop()));
        Value value = payload->resize(location, operands.front(), precision.reduced(scan), isUnsigned(type));
        value = ScanOp::create(builder, location, scan.getForm(), value, scan.getDim(), scan.getExclusive(),
                               scan.getReverse(), isUnsigned(type),
                               builder.getI64IntegerAttr(place - group.domain.begin()));
        result = payload->resize(location, value, precision.computed(type), isUnsigned(type));
        break;
      }
      if (auto sort = dyn_cast<SortOp>(node->op)) {
        const auto *place = llvm::find(group.domain, int64_t(*sort.getLoop()));
        result = SortOp::create(builder, location, operands.front(), sort.getDim(), sort.getTo(), sort.getDescending(),
                                sort.getPlaces(), isUnsigned(elementOf(sort.getOperand().getType())),
                                builder.getI64IntegerAttr(place - group.domain.begin()));
        break;
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
      Value sum = arguments.back();
      auto operand = [&](unsigned index) {
        Value whole = node->op->getOperand(index);
        Value value = element(location, whole, node->operands[index]);
        return payload->resize(location, value, sum.getType(), isUnsigned(elementOf(whole.getType())));
      };
      Value value = operand(0);
      if (isa<MatmulOp>(node->op))
        value = isa<FloatType>(sum.getType()) ? arith::MulFOp::create(builder, location, value, operand(1)).getResult()
                                              : arith::MulIOp::create(builder, location, value, operand(1)).getResult();
      result = payload->combine(node->op, sum, value);
      break;
    }
    case Node::Locate: {
      Value value = element(location, node->op->getOperand(0), node->operands.front());
      Value extreme = argumentOf(between.lookup(node->operands.back()).tensor);
      Dims kept = loopsOf(node->dims);
      // Loops around the innermost reduced loop have one iteration (arg_c1).
      uint64_t reduced = 0;
      for (auto [place, loop] : llvm::enumerate(group.domain))
        reduced = llvm::is_contained(kept, loop) ? reduced : place;
      Value index = linalg::IndexOp::create(builder, location, reduced);
      result = payload->locate(node->op, value, extreme, index, arguments.back());
      break;
    }
    }
    done[node] = result;
  }
  SmallVector<Value> yielded;
  for (const Written &written : results) {
    Value value = done.lookup(written.node);
    if (value.getType() != written.type)
      value = payload->write(written.node->value.getLoc(), value, elementOf(written.node->value.getType()));
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

} // namespace opc::te
