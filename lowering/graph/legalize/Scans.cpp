// A Scan is a Loop whose steps are as many as its lists have elements: each step takes an element of each list by the
// number of the step.
//
//   Scan(states..., lists...) { body(states..., elements...) }
//   Loop(size, true, states...) { body(i, go, states...): elements are Gather(list, i) }

#include "lowering/graph/legalize/Legalizer.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// The opset from which on a Scan has no batch and no lengths of sequences.
static constexpr int64_t kScanOpset = 9;

/// The numbers of an attribute, one for each list; zeros where it is left out. nullopt for another number of them.
static std::optional<SmallVector<int64_t>> numbersOf(NodeOp node, StringRef name, size_t lists) {
  DictionaryAttr parameters = node.getParametersAttr();
  Attribute given = parameters ? parameters.get(name) : Attribute();
  if (!given)
    return SmallVector<int64_t>(lists, 0);
  auto numbers = dyn_cast<DenseI64ArrayAttr>(given);
  return numbers && static_cast<size_t>(numbers.size()) == lists ? std::optional(llvm::to_vector(numbers.asArrayRef()))
                                                                 : std::nullopt;
}

namespace {

/// What a Scan has: values that go from step to step come first among operands and results, lists after them.
struct ScanForm {
  size_t states = 0;
  int64_t steps = 0;
  SmallVector<int64_t> axes, directions;       ///< of the lists that it reads
  SmallVector<int64_t> outAxes, outDirections; ///< of those that it gives
};

} // namespace

/// The steps of a list along an axis, which becomes one from the front; nullopt when its size is not known.
static std::optional<int64_t> stepsOf(Value list, int64_t &axis) {
  auto type = dyn_cast<RankedTensorType>(list.getType());
  if (!type || axis < -type.getRank() || axis >= type.getRank())
    return std::nullopt;
  axis += axis < 0 ? type.getRank() : 0;
  const int64_t size = type.getDimSize(static_cast<unsigned>(axis));
  return ShapedType::isDynamic(size) ? std::nullopt : std::optional(size);
}

/// nullopt for what is no Scan, breaks its rules, or has lists of sizes that are not known or differ.
static std::optional<ScanForm> formOf(NodeOp node) {
  DictionaryAttr parameters = node.getParametersAttr();
  auto lists = parameters ? parameters.getAs<IntegerAttr>("num_scan_inputs") : IntegerAttr();
  const size_t operands = node.getNumOperands();
  if (node.getBodies().size() != 1 || !lists || lists.getInt() < 1 || lists.getInt() > static_cast<int64_t>(operands))
    return std::nullopt;
  ScanForm form;
  const auto read = static_cast<size_t>(lists.getInt());
  form.states = operands - read;
  Block &body = node.getBodies().front().front();
  if (form.states > node.getNumResults() || body.getNumArguments() != operands ||
      body.getTerminator()->getNumOperands() != node.getNumResults())
    return std::nullopt;
  const size_t given = node.getNumResults() - form.states;
  auto axes = numbersOf(node, "scan_input_axes", read), directions = numbersOf(node, "scan_input_directions", read);
  auto outAxes = numbersOf(node, "scan_output_axes", given);
  auto outDirections = numbersOf(node, "scan_output_directions", given);
  if (!axes || !directions || !outAxes || !outDirections)
    return std::nullopt;
  auto isDirection = [](int64_t direction) { return direction == 0 || direction == 1; };
  if (!llvm::all_of(*directions, isDirection) || !llvm::all_of(*outDirections, isDirection))
    return std::nullopt;
  for (size_t i = 0; i < read; ++i) {
    const std::optional<int64_t> steps = stepsOf(node.getOperand(static_cast<unsigned>(form.states + i)), (*axes)[i]);
    if (!steps || (i != 0 && *steps != form.steps))
      return std::nullopt;
    form.steps = *steps;
  }
  form.axes = std::move(*axes);
  form.directions = std::move(*directions);
  form.outAxes = std::move(*outAxes);
  form.outDirections = std::move(*outDirections);
  return form;
}

static Value makeNumber(OpBuilder &builder, mlir::Location location, StringRef name, Type type, Attribute value) {
  auto tensor = RankedTensorType::get({}, type);
  return ConstantOp::create(builder, location, tensor, builder.getStringAttr(name),
                            DenseElementsAttr::get(tensor, value), /*overridable=*/false, PlaceAttr());
}

/// Gives the body of a Loop the number of its step and its condition, and takes elements of lists by that number.
static void takeElements(NodeOp loop, ValueRange lists, const ScanForm &form) {
  Block &body = loop.getBodies().front().front();
  OpBuilder inner = OpBuilder::atBlockBegin(&body);
  const mlir::Location location = loop.getLoc();
  const Value number = body.insertArgument(0u, RankedTensorType::get({}, inner.getI64Type()), location);
  const Value going = body.insertArgument(1u, RankedTensorType::get({}, inner.getI1Type()), location);
  auto emit = [&](StringRef op, ValueRange operands, const Twine &name, DictionaryAttr parameters) {
    StringAttr result = inner.getStringAttr(name);
    return NodeOp::create(inner, location, TypeRange(UnknownType::get(inner.getContext())), inner.getStringAttr(op),
                          StringAttr(), operands, inner.getArrayAttr(result), result, parameters, ArrayAttr(), 0)
        .getResult(0);
  };
  for (auto [i, list] : llvm::enumerate(lists)) {
    Value place = number;
    if (form.directions[i] != 0) {
      const Value last = makeNumber(inner, location, ("last/" + Twine(i)).str(), inner.getI64Type(),
                                    inner.getI64IntegerAttr(form.steps - 1));
      place = emit("Sub", {last, number}, "place/" + Twine(i), {});
    }
    const Value element =
        emit("Gather", {list, place}, "element/" + Twine(i),
             inner.getDictionaryAttr(inner.getNamedAttr("axis", inner.getI64IntegerAttr(form.axes[i]))));
    const auto argument = static_cast<unsigned>(2 + form.states);
    body.getArgument(argument).replaceAllUsesWith(element);
    body.eraseArgument(argument);
  }
  body.getTerminator()->insertOperands(0, going);
}

/// Puts a Loop in the place of a Scan, to be visited next. False when it is none, or how many steps it has is unknown.
bool Legalizer::loopOfScan(NodeOp node) {
  if (node.getOp() != "Scan" || node.getDomain().value_or("ai.onnx") != "ai.onnx" || opsetOf(node) < kScanOpset)
    return false;
  const std::optional<ScanForm> form = formOf(node);
  if (!form)
    return false;
  const StringRef name = node.getName().value_or(node.getOp());
  const Value steps = makeNumber(builder, node.getLoc(), (name + "/steps").str(), builder.getI64Type(),
                                 builder.getI64IntegerAttr(form->steps));
  const Value go =
      makeNumber(builder, node.getLoc(), (name + "/go").str(), builder.getI1Type(), builder.getBoolAttr(true));
  SmallVector<Value> operands = {steps, go};
  llvm::append_range(operands, node.getOperands().take_front(form->states));
  auto loop = NodeOp::create(builder, node.getLoc(), node.getResultTypes(), builder.getStringAttr("Loop"), StringAttr(),
                             operands, node.getResultNamesAttr(), node.getNameAttr(), DictionaryAttr(),
                             node.getGraphsAttr(), 1);
  loop.getBodies().front().takeBody(node.getBodies().front());
  takeElements(loop, node.getOperands().drop_front(form->states), *form);
  origins[loop] = originOf(node);
  if (DictionaryAttr ofFunction = opsets.lookup(node))
    opsets[loop] = ofFunction;
  stackings[loop] = {form->outAxes, form->outDirections};
  node.replaceAllUsesWith(loop.getResults());
  node.erase();
  next = steps.getDefiningOp();
  return true;
}
