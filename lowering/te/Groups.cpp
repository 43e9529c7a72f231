#include "lowering/te/Groups.h"

#include "dialect/te/TeOps.h"

using namespace mlir;

namespace opc::te {

ValueRange Node::values() const {
  if (!op)
    return ValueRange(value);
  return isa<BroadcastOp>(op) ? ValueRange(op->getOperands().take_front()) : op->getOperands();
}

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// Ops that contribute to an output. Others are not lowered.
static llvm::DenseSet<Operation *> neededOps(func::FuncOp kernel) {
  llvm::DenseSet<Operation *> needed;
  auto need = [&](ValueRange values) {
    for (Value value : values)
      if (Operation *op = value.getDefiningOp())
        needed.insert(op);
  };
  need(kernel.front().getTerminator()->getOperands());
  for (Operation &op : llvm::reverse(kernel.front().without_terminator()))
    if (needed.contains(&op) && !isa<IotaOp>(op))
      need(isa<BroadcastOp>(op) ? op.getOperands().take_front() : op.getOperands());
  return needed;
}

/// Whether a reduction has a single element for each of its results: a value that another one has reduced over the same
/// axes.
static bool reducesNothing(Operation &op, const Loops &loops) {
  return isa<ReductionOpInterface>(op) && loopsOf(loops.dims(op.getOperand(0))) == loopsOf(loops.dims(op.getResult(0)));
}

Node *Groups::add(Node::Kind kind, Operation *op, Value value, ArrayRef<Node *> operands) {
  nodes.push_back(std::make_unique<Node>());
  Node *node = nodes.back().get();
  node->kind = kind;
  node->op = op;
  node->value = value;
  node->dims = Dims(loops.dims(value));
  node->operands.assign(operands.begin(), operands.end());
  // An operand that occurs twice is already its last user.
  for (Node *operand : operands)
    if (operand && (operand->users.empty() || operand->users.back() != node))
      operand->users.push_back(node);
  return node;
}

void Groups::addNodes(func::FuncOp kernel) {
  llvm::DenseSet<Operation *> needed = neededOps(kernel);
  for (Operation &op : kernel.front().without_terminator()) {
    // Positions are computed in the generic that reads them.
    if (!needed.contains(&op) || !isTensor(op.getResult(0)) || isa<IotaOp>(op))
      continue;
    ValueRange values = isa<BroadcastOp>(op) ? ValueRange(op.getOperands().take_front()) : ValueRange(op.getOperands());
    SmallVector<Node *> operands = llvm::map_to_vector(values, [&](Value value) { return byValue.lookup(value); });
    Value value = op.getResult(0);
    if (op.hasTrait<Elementwise>() || isa<BroadcastOp, ScanOp, SortOp, GatherOp>(op) || reducesNothing(op, loops)) {
      byValue[value] = add(Node::Compute, &op, value, operands);
      continue;
    }
    Node *reduction = add(Node::Reduce, &op, value, operands);
    if (isa<ArgMaxOp, ArgMinOp>(op)) {
      byValue[value] = add(Node::Locate, &op, value, {operands.front(), reduction});
      continue;
    }
    byValue[value] = isa<ReduceMeanOp>(op) ? add(Node::Divide, &op, value, reduction) : reduction;
  }
}

void Groups::addOutputs(func::FuncOp kernel) {
  ValueRange returned = kernel.front().getTerminator()->getOperands();
  for (Value value : returned) {
    Node *node = byValue.lookup(value);
    Type element = elementOf(value.getType());
    bool hasUnits = node && llvm::is_contained(node->dims, -1);
    bool isOther = node && node->reduces() &&
                   (hasUnits || (node->kind == Node::Reduce && precision.reduced(node->op) != storedType(element)));
    // Tensors between groups have no dimensions of size 1, but outputs do.
    const bool isBetween = hasUnits && (!node->users.empty() || llvm::count(returned, value) > 1);
    if (!node || isOther || isBetween)
      node = add(Node::Copy, nullptr, value, node);
    node->outputs.push_back(unsigned(outputs.size()));
    outputs.push_back(node);
  }
}

/// The loops of a node that is a root: those of its result, for a reduction those of its operand, for a matrix product
/// those of both.
static Dims domainOf(const Node &node, const Loops &loops) {
  if (node.op && isa<MatmulOp>(node.op)) {
    Dims all = Dims(loops.dims(node.op->getOperand(0)));
    llvm::append_range(all, node.dims);
    all = loopsOf(all);
    all.erase(llvm::unique(all), all.end());
    return all;
  }
  if (node.reduces())
    return loopsOf(loops.dims(node.op->getOperand(0)));
  return node.outputs.empty() ? loopsOf(node.dims) : node.dims;
}

void Groups::assign() {
  bool anyReduction = llvm::any_of(nodes, [](auto &node) { return node->reduces(); });
  // Without reductions, all outputs are computed by one generic if they have the same loops.
  const Dims &first = outputs.front()->dims;
  bool isOne = !anyReduction && !llvm::is_contained(first, -1) &&
               llvm::all_of(outputs, [&](Node *output) { return output->dims == first; });
  if (isOne) {
    groups.push_back(std::make_unique<Group>());
    groups.back()->domain = first;
    for (auto &node : nodes) {
      node->group = groups.back().get();
      node->group->nodes.push_back(node.get());
    }
    return;
  }
  for (auto &node : llvm::reverse(nodes)) {
    bool isRoot = node->reduces() || !node->outputs.empty();
    Group *group = node->users.empty() ? nullptr : node->users.front()->group;
    bool joins = !isRoot && group && llvm::all_of(node->users, [&](Node *user) { return user->group == group; }) &&
                 loopsOf(group->domain) == loopsOf(node->dims);
    if (!joins) {
      groups.push_back(std::make_unique<Group>());
      group = groups.back().get();
      group->domain = domainOf(*node, loops);
      if (node->reduces())
        group->reduction = node.get();
    }
    node->group = group;
    group->nodes.push_back(node.get());
  }
  std::reverse(groups.begin(), groups.end());
  for (auto &group : groups)
    std::reverse(group->nodes.begin(), group->nodes.end());
}

Groups::Groups(func::FuncOp kernel, const Loops &loops, const Precision &precision)
    : loops(loops), precision(precision) {
  addNodes(kernel);
  addOutputs(kernel);
  assign();
}

} // namespace opc::te
