#include "lowering/graph/fold/Folder.h"

#include "lowering/graph/Instances.h"
#include "lowering/graph/memory/Memory.h"
#include "ops/contract/Places.h"
#include "runtime/target/Half.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>
#include <cstring>

using namespace mlir;

namespace opc::graph {

InstanceOp instanceOf(Value value) {
  return value.getDefiningOp<InstanceOp>();
}

void Folder::forEach(const std::function<void(InstanceOp)> &visit) {
  SmallVector<Operation *> all;
  for (auto instance : model.getBody().getOps<InstanceOp>())
    all.push_back(instance);
  waiting.clear();
  waiting.insert(all.begin(), all.end());
  for (Operation *op : all)
    if (waiting.erase(op))
      visit(cast<InstanceOp>(op));
}

bool Folder::isA(InstanceOp instance, StringRef opType) const {
  if (!instance || instance.getContract() != opType)
    return false;
  const Contract *contract = set.findOperator({opType.data(), opType.size()});
  return contract && contract->path == instance.getSource();
}

InstanceOp Folder::producer(Value value, StringRef opType) const {
  InstanceOp instance = instanceOf(value);
  return isA(instance, opType) ? instance : InstanceOp();
}

InstanceOp Folder::onlyReader(Value value, StringRef opType) const {
  if (!value.hasOneUse())
    return {};
  auto reader = dyn_cast<InstanceOp>(*value.user_begin());
  return isA(reader, opType) ? reader : InstanceOp();
}

//===- making -----------------------------------------------------------------===//

Value Folder::make(StringRef opType, ArrayRef<Value> operands, DictionaryAttr parameters, Value old,
                   std::string &reason) {
  const Contract *contract = set.findOperator({opType.data(), opType.size()});
  if (!contract || contract->outputs.size() != 1) {
    reason = "there is no contract '" + opType.str() + "'";
    return {};
  }
  // A form in which the node has the contract's own operands and attributes.
  onnx::Node node;
  ContractOnnxForm form;
  std::vector<onnx::Fact> known, results(1);
  for (auto [input, operand] : llvm::zip(writtenInputs(*contract), operands))
    form.inputs.push_back({input.name, {}, {}});
  for (Value operand : operands) {
    node.inputs.push_back(operand.getDefiningOp<AbsentOp>() ? "" : "given");
    known.push_back(facts.factOf(operand));
  }
  form.outputs = {contract->outputs[0].name};
  node.outputs = {"given"};
  results[0] = facts.factOf(old);
  results[0].shape.reset();
  for (const ContractAttribute &attribute : contract->attributes) {
    // The operands determine whether an optional input exists, and the number of tensors of a counted one.
    if (isPresence(*contract, attribute.name) || isCount(*contract, attribute.name))
      continue;
    ContractOnnxAttribute own;
    own.name = own.attribute = attribute.name;
    own.defaultValue = attribute.defaultValue;
    form.attributes.push_back(std::move(own));
  }
  if (parameters)
    for (NamedAttribute own : parameters)
      if (!isPresence(*contract, own.getName().str()) && !isCount(*contract, own.getName().str()))
        node.attributes.push_back(facts.attributeOf(own));
  const onnx::Model none;
  onnx::Match match = matchForm(*contract, form, none, node, form.since, known, results);
  if (!match.contract || !match.isCertain || !match.results[0].sizes()) {
    reason = match.contract ? "its shape does not follow" : match.reason;
    return {};
  }
  auto wanted = cast<RankedTensorType>(old.getType());
  if (ArrayRef<int64_t>(*match.results[0].sizes()) != wanted.getShape()) {
    reason = "operands are broadcast to the result";
    return {};
  }
  InstanceOp place = instanceOf(old);
  builder.setInsertionPoint(place);
  return createInstance(builder, place.getLoc(), match, operands, place.getResultNames().getValue(),
                        place.getNameAttr())
      .getResult(0);
}

Value Folder::makeConstant(RankedTensorType type, StringRef name, StringRef bytes, Value before) {
  InstanceOp place = instanceOf(before);
  builder.setInsertionPoint(place);
  return createConstant(builder, place.getLoc(), type, name, bytes);
}

Value Folder::makeFloats(RankedTensorType type, StringRef name, ArrayRef<double> numbers, Value before) {
  std::string bytes;
  auto add = [&](auto number) { bytes.append(reinterpret_cast<const char *>(&number), sizeof number); };
  for (double number : numbers) {
    if (type.getElementType().isF16())
      add(toHalf(static_cast<float>(number)).bits);
    else if (type.getElementType().isBF16())
      add(toBFloat16(static_cast<float>(number)).bits);
    else if (type.getElementType().isF32())
      add(static_cast<float>(number));
    else
      add(number);
  }
  return makeConstant(type, name, bytes, before);
}

Value Folder::reshape(Value value, ArrayRef<int64_t> shape, Value before) {
  value = rootOf(value);
  auto from = cast<RankedTensorType>(value.getType());
  auto to = RankedTensorType::get(shape, from.getElementType());
  if (to == from)
    return value;
  if (ElementsAttr elements = constantOf(value)) {
    ConstantBytes bytes(elements);
    return makeConstant(to, value.getDefiningOp<ConstantOp>().getName(), bytes.get(), before);
  }
  builder.setInsertionPoint(instanceOf(before));
  return ViewOp::create(builder, before.getLoc(), to, value);
}

//===- replacing --------------------------------------------------------------===//

size_t Folder::erase(Operation *op) {
  size_t instances = 0;
  SmallVector<Operation *> dead = {op};
  while (!dead.empty()) {
    Operation *next = dead.pop_back_val();
    llvm::SmallSetVector<Operation *, 4> producers;
    for (Value operand : next->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        producers.insert(producer);
    instances += isa<InstanceOp>(next);
    near.erase(next);
    waiting.erase(next);
    next->erase();
    for (Operation *producer : producers)
      if (isOpTriviallyDead(producer))
        dead.push_back(producer);
  }
  return instances;
}

void Folder::replace(StringRef what, Value old, Value made) {
  old.replaceAllUsesWith(made);
  erased(what, instanceOf(old));
}

void Folder::erased(StringRef what, InstanceOp instance) {
  FoldNote note;
  note.what = what.str();
  note.node = instance.getName().value_or("").str();
  note.pieces = isOpTriviallyDead(instance) ? erase(instance) : 0;
  notes.push_back(std::move(note));
}

void Folder::nearly(StringRef what, InstanceOp at, std::string reason) {
  near[at] = {what.str(), at.getName().value_or("").str(), false, 0, std::move(reason)};
}

size_t Folder::eraseDead() {
  size_t instances = 0;
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(model.getBody().front())))
    if (isOpTriviallyDead(&op)) {
      instances += isa<InstanceOp>(op);
      near.erase(&op);
      op.erase();
    }
  return instances;
}

FoldReport Folder::report() const {
  FoldReport all = notes;
  for (const auto &[op, note] : near)
    all.push_back(note);
  return all;
}

//===- constants --------------------------------------------------------------===//

std::optional<SmallVector<double>> floatsOf(Value value, int64_t most) {
  ElementsAttr elements = constantOf(value);
  if (!elements || !isa<FloatType>(elements.getShapedType().getElementType()))
    return std::nullopt;
  const int64_t count = elements.getShapedType().getNumElements();
  if (count > most)
    return std::nullopt;
  ConstantBytes bytes(elements);
  Type element = elements.getShapedType().getElementType();
  const size_t size = element.getIntOrFloatBitWidth() / 8;
  if (bytes.get().size() != static_cast<size_t>(count) * size)
    return std::nullopt;
  SmallVector<double> numbers;
  for (const char *at = bytes.get().begin(); at != bytes.get().end(); at += size) {
    auto read = [&](auto bits) {
      std::memcpy(&bits, at, sizeof bits);
      return bits;
    };
    if (element.isF16())
      numbers.push_back(toFloat(read(Half())));
    else if (element.isBF16())
      numbers.push_back(toFloat(read(BFloat16())));
    else if (element.isF32())
      numbers.push_back(read(0.0f));
    else if (element.isF64())
      numbers.push_back(read(0.0));
    else
      return std::nullopt;
  }
  return numbers;
}

std::optional<double> numberOf(Value value) {
  if (ElementsAttr elements = constantOf(value);
      elements && elements.isSplat() && isa<FloatType>(elements.getShapedType().getElementType()))
    if (auto dense = dyn_cast<DenseElementsAttr>(elements))
      return dense.getSplatValue<APFloat>().convertToDouble();
  std::optional<SmallVector<double>> numbers = floatsOf(value, 1);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

bool isNear(double found, double wanted, Type element) {
  const double units = element.isF16() ? 1e-3 : element.isBF16() ? 8e-3 : 1e-5;
  return std::fabs(found - wanted) <= units * std::fabs(wanted);
}

} // namespace opc::graph
