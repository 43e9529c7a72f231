// Unrolls LSTM, GRU and RNN into their steps; the common part of all steps is one product before them.

#include "lowering/graph/legalize/parts/Decomposer.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// Maximum number of steps of one node, and of nodes of all steps.
static constexpr int64_t kMostSteps = 1024;

/// A layer of one direction: its operands as matrices.
struct Decomposer::Recurrence {
  int64_t steps = 0, batch = 0, inputs = 0, hidden = 0, directions = 0, gates = 0;
  bool isBatchFirst = false;
  /// For one direction: [steps, batch, gates * hidden], the operand's part of each gate with both biases.
  Value given;
  Value turned;      ///< [hidden, gates * hidden]: the weights of the last hidden values
  Value bias;        ///< [gates * hidden], their bias, if it is not in `given`; else null
  Value peepholes;   ///< [3 * hidden] of an LSTM; null: none
  Value state, cell; ///< [batch, hidden]
};

/// The part of a tensor for one direction, reshaped.
Value Decomposer::ofDirection(unsigned operand, int64_t direction, ArrayRef<int64_t> shape) {
  const bool isOne = typeOf(operand).getDimSize(0) == 1;
  Value own = node.getOperand(operand);
  return reshaped(isOne ? own : sliced(own, direction, direction + 1, 0), shape);
}

/// Whether the node has the default activations and no clipping.
bool Decomposer::isPlainRecurrence(const Recurrence &form) {
  static constexpr StringLiteral kOfLstm[] = {"Sigmoid", "Tanh", "Tanh"}, kOfGru[] = {"Sigmoid", "Tanh"},
                                 kOfRnn[] = {"Tanh"};
  const ArrayRef<StringLiteral> usual = node.getOp() == "LSTM"  ? ArrayRef(kOfLstm)
                                        : node.getOp() == "GRU" ? ArrayRef(kOfGru)
                                                                : ArrayRef(kOfRnn);
  if (parameter("clip") || parameter("activation_alpha") || parameter("activation_beta") ||
      integer("input_forget", 0) != 0)
    return false;
  if (!parameter("activations"))
    return true;
  auto given = dyn_cast<ArrayAttr>(parameter("activations"));
  if (!given || given.size() != usual.size() * static_cast<size_t>(form.directions))
    return false;
  for (size_t i = 0; i < given.size(); ++i)
    if (auto text = dyn_cast<StringAttr>(given[i]); !text || text.getValue() != usual[i % usual.size()])
      return false;
  return true;
}

bool Decomposer::readRecurrence(Recurrence &form) {
  RankedTensorType type = typeOf(0), weights = typeOf(1), turned = typeOf(2);
  const StringRef direction = word("direction", "forward");
  if (!type || !weights || !turned || type.getRank() != 3 || weights.getRank() != 3 || turned.getRank() != 3 ||
      !isa<FloatType>(type.getElementType()) || !llvm::is_contained({"forward", "reverse", "bidirectional"}, direction))
    return false;
  form.isBatchFirst = integer("layout", 0) != 0;
  form.gates = node.getOp() == "LSTM" ? 4 : node.getOp() == "GRU" ? 3 : 1;
  form.directions = direction == "bidirectional" ? 2 : 1;
  form.steps = type.getDimSize(form.isBatchFirst ? 1 : 0);
  form.batch = type.getDimSize(form.isBatchFirst ? 0 : 1);
  form.inputs = type.getDimSize(2);
  form.hidden = turned.getDimSize(2);
  auto isOf = [&](unsigned operand, ArrayRef<int64_t> shape) {
    return !has(operand) || (typeOf(operand) && typeOf(operand).getShape() == shape);
  };
  const int64_t rows = form.gates * form.hidden;
  if (form.steps < 1 || form.steps > kMostSteps || form.batch < 1 || form.inputs < 1 || form.hidden < 1 ||
      !elementsOf({form.batch, form.gates, form.hidden}, kMostWritten) ||
      integer("hidden_size", form.hidden) != form.hidden || !isOf(1, {form.directions, rows, form.inputs}) ||
      !isOf(2, {form.directions, rows, form.hidden}) || !isOf(3, {form.directions, 2 * rows}) ||
      !isPlainRecurrence(form))
    return false;
  const Shape state = form.isBatchFirst ? Shape{form.batch, form.directions, form.hidden}
                                        : Shape{form.directions, form.batch, form.hidden};
  if (!isOf(5, state) || (node.getOp() == "LSTM" && (!isOf(6, state) || !isOf(7, {form.directions, 3 * form.hidden}))))
    return false;
  // Shorter sequences would end before the last step.
  if (!has(4))
    return true;
  std::optional<Shape> lengths = list("", 4);
  return lengths && llvm::all_of(*lengths, [&](int64_t length) { return length == form.steps; });
}

/// Prepares the operands of one direction; the part that does not depend on the step before is computed for all steps
/// at once.
void Decomposer::startRecurrence(Recurrence &form, Value from, int64_t direction) {
  const int64_t rows = form.gates * form.hidden, hidden = form.hidden;
  const bool isReset = node.getOp() == "GRU" && integer("linear_before_reset", 0) != 0;
  Value weights = transposed(ofDirection(1, direction, {rows, form.inputs}), {1, 0});
  form.turned = transposed(ofDirection(2, direction, {rows, hidden}), {1, 0});
  form.given = value("MatMul", {reshaped(from, {form.steps * form.batch, form.inputs}), weights});
  form.bias = Value();
  if (has(3)) {
    Value both = ofDirection(3, direction, {2 * rows});
    Value first = sliced(both, 0, rows, 0), second = sliced(both, rows, 2 * rows, 0);
    // The reset gate is applied in between, so the second bias of the last gate stays separate.
    if (isReset) {
      form.bias = sliced(second, 2 * hidden, 3 * hidden, 0);
      second = joined({sliced(second, 0, 2 * hidden, 0), splat(hidden, typeOf(0).getElementType(), 0)}, 0);
    }
    form.given = value("Add", {form.given, value("Add", {first, second})});
  }
  form.given = reshaped(form.given, {form.steps, form.batch, rows});
  auto stateOf = [&](unsigned operand) {
    const Shape shape = {form.batch, hidden};
    if (!has(operand))
      return splat(shape, typeOf(0).getElementType(), 0);
    if (!form.isBatchFirst || form.directions == 1)
      return form.isBatchFirst ? reshaped(node.getOperand(operand), shape) : ofDirection(operand, direction, shape);
    return reshaped(sliced(node.getOperand(operand), direction, direction + 1, 1), shape);
  };
  form.state = stateOf(5);
  if (node.getOp() != "LSTM")
    return;
  form.cell = stateOf(6);
  form.peepholes = has(7) ? ofDirection(7, direction, {3 * hidden}) : Value();
}

void Decomposer::stepOfLstm(Recurrence &form, Value given) {
  const int64_t hidden = form.hidden;
  auto part = [&](Value of, int64_t number) { return sliced(of, number * hidden, (number + 1) * hidden, 1); };
  // Gates are input, output, forget, cell; peepholes have the order of the first three.
  Value gates = value("Add", {given, value("MatMul", {form.state, form.turned})});
  // Parts of one row are ranges of bytes.
  const bool isOneRow = form.batch == 1 && !form.peepholes;
  Value open = isOneRow ? value("Sigmoid", sliced(gates, 0, 3 * hidden, 1)) : Value();
  auto gate = [&](int64_t number, Value cell) {
    if (isOneRow)
      return part(open, number);
    Value own = part(gates, number);
    if (form.peepholes) {
      Value peephole = sliced(form.peepholes, number * hidden, (number + 1) * hidden, 0);
      own = value("Add", {own, value("Mul", {peephole, cell})});
    }
    return value("Sigmoid", own);
  };
  Value input = gate(0, form.cell), forget = gate(2, form.cell);
  Value made = value("Tanh", part(gates, 3));
  form.cell = value("Add", {value("Mul", {forget, form.cell}), value("Mul", {input, made})});
  form.state = value("Mul", {gate(1, form.cell), value("Tanh", form.cell)});
}

void Decomposer::stepOfGru(Recurrence &form, Value given) {
  const int64_t hidden = form.hidden;
  auto part = [&](Value of, int64_t number) { return sliced(of, number * hidden, (number + 1) * hidden, 1); };
  Value update, reset, last;
  if (integer("linear_before_reset", 0) != 0) {
    Value product = value("MatMul", {form.state, form.turned});
    update = value("Sigmoid", value("Add", {part(given, 0), part(product, 0)}));
    reset = value("Sigmoid", value("Add", {part(given, 1), part(product, 1)}));
    last = part(product, 2);
    if (form.bias)
      last = value("Add", {last, form.bias});
    last = value("Mul", {reset, last});
  } else {
    // The first two gates are computed before the third one.
    Value product = value("MatMul", {form.state, sliced(form.turned, 0, 2 * hidden, 1)});
    update = value("Sigmoid", value("Add", {part(given, 0), part(product, 0)}));
    reset = value("Sigmoid", value("Add", {part(given, 1), part(product, 1)}));
    last = value("MatMul", {value("Mul", {reset, form.state}), sliced(form.turned, 2 * hidden, 3 * hidden, 1)});
  }
  Value made = value("Tanh", value("Add", {part(given, 2), last}));
  // (1 - update) * made + update * state
  form.state = value("Add", {made, value("Mul", {update, value("Sub", {form.state, made})})});
}

void Decomposer::stepOfRnn(Recurrence &form, Value given) {
  form.state = value("Tanh", value("Add", {given, value("MatMul", {form.state, form.turned})}));
}

bool Decomposer::recurrent() {
  Recurrence form;
  if (node.getNumResults() > (node.getOp() == "LSTM" ? 3 : 2) || !readRecurrence(form))
    return false;
  const Shape one = {1, form.batch, form.hidden};
  Value from = form.isBatchFirst ? transposed(node.getOperand(0), {1, 0, 2}) : node.getOperand(0);
  SmallVector<Value> all(static_cast<size_t>(form.steps * form.directions)), states, cells;
  for (int64_t direction = 0; direction < form.directions; ++direction) {
    startRecurrence(form, from, direction);
    const bool isBackwards = direction == 1 || word("direction", "forward") == "reverse";
    for (int64_t i = 0; i < form.steps; ++i) {
      const int64_t step = isBackwards ? form.steps - 1 - i : i;
      Value given = reshaped(sliced(form.given, step, step + 1, 0), {form.batch, form.gates * form.hidden});
      node.getOp() == "LSTM"  ? stepOfLstm(form, given)
      : node.getOp() == "GRU" ? stepOfGru(form, given)
                              : stepOfRnn(form, given);
      all[static_cast<size_t>(step * form.directions + direction)] = reshaped(form.state, one);
    }
    states.push_back(reshaped(form.state, one));
    if (form.cell)
      cells.push_back(reshaped(form.cell, one));
  }
  auto isRead = [&](unsigned result) { return result < node.getNumResults() && !node.getResult(result).use_empty(); };
  auto together = [&](ArrayRef<Value> parts) { return value("Concat", parts, named("axis", int64_t(0))); };
  if (isRead(0)) {
    // [steps, directions, batch, hidden]
    Value whole = reshaped(together(all), {form.steps, form.directions, form.batch, form.hidden});
    finish(0, form.isBatchFirst ? transposed(whole, {2, 0, 1, 3}) : whole);
  }
  for (unsigned result : {1u, 2u})
    if (isRead(result)) {
      Value whole = together(result == 1 ? states : cells);
      finish(result, form.isBatchFirst ? transposed(whole, {1, 0, 2}) : whole);
    }
  return true;
}
