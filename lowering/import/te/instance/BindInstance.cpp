#include "lowering/import/te/instance/BindInstance.h"

#include "dialect/te/TeOps.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/import/te/instance/AbsentShapes.h"
#include "lowering/import/te/instance/Concats.h"
#include "lowering/import/te/instance/Counts.h"
#include "lowering/import/te/instance/Each.h"
#include "lowering/import/te/instance/Gathers.h"
#include "lowering/import/te/instance/Parts.h"
#include "lowering/import/te/instance/Windows.h"
#include "lowering/import/te/words/TePrelude.h"
#include "ops/contract/Places.h"
#include "ops/contract/check/Devices.h"
#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/Ranges.h"
#include "ops/contract/domain/Reductions.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/STLExtras.h"

#include <array>
#include <cmath>

using namespace mlir;

namespace opc {

using te::TeDialect;

namespace {

/// An instance of a body: its function, checked against the contract and marked as phase `bound`.
class TeInstance {
public:
  TeInstance(MLIRContext &context, const Contract &contract, unsigned typeRow, const ShapeKey &key)
      : context(context), contract(contract), typeRow(typeRow), key(key) {
    for (const ContractAttribute &attribute : contract.attributes)
      if (attribute.binding == Binding::Launch)
        attributes.push_back(&attribute);
    std::string reason;
    if (key.nest)
      own = nestsOf(contract, reason)[*key.nest];
  }

  LogicalResult bind(func::FuncOp function, Diagnostics &diagnostics);

private:
  LogicalResult bindArguments(func::FuncOp function);
  LogicalResult bindAttribute(func::FuncOp function, unsigned argument, const ContractAttribute &attribute);
  LogicalResult bindResults(func::FuncOp function);
  Type typeOf(size_t number) const;
  std::optional<std::array<double, 2>> leastTolerance() const;
  DictionaryAttr marks(const std::string &name, const ShapeKey::Operand *given) const;
  void markGathered(const ShapeKey::Operand &operand, StringRef indices, NamedAttrList &marks) const;
  void markPlaces(const ShapeKey::Operand &operand, NamedAttrList &marks) const;
  void markMemory(const ShapeKey::Operand &operand, NamedAttrList &marks) const;
  /// The contract whose tensors are the arguments once the part of the nest is taken.
  const Contract &contractOfNest() const { return own ? own->contract : contract; }
  void setAttributes(func::FuncOp function) const;
  ShapeKey::Operand operandInNest(ShapeKey::Operand operand) const;

  MLIRContext &context;
  const Contract &contract;
  unsigned typeRow;
  const ShapeKey &key;
  std::optional<LaunchNest> own;                     ///< the nest of the key, if it is one
  std::vector<const ContractAttribute *> attributes; ///< launch attributes
};

} // namespace

Type TeInstance::typeOf(size_t number) const {
  return parseType(tensorTypeText(contract, typeRow, key, number), &context);
}

/// An operand of the key with the numbers of tensors in the contract of the nest.
ShapeKey::Operand TeInstance::operandInNest(ShapeKey::Operand operand) const {
  if (!own)
    return operand;
  auto numberOf = [&](size_t tensor) { return size_t(llvm::find(own->tensors, tensor) - own->tensors.begin()); };
  operand.tensor = numberOf(operand.tensor);
  if (operand.indices)
    operand.indices = numberOf(*operand.indices);
  return operand;
}

/// Marks a tensor whose elements an input gives the indices of. `indices`: the name of that operand.
void TeInstance::markGathered(const ShapeKey::Operand &operand, StringRef indices, NamedAttrList &marks) const {
  Builder builder(&context);
  const Contract &contract = contractOfNest();
  const ContractTensor &input = contract.inputs[*operand.indices];
  marks.set(TeDialect::kGatheredByAttr, builder.getStringAttr(indices));
  if (input.values->fromEnd)
    marks.set(TeDialect::kFromEndAttr, builder.getUnitAttr());
  std::string reason;
  const Domain domain = *domainOf(contract, reason);
  const std::optional<DomainNest> nest = nestOf(contract, domain, reason);
  if (!nest || !gathersElements(contract, domain, *nest))
    return;
  marks.set(TeDialect::kPlacesAttr, builder.getStrArrayAttr({input.values->along}));
  // Indices along the innermost loop address a line, if there is one.
  const bool isLine = !hasLoop(domain, operand.tensor, nest->loops.back()) &&
                      domain.dims[domain.dimsOf(operand.tensor).back()].name == input.values->along;
  if (hasLoop(domain, *operand.indices, nest->loops.back()) && (!isLine || key.takesElements) && !operand.isAcross)
    marks.set(TeDialect::kAcrossAttr, builder.getUnitAttr());
}

/// Marks a tensor whose elements are read at computed places.
void TeInstance::markPlaces(const ShapeKey::Operand &operand, NamedAttrList &marks) const {
  Builder builder(&context);
  std::string reason;
  const Domain domain = *domainOf(contractOfNest(), reason);
  SmallVector<StringRef> names;
  for (unsigned dim : operand.places)
    names.push_back(domain.dims[dim].name);
  marks.set(TeDialect::kPlacesAttr, builder.getStrArrayAttr(names));
  // The tensor is contiguous along the innermost loop, or else along the last gathered dimension.
  const std::optional<DomainNest> nest = nestOf(contractOfNest(), domain, reason);
  const bool isApart = nest && hasLoop(domain, operand.tensor, nest->loops.back())
                           ? isAcross(domain, *nest, operand.tensor)
                           : domain.dimsOf(operand.tensor).back() != operand.places.back();
  if (isApart || (operand.isLine && key.takesElements))
    marks.set(TeDialect::kAcrossAttr, builder.getUnitAttr());
}

/// Marks what lies in memory otherwise than its dimensions say.
void TeInstance::markMemory(const ShapeKey::Operand &operand, NamedAttrList &marks) const {
  const auto set = [&](StringRef name) { marks.set(name, UnitAttr::get(&context)); };
  const Contract &contract = contractOfNest();
  if (operand.tensor < contract.inputs.size() && contract.inputs[operand.tensor].isPacked(typeRow)) {
    const ContractTensor &input = contract.inputs[operand.tensor];
    set(TeDialect::kPackedAttr);
    if (input.packedForm(typeRow) == PackedForm::Matrices && input.shape.size() > 2)
      set(TeDialect::kBatchedAttr);
  }
  if (operand.isSorted)
    set(TeDialect::kSortedAttr);
  if (operand.isStill)
    set(TeDialect::kStillAttr);
  if (operand.isOfLaunch)
    set(TeDialect::kOfLaunchAttr);
  if (operand.isAcross)
    set(TeDialect::kAcrossAttr);
}

// `given` has the tensors of the whole contract.
DictionaryAttr TeInstance::marks(const std::string &name, const ShapeKey::Operand *given) const {
  Builder builder(&context);
  NamedAttrList marks;
  marks.set(TeDialect::kNameAttr, builder.getStringAttr(name));
  if (given) {
    const ShapeKey::Operand operand = operandInNest(*given);
    SmallVector<int64_t> dims(operand.dims.begin(), operand.dims.end());
    marks.set(TeDialect::kDimsAttr, builder.getDenseI64ArrayAttr(dims));
    if (const std::string &whole = contractOfNest().tensorAt(operand.tensor).name; whole != name)
      marks.set(TeDialect::kPartOfAttr, builder.getStringAttr(whole));
    if (operand.indices)
      markGathered(operand, key.operandOf(*given->indices).name, marks);
    if (!operand.places.empty())
      markPlaces(operand, marks);
    markMemory(operand, marks);
  }
  return marks.getDictionary(&context);
}

LogicalResult TeInstance::bindAttribute(func::FuncOp function, unsigned argument, const ContractAttribute &attribute) {
  Builder builder(&context);
  mlir::Location location = function.getArgument(argument).getLoc();
  Type expected = attribute.type == AttributeType::Float  ? Type(builder.getF32Type())
                  : attribute.type == AttributeType::Int  ? Type(builder.getI64Type())
                  : attribute.type == AttributeType::Bool ? Type(builder.getI1Type())
                                                          : Type();
  if (!expected)
    return emitError(location, "[bind_c5] expects launch attributes to be float, int or bool; '")
           << attribute.name << "' is none of them";
  Type found = function.getArgumentTypes()[argument];
  if (found != expected)
    return emitError(location, "[bind_c5] expects argument ")
           << argument << ", attribute '" << attribute.name << "', to be " << expected << ", found " << found;
  function.setArgAttrs(argument, marks(attribute.name, nullptr));
  return success();
}

LogicalResult TeInstance::bindArguments(func::FuncOp function) {
  const std::vector<ContractTensor> &written = writtenInputs(contract);
  size_t inputs = written.size();
  if (function.getNumArguments() != inputs + attributes.size()) {
    std::string names;
    for (const ContractTensor &tensor : written)
      names += (names.empty() ? "%" : ", %") + tensor.name + ": !" + tensor.name;
    for (const ContractAttribute *attribute : attributes)
      names += (names.empty() ? "%" : ", %") + attribute->name;
    return function.emitOpError("[bind_c3] expects ")
           << inputs + attributes.size() << (inputs + attributes.size() == 1 ? " argument" : " arguments")
           << ", inputs, then launch attributes of the contract (" << names << "), found "
           << function.getNumArguments();
  }
  size_t number = 0; // among the given inputs
  SmallVector<Type> each;
  for (size_t i = 0; i < inputs; ++i) {
    const ContractTensor &tensor = written[i];
    const bool isThere = !isAbsent(contract, tensor);
    Type expected = !tensor.count.empty() ? parseType(eachTypeText(contract, typeRow, key, number), &context)
                    : isThere             ? typeOf(number)
                                          : parseType(absentTypeText(tensor, typeRow), &context);
    Type found = function.getArgumentTypes()[i];
    if (found != expected)
      return emitError(function.getArgument(unsigned(i)).getLoc(), "[bind_c4] expects argument ")
             << i << ", tensor '" << tensor.name << "', to be !" << tensor.name << " (" << expected << "), found "
             << found;
    number += isThere;
  }
  for (size_t i = 0; i < attributes.size(); ++i)
    if (failed(bindAttribute(function, unsigned(inputs + i), *attributes[i])))
      return failure();
  if (failed(keepReducedShapes(function, contract)))
    return failure();
  takeAbsent(function, contract);
  if (countedInput(contract))
    for (size_t i = number - 1; i < contract.inputs.size(); ++i)
      each.push_back(typeOf(i));
  if (failed(takeEach(function, contract, each)))
    return failure();
  for (auto [i, input] : llvm::enumerate(contract.inputs))
    function.setArgAttrs(unsigned(i), marks(input.name, key.findOperand(i)));
  return success();
}

LogicalResult TeInstance::bindResults(func::FuncOp function) {
  if (function.getNumResults() != contract.outputs.size() + contract.workspace.size()) {
    std::string names;
    for (const ContractTensor &tensor : contract.outputs)
      names += (names.empty() ? "!" : ", !") + tensor.name;
    return function.emitOpError("[bind_c11] expects the contract's outputs as results (")
           << names << "), found " << function.getNumResults() << " results";
  }
  for (size_t i = 0; i < contract.outputs.size() + contract.workspace.size(); ++i) {
    const ContractTensor &tensor = contract.tensorAt(contract.inputs.size() + i);
    Type expected = typeOf(contract.inputs.size() + i), found = function.getResultTypes()[i];
    if (found != expected)
      return function.emitOpError("[bind_c11] expects result ")
             << i << ", tensor '" << tensor.name << "', to be !" << tensor.name << " (" << expected << "), found "
             << found;
    function.setResultAttrs(unsigned(i), marks(tensor.name, key.findOperand(contract.inputs.size() + i)));
  }
  return success();
}

/// The loops that the contract's shapes allow a body to reduce. Any other loop stands for a number of dimensions that
/// no body knows: its sum would cover different axes for different ranks.
static SmallVector<int64_t> reducibleLoops(const ShapeKey &key) {
  if (key.kind == ShapeKey::Rows)
    return {1};
  SmallVector<int64_t> loops;
  for (auto [loop, isReduced] : llvm::enumerate(key.reduced))
    if (isReduced)
      loops.push_back(int64_t(loop));
  return loops;
}

/// A result that does not depend on an input is most often an error. Reported once per place, whatever the type rows.
static void warnOfUnused(func::FuncOp function, const Contract &contract, Diagnostics &diagnostics) {
  auto wholeOf = [&](BlockArgument argument) {
    auto whole = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), TeDialect::kPartOfAttr);
    return whole ? whole : function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), TeDialect::kNameAttr);
  };
  for (BlockArgument argument : function.getArguments()) {
    StringAttr name = wholeOf(argument);
    // A body may need some parts of a tensor.
    if (llvm::any_of(function.getArguments(),
                     [&](BlockArgument other) { return wholeOf(other) == name && !other.use_empty(); }))
      continue;
    opc::Location place = locationOf(argument.getLoc());
    auto same = [&](const Diagnostic &other) {
      return other.code == Code::E0314 && other.location.line == place.line && other.location.column == place.column;
    };
    if (!name || llvm::any_of(diagnostics.all(), same))
      continue;
    bool isTensor = isa<ShapedType>(argument.getType());
    diagnostics.warning(Code::E0314, place,
                        std::string("expects the body to use ") + (isTensor ? "input '" : "attribute '") + name.str() +
                            "' of '" + contract.opType + "', found no operation that reads it",
                        "bind_c15");
  }
}

/// Sets the attributes of the function: its phase, type row and shape key, and what passes read of the contract.
void TeInstance::setAttributes(func::FuncOp function) const {
  Builder builder(&context);
  auto typeAttr = [&](ElementType type) { return TypeAttr::get(parseType(std::string(mlirTypeName(type)), &context)); };
  function->setAttr(TeDialect::kKernelAttr, builder.getUnitAttr());
  function->setAttr(TeDialect::kPhaseAttr, te::PhaseAttr::get(&context, te::Phase::Bound));
  function->setAttr(TeDialect::kTypeRowAttr, builder.getI64IntegerAttr(typeRow));
  function->setAttr(TeDialect::kShapeKeyAttr, builder.getStringAttr(key.name));
  function->setAttr(TeDialect::kReducibleAttr, builder.getDenseI64ArrayAttr(reducibleLoops(key)));
  if (key.isStretched)
    function->setAttr(TeDialect::kBatchedAttr, builder.getI64IntegerAttr(kMostBatches));
  else if (key.isBatched)
    function->setAttr(TeDialect::kBatchedAttr, builder.getUnitAttr());
  if (key.isOuter)
    function->setAttr(TeDialect::kOuterAttr, builder.getUnitAttr());
  if (key.outerRuns > 1)
    function->setAttr(TeDialect::kOuterRunsAttr, builder.getI64IntegerAttr(key.outerRuns));
  if (key.batchRuns > 1)
    function->setAttr(TeDialect::kBatchRunsAttr, builder.getI64IntegerAttr(key.batchRuns));
  if (key.nest) {
    SmallVector<StringRef> tensors;
    for (size_t i = 0; i < contract.numTensors(); ++i)
      tensors.push_back(contract.tensorAt(i).name);
    function->setAttr(TeDialect::kNestAttr, builder.getI64IntegerAttr(*key.nest));
    function->setAttr(TeDialect::kTensorsAttr, builder.getStrArrayAttr(tensors));
  }
  if (contract.precision.compute)
    function->setAttr(TeDialect::kComputeAttr, typeAttr(*contract.precision.compute));
  if (contract.precision.accumulate)
    function->setAttr(TeDialect::kAccumulateAttr, typeAttr(*contract.precision.accumulate));
  if (std::optional<std::array<double, 2>> tolerance = leastTolerance())
    function->setAttr(TeDialect::kToleranceAttr, builder.getDenseF64ArrayAttr(*tolerance));
}

LogicalResult TeInstance::bind(func::FuncOp function, Diagnostics &diagnostics) {
  if (failed(bindArguments(function)) || failed(bindResults(function)))
    return failure();
  // A nest needs some of the inputs.
  if (key.nest && key.number == 0)
    warnOfUnused(function, contract, diagnostics);
  auto mark = [&](const ShapeKey::Operand &operand) { return marks(operand.name, &operand); };
  // The arguments of a nest are the tensors of its contract, once its part of the body is taken.
  const Contract &inNest = contractOfNest();
  ShapeKey ownKey = key;
  for (ShapeKey::Operand &operand : ownKey.operands)
    operand = operandInNest(std::move(operand));
  if (key.nest && splitsSums(contract))
    moveConcats(function, contract, key);
  if ((own && failed(takeParts(function, contract, key, mark))) || failed(takeWindows(function, inNest, ownKey)) ||
      (!own && failed(takeParts(function, contract, key, mark))))
    return failure();
  if (!key.nest && key.number == 0)
    warnOfUnused(function, contract, diagnostics);
  if (failed(takeScatter(function, inNest, ownKey)) || failed(takeGathers(function, inNest, ownKey)) ||
      failed(nameLoops(function, inNest, key)))
    return failure();
  function.setSymName(contract.kernelName(typeRow) + "_" + key.name);
  function.setPublic();
  setAttributes(function);
  return success();
}

// In units of float32: the final rounding to 16 bits already has an error of half an ulp of that type.
std::optional<std::array<double, 2>> TeInstance::leastTolerance() const {
  std::array<double, 2> least = {HUGE_VAL, HUGE_VAL};
  for (const ContractTensor &output : contract.outputs) {
    ElementType type = output.types[typeRow];
    const ContractTolerance *tolerance = contract.precision.find(type);
    if (!tolerance || !tolerance->maxUlp || !tolerance->absolute)
      return std::nullopt;
    double ulp = *tolerance->maxUlp;
    if (type == ElementType::Float16)
      ulp = (ulp - 0.5) * 0x1p13;
    else if (type == ElementType::BFloat16)
      ulp = (ulp - 0.5) * 0x1p16;
    else if (type != ElementType::Float32)
      return std::nullopt;
    least = {std::min(least[0], ulp), std::min(least[1], *tolerance->absolute)};
  }
  return least;
}

LogicalResult bindInstance(func::FuncOp function, const Contract &contract, unsigned typeRow, const ShapeKey &key,
                           Diagnostics &diagnostics) {
  return TeInstance(*function.getContext(), contract, typeRow, key).bind(function, diagnostics);
}

} // namespace opc
