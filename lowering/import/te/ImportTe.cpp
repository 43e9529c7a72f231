#include "lowering/import/te/ImportTe.h"

#include "dialect/te/Axes.h"
#include "dialect/te/TeOps.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/import/Bind.h"
#include "lowering/import/BodyText.h"
#include "lowering/import/Order.h"
#include "lowering/import/Runs.h"
#include "lowering/import/ValueNames.h"
#include "lowering/import/Workspace.h"
#include "lowering/import/te/AbsentShapes.h"
#include "lowering/import/te/Counts.h"
#include "lowering/import/te/Dropped.h"
#include "lowering/import/te/Each.h"
#include "lowering/import/te/Gathers.h"
#include "lowering/import/te/Parts.h"
#include "lowering/import/te/ShapeFixes.h"
#include "lowering/import/te/TePrelude.h"
#include "lowering/import/te/Windows.h"
#include "lowering/import/te/words/BodyWords.h"
#include "lowering/import/te/words/Statements.h"
#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/check/Devices.h"
#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/Ranges.h"
#include "ops/contract/domain/Reductions.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <array>
#include <cmath>
#include <map>

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
  ShapeKey::Operand operandInNest(ShapeKey::Operand operand) const;

  MLIRContext &context;
  const Contract &contract;
  unsigned typeRow;
  const ShapeKey &key;
  std::optional<LaunchNest> own;                     ///< the nest of the key, if it is one
  std::vector<const ContractAttribute *> attributes; ///< launch attributes
};

} // namespace

//===----------------------------------------------------------------------===//
// Agreement with the contract
//===----------------------------------------------------------------------===//

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

// `given` has the tensors of the whole contract.
DictionaryAttr TeInstance::marks(const std::string &name, const ShapeKey::Operand *given) const {
  Builder builder(&context);
  const std::optional<ShapeKey::Operand> inNest = given ? std::optional(operandInNest(*given)) : std::nullopt;
  const ShapeKey::Operand *operand = inNest ? &*inNest : nullptr;
  const Contract &contract = own ? own->contract : this->contract;
  SmallVector<NamedAttribute> list = {builder.getNamedAttr(TeDialect::kNameAttr, builder.getStringAttr(name))};
  if (operand) {
    SmallVector<int64_t> dims(operand->dims.begin(), operand->dims.end());
    list.push_back(builder.getNamedAttr(TeDialect::kDimsAttr, builder.getDenseI64ArrayAttr(dims)));
    if (const std::string &whole = contract.tensorAt(operand->tensor).name; whole != name)
      list.push_back(builder.getNamedAttr(TeDialect::kPartOfAttr, builder.getStringAttr(whole)));
    if (operand->indices) {
      const ContractTensor &indices = contract.inputs[*operand->indices];
      list.push_back(
          builder.getNamedAttr(TeDialect::kGatheredByAttr, builder.getStringAttr(key.operandOf(*given->indices).name)));
      if (indices.values->fromEnd)
        list.push_back(builder.getNamedAttr(TeDialect::kFromEndAttr, builder.getUnitAttr()));
      std::string reason;
      const Domain domain = *domainOf(contract, reason);
      const std::optional<DomainNest> nest = nestOf(contract, domain, reason);
      if (nest && gathersElements(contract, domain, *nest)) {
        list.push_back(builder.getNamedAttr(TeDialect::kPlacesAttr, builder.getStrArrayAttr({indices.values->along})));
        // Indices along the innermost loop address a line, if there is one.
        const bool isLine = !hasLoop(domain, operand->tensor, nest->loops.back()) &&
                            domain.dims[domain.dimsOf(operand->tensor).back()].name == indices.values->along;
        if (hasLoop(domain, *operand->indices, nest->loops.back()) && (!isLine || key.takesElements) &&
            !operand->isAcross)
          list.push_back(builder.getNamedAttr(TeDialect::kAcrossAttr, builder.getUnitAttr()));
      }
    }
    if (!operand->places.empty()) {
      std::string reason;
      const Domain domain = *domainOf(contract, reason);
      SmallVector<StringRef> names;
      for (unsigned dim : operand->places)
        names.push_back(domain.dims[dim].name);
      list.push_back(builder.getNamedAttr(TeDialect::kPlacesAttr, builder.getStrArrayAttr(names)));
      // The tensor is contiguous along the innermost loop, or else along the last gathered dimension.
      const std::optional<DomainNest> nest = nestOf(contract, domain, reason);
      const bool isApart = nest && hasLoop(domain, operand->tensor, nest->loops.back())
                               ? isAcross(domain, *nest, operand->tensor)
                               : domain.dimsOf(operand->tensor).back() != operand->places.back();
      if (isApart || (operand->isLine && key.takesElements))
        list.push_back(builder.getNamedAttr(TeDialect::kAcrossAttr, builder.getUnitAttr()));
    }
    if (operand->tensor < contract.inputs.size() && contract.inputs[operand->tensor].isPacked(typeRow)) {
      list.push_back(builder.getNamedAttr(TeDialect::kPackedAttr, builder.getUnitAttr()));
      const ContractTensor &input = contract.inputs[operand->tensor];
      if (input.packedForm(typeRow) == PackedForm::Matrices && input.shape.size() > 2)
        list.push_back(builder.getNamedAttr(TeDialect::kBatchedAttr, builder.getUnitAttr()));
    }
    if (operand->isSorted)
      list.push_back(builder.getNamedAttr(TeDialect::kSortedAttr, builder.getUnitAttr()));
    if (operand->isStill)
      list.push_back(builder.getNamedAttr(TeDialect::kStillAttr, builder.getUnitAttr()));
    if (operand->isOfLaunch)
      list.push_back(builder.getNamedAttr(TeDialect::kOfLaunchAttr, builder.getUnitAttr()));
    if (operand->isAcross)
      list.push_back(builder.getNamedAttr(TeDialect::kAcrossAttr, builder.getUnitAttr()));
  }
  return builder.getDictionaryAttr(list);
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

LogicalResult TeInstance::bind(func::FuncOp function, Diagnostics &diagnostics) {
  if (failed(bindArguments(function)) || failed(bindResults(function)))
    return failure();
  std::string reason;
  // A nest needs some of the inputs.
  if (key.nest && key.number == 0)
    warnOfUnused(function, contract, diagnostics);
  auto mark = [&](const ShapeKey::Operand &operand) { return marks(operand.name, &operand); };
  // The arguments of a nest are the tensors of its contract, once its part of the body is taken.
  const Contract &inNest = own ? own->contract : contract;
  const size_t given =
      own ? size_t(llvm::count_if(own->tensors, [&](size_t tensor) { return tensor < contract.inputs.size(); }))
          : contract.inputs.size();
  ShapeKey ownKey = key;
  for (ShapeKey::Operand &operand : ownKey.operands)
    operand = operandInNest(std::move(operand));
  if ((own && failed(takeParts(function, contract, key, mark))) || failed(takeWindows(function, inNest, ownKey)) ||
      (!own && failed(takeParts(function, contract, key, mark))))
    return failure();
  if (!key.nest && key.number == 0)
    warnOfUnused(function, contract, diagnostics);
  if (failed(takeScatter(function, inNest, ownKey)) || failed(takeGathers(function, inNest, ownKey, given)) ||
      failed(nameLoops(function, inNest, key)))
    return failure();
  Builder builder(&context);
  auto typeAttr = [&](ElementType type) { return TypeAttr::get(parseType(std::string(mlirTypeName(type)), &context)); };
  function.setSymName(contract.kernelName(typeRow) + "_" + key.name);
  function.setPublic();
  function->setAttr(TeDialect::kKernelAttr, builder.getUnitAttr());
  function->setAttr(TeDialect::kPhaseAttr, te::PhaseAttr::get(&context, te::Phase::Bound));
  function->setAttr(TeDialect::kTypeRowAttr, builder.getI64IntegerAttr(typeRow));
  function->setAttr(TeDialect::kShapeKeyAttr, builder.getStringAttr(key.name));
  function->setAttr(TeDialect::kReducibleAttr, builder.getDenseI64ArrayAttr(reducibleLoops(key)));
  if (key.isStretched)
    function->setAttr(TeDialect::kBatchedAttr, builder.getI64IntegerAttr(kMostBatches));
  else if (key.isBatched)
    function->setAttr(TeDialect::kBatchedAttr, builder.getUnitAttr());
  if (key.outerRuns > 1)
    function->setAttr(TeDialect::kOuterRunsAttr, builder.getI64IntegerAttr(key.outerRuns));
  if (key.batchRuns > 1)
    function->setAttr(TeDialect::kBatchRunsAttr, builder.getI64IntegerAttr(key.batchRuns));
  if (key.isOfPairs)
    function->setAttr(TeDialect::kOfPairsAttr, builder.getUnitAttr());
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

//===----------------------------------------------------------------------===//
// Functions of the body
//===----------------------------------------------------------------------===//

/// Checks bind_c9.
static LogicalResult checkTopLevel(ModuleOp parsed, const Contract &contract) {
  bool good = true;
  for (Operation &op : *parsed.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function || function.isExternal()) {
      op.emitOpError("[bind_c9] expects a body to hold functions only, each with its text in braces");
      good = false;
    } else {
      good &= hasServingName(function, contract, "function");
    }
  }
  return success(good);
}

/// The same for a contract whose results reduce different dimensions: each dimension is a loop.
static te::AxisFrame dimsFrame(const Contract &contract) {
  std::string reason;
  const Domain domain = *domainOf(contract, reason);
  te::AxisFrame frame;
  frame.shape = printShape(domain.dims);
  frame.reduces = te::AxisFrame::Domain;
  frame.isOfDims = true;
  frame.hasProducts = domain.hasProducts || domain.windows;
  frame.loops = unsigned(domain.dims.size());
  for (auto [dim, reduced] : llvm::zip_equal(domain.dims, domain.reduced))
    frame.domain.push_back({printDim(dim), reduced});
  return frame;
}

/// The same for a contract whose bodies take ranges of tensors. A body is parsed in the same way for all nests.
static te::AxisFrame rangesFrame(const Contract &contract) {
  te::AxisFrame frame;
  const std::vector<std::string> reduced = reducedInRanges(contract);
  frame.reduces = te::AxisFrame::Domain;
  frame.isOfRanges = frame.hasProducts = true;
  frame.loops = unsigned(2 + reduced.size());
  for (const std::string &name : reduced)
    frame.domain.push_back({name, true});
  for (size_t i = 0; i < contract.inputs.size() + contract.outputs.size(); ++i)
    for (const ContractDim &dim : contract.tensorAt(i).shape)
      for (const ContractDim &leaf : leavesOf(dim))
        if (llvm::none_of(frame.domain, [&](auto &known) { return known.name == printDim(leaf); }))
          frame.domain.push_back({printDim(leaf), false});
  return frame;
}

/// The same for a contract of kind Domain.
static te::AxisFrame domainFrame(const Contract &whole, const ShapeKey &key) {
  std::string reason;
  const Contract contract = key.nest ? nestsOf(whole, reason)[*key.nest].contract : whole;
  const Domain domain = *domainOf(contract, reason);
  const DomainNest nest = *nestOf(contract, domain, reason);
  te::AxisFrame frame;
  frame.shape = printShape(domain.dims);
  frame.reduces = te::AxisFrame::Domain;
  frame.hasProducts = domain.hasProducts || domain.windows;
  frame.loops = key.loops;
  for (auto [dim, reduced] : llvm::zip_equal(domain.dims, domain.reduced))
    frame.domain.push_back({printDim(dim), reduced});
  // Strided rows lack the loop around them.
  for (auto [number, loop] : llvm::enumerate(ArrayRef<DomainLoop>(nest.loops).take_back(key.loops)))
    if (loop.reduced)
      frame.reducedLoops.push_back(int64_t(number));
  return frame;
}

/// The same for a contract of kind Contraction.
static te::AxisFrame productFrame(const Contract &contract) {
  std::string reason;
  const Domain domain = *domainOf(contract, reason);
  const Contraction product = *contractionOf(contract, domain, reason);
  te::AxisFrame frame;
  frame.shape = printShape(domain.dims);
  frame.reduces = te::AxisFrame::Product;
  for (auto [number, dim] : llvm::enumerate(domain.dims))
    frame.domain.push_back({printDim(dim), llvm::is_contained(product.k.dims, unsigned(number))});
  if (product.reducesRows)
    for (unsigned dim : product.n.dims)
      frame.rows.push_back(printDim(domain.dims[dim]));
  // The text has the arguments of absent inputs too.
  auto argumentOf = [&](size_t input) {
    const std::vector<ContractTensor> &written = writtenInputs(contract);
    return unsigned(llvm::find_if(written, [&](auto &one) { return one.name == contract.inputs[input].name; }) -
                    written.begin());
  };
  frame.left = {argumentOf(product.left), product.isLeftAlongK ? 1 : 0, contract.inputs[product.left].name};
  frame.right = {argumentOf(product.right), product.isRightAlongK ? 1 : 0, contract.inputs[product.right].name};
  return frame;
}

/// The axes that a body may reduce, from the contract's shapes.
static te::AxisFrame axisFrame(const Contract &contract, const ShapeKey &key) {
  std::string reason;
  std::optional<ContractKind> kind = contractKind(contract, reason);
  if (kind == ContractKind::Domain)
    return reducesApart(contract)             ? dimsFrame(contract)
           : key.nest && splitsSums(contract) ? rangesFrame(contract)
                                              : domainFrame(contract, key);
  if (kind == ContractKind::Contraction)
    return productFrame(contract);
  te::AxisFrame frame;
  const std::vector<ContractDim> *whole =
      kind == ContractKind::Rows ? wholeRows(contract) : &contract.inputs.front().shape;
  frame.shape = printShape(*whole);
  if (kind == ContractKind::Reduction)
    frame.reduces = te::AxisFrame::Given;
  if (kind != ContractKind::Rows)
    return frame;
  frame.reduces = te::AxisFrame::Last;
  for (const ContractDim &dim : *whole) {
    std::string text = printShape(std::vector<ContractDim>{dim}); // "[...S]"
    frame.front.push_back(text.substr(1, text.size() - 2));
  }
  frame.last = frame.front.back();
  frame.front.pop_back();
  return frame;
}

/// bind_c18: the generic form has the axes of tensors, which are not those of the contract, and has no names.
static LogicalResult checkForm(func::FuncOp function, StringRef text) {
  Operation *generic = isGeneric(function, text) ? function.getOperation() : nullptr;
  for (Operation &op : function.front())
    if (isa<te::ReductionOpInterface, te::MatmulOp>(op) && isGeneric(&op, text))
      generic = &op;
  if (!generic)
    return success();
  InFlightDiagnostic error =
      emitError(generic->getLoc(), "[bind_c18] expects the form of te, found the generic one, with "
                                   "the operation's name in quotes");
  error.attachNote() << "fix: as 'func.func @name(%x: !x) -> !y {' and '%m = te.reduce_max %x axes "
                        "[-1] keep'";
  return error;
}

/// bind_c20: an input in fractals is the right matrix of a product on the cube, or the filters of windows.
static LogicalResult checkPacked(func::FuncOp function, const Contract &contract, unsigned typeRow) {
  const std::optional<size_t> packed = contract.packedInput(typeRow);
  if (!packed)
    return success();
  std::string why = whyNotPacked(contract, *contract.findBody(BodyLevel::Te), typeRow);
  const auto isPacked = [&](Value operand) {
    auto argument = dyn_cast<BlockArgument>(operand);
    return argument && argument.getArgNumber() == *packed;
  };
  for (te::MatmulOp product : function.front().getOps<te::MatmulOp>())
    if (why.empty() && llvm::none_of(product->getOperands(), isPacked))
      why = "a body that computes its right operand, whose rows the vector unit loads";
  if (why.empty())
    return success();
  const ContractTensor &input = contract.inputs[*packed];
  const bool isFilters = input.packedForm(typeRow) == PackedForm::Filters;
  InFlightDiagnostic error = function.emitError("[bind_c20] expects ")
                             << formatOf(input.packedForm(typeRow)) << " of the "
                             << (isFilters ? "filters of windows" : "right matrix of a product")
                             << " that the AI Core multiplies, found " << why;
  error.attachNote() << "fix: 'formats: ND' of '" << input.name << "', or a body of 'te.matmul' "
                     << (isFilters ? "of it and windows, as 'w: [M, C, KH, KW]'"
                                   : "with it on the right, as 'b: [K, N]', 'b: [N, K]' or '[...S, K, N]'");
  return error;
}

/// bind_c23: a result with all dimensions of its input, whose axes a launch gives, depends on a reduction of them.
static LogicalResult checkReduces(func::FuncOp function, const Contract &contract) {
  const auto output = llvm::find_if(contract.outputs,
                                    [](const ContractTensor &output) { return output.reduces && !output.isReduced(); });
  const bool reducesAny =
      llvm::any_of(function.front(), [](Operation &op) { return isa<te::ReductionOpInterface>(op); });
  if (output == contract.outputs.end() || reducesAny)
    return success();
  InFlightDiagnostic error = function.emitError("[bind_c23] expects a body that reduces the axes of '")
                             << output->reduces->axes << "', which 'reduces' of '" << output->name
                             << "' names, found none that does";
  error.attachNote() << "fix: reduce them, as 'te.reduce_max %" << output->reduces->input
                     << " axes #axes keep' does; or remove 'reduces' from the contract";
  return error;
}

/// bind_c19: the contract states that a body has no kernel for the AI Core, so that a user does not first learn it at
/// a launch.
static LogicalResult checkDevices(func::FuncOp function, const Contract &contract, unsigned typeRow) {
  const ContractBody &body = *contract.findBody(BodyLevel::Te);
  if (body.devicesOf(typeRow) == BodyDevices::Cpu)
    return success();
  const bool isOfWindows = !function.front().getOps<te::WindowOp>().empty();
  for (Operation &op : function.front()) {
    const bool isProduct = isa<te::MatmulOp>(op);
    const auto isComputed = [](Value operand) {
      return operand.getDefiningOp() && !isa<te::WindowOp>(operand.getDefiningOp());
    };
    // The vector unit computes one operand in UB, for the cube.
    if (isProduct &&
        (llvm::all_of(op.getOperands(), isComputed) || (isOfWindows && llvm::any_of(op.getOperands(), isComputed)))) {
      InFlightDiagnostic error =
          op.emitOpError("[bind_c19] expects a contract that compiles this body for the CPU alone")
          << (isOfWindows ? ": the cube of the AI Core multiplies windows by filters as they lie in memory, and this "
                            "body computes its filters"
                          : ", or an operand that is an input: the AI Core computes one of both, and this body "
                            "computes both");
      error.attachNote() << "fix: 'devices: cpu' below 'file: " << body.file
                         << "' in the contract; or an operator of its own for what comes before the product";
      return error;
    }
    if (isProduct && aicoreRowsOf(contract, body).empty()) {
      InFlightDiagnostic error =
          op.emitOpError("[bind_c19] expects a contract that compiles this body for the CPU alone")
          << (isOfWindows ? ", or filters whose elements follow each other in the order of the windows' dimensions: "
                            "'w: [M, C, KH, KW]'"
                          : ", or a type row that the cube of the AI Core multiplies: float16, bfloat16, or int8 with "
                            "the left matrix along the sum, as [M, K]");
      error.attachNote() << "fix: 'devices: cpu' below 'file: " << body.file << "' in the contract";
      return error;
    }
  }
  return success();
}

/// Limit for the operations of a body; those of the library have about a dozen.
static constexpr size_t kMaxOperations = 4096;

/// bind_c14.
static LogicalResult checkCount(func::FuncOp function) {
  if (size_t count = function.front().getOperations().size(); count > kMaxOperations)
    return function.emitOpError("[bind_c14] expects at most ") << kMaxOperations << " operations, found " << count;
  return success();
}

/// Parses an instance, whose first line has the aliases of a type row and a shape key; null after an error.
static OwningOpRef<ModuleOp> parseInstance(MLIRContext &context, const std::string &instance, const std::string &path,
                                           const te::AxisFrame &frame) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(instance, path), llvm::SMLoc());
  te::AxisScope scope(context, frame);
  return parseWithNames(context, sources);
}

/// The function of a type row: its own, or that of all rows; null if there is neither.
static func::FuncOp functionOf(ModuleOp parsed, const Contract &contract, unsigned typeRow) {
  auto function = parsed.lookupSymbol<func::FuncOp>(contract.kernelName(typeRow));
  return function ? function : parsed.lookupSymbol<func::FuncOp>(contract.name);
}

static LogicalResult importInstance(const std::string &text, const std::string &path, const Contract &contract,
                                    unsigned typeRow, const ShapeKey &key, ModuleOp result, Diagnostics &diagnostics) {
  MLIRContext &context = *result.getContext();
  std::optional<std::string> instance = instantiateTe(text, contract, typeRow, key, path, diagnostics);
  if (!instance)
    return failure();
  DiagnosticBridge bridge(context, diagnostics, Code::E0300, Location{path});
  bridge.setNote({{},
                  "in the type row '" + contract.typeRowName(typeRow) + "', where !T is " +
                      std::string(mlirTypeName(contract.inputs.front().types[typeRow])) + ", for shapes of the key '" +
                      key.name + "'"});
  const BodyWords words(*instance, contract);
  bridge.setWords(&words);
  te::AxisFrame frame = axisFrame(contract, key);
  OwningOpRef<ModuleOp> parsed = parseInstance(context, *instance, path, frame);
  if (!parsed) {
    if (!diagnostics.hasErrors())
      diagnostics.error(Code::E0300, {path}, "the body cannot be parsed");
    return failure();
  }
  if (failed(checkTopLevel(*parsed, contract)))
    return failure();
  func::FuncOp function = functionOf(*parsed, contract, typeRow);
  if (!function) {
    diagnostics.error(Code::E0310, {path, 1, 1},
                      "expects a function for the type row '" + contract.typeRowName(typeRow) + "': found neither '@" +
                          contract.kernelName(typeRow) + "' nor '@" + contract.name + "'",
                      "bind_c2",
                      "'@" + contract.name +
                          "' serves every type row that has no function of its "
                          "own");
    return failure();
  }
  if (failed(checkCount(function)))
    return failure();
  if (failed(checkForm(function, *instance)) || failed(checkReduces(function, contract)) ||
      failed(checkDevices(function, contract, typeRow)) || failed(checkPacked(function, contract, typeRow)) ||
      !checkOrder(function, contract, BodyLevel::Te, *instance, diagnostics) ||
      failed(checkRuns(function, contract, key)) || failed(takeDropped(function, contract, frame)) ||
      failed(returnWorkspace(function, contract, typeRow)))
    return failure();
  // Written out for each tensor of an input with a count, there are more.
  if (failed(TeInstance(context, contract, typeRow, key).bind(function, diagnostics)) || failed(checkCount(function)))
    return failure();
  function->remove();
  result.push_back(function);
  return success();
}

/// The keys in the order in which a launch runs nests: that for long rows is right after the one for short rows of the
/// same results, before nests that may read these.
static std::vector<ShapeKey> nestsInOrder(std::vector<ShapeKey> keys) {
  auto lastResult = [](const ShapeKey &key) { return key.operands.back().tensor; };
  auto begin = std::find_if(keys.begin(), keys.end(), [](const ShapeKey &key) { return key.nest && key.isOfAicore(); });
  for (auto next = begin; next != keys.end(); ++next) {
    auto place = std::find_if(keys.begin(), next, [&](const ShapeKey &key) {
      return !key.isOfAicore() && lastResult(key) == lastResult(*next);
    });
    if (place != next)
      std::rotate(std::next(place), next, std::next(next));
  }
  return keys;
}

OwningOpRef<ModuleOp> importTe(MLIRContext &context, const Contract &contract, const ContractBody &body,
                               const std::vector<unsigned> &typeRows, Diagnostics &diagnostics) {
  std::string path = contract.filePath(body.file);
  context.loadDialect<te::TeDialect, func::FuncDialect>();
  std::map<std::string, std::string> texts; // by file
  for (const std::string &file : body.files()) {
    std::optional<std::string> text = readBody(contract.filePath(file), diagnostics);
    if (!text)
      return {};
    // Before the shapes, which a body without its product does not explain.
    if (!checkAliases(*text, contract, contract.filePath(file), diagnostics))
      return {};
    takeUnused(*text, contract.filePath(file), context, diagnostics);
    texts.emplace(file, std::move(*text));
  }
  std::string reason;
  if (!contractKind(contract, reason)) {
    if (!reportUnknownOperation(texts[body.file], path, contract, context, diagnostics) &&
        !reportUnknownName(texts[body.file], path, contract, context, diagnostics))
      diagnostics.error(Code::E0312, body.location,
                        "expects an operator whose shapes fall into finitely many patterns: " + reason, "",
                        fixOfShapes(contract));
    return {};
  }
  std::vector<unsigned> rows = typeRows.empty() ? contract.rowsOf(body) : typeRows;
  std::vector<ShapeKey> keys = nestsInOrder(shapeKeys(contract));
  OwningOpRef<ModuleOp> result = ModuleOp::create(FileLineColLoc::get(&context, path, 1, 1));
  for (unsigned row : rows)
    for (const ShapeKey &key : keys) {
      if (row >= contract.typeRows())
        return {};
      // A kernel that only the AI Core has.
      if (key.isOfAicore() && (isForCpuAlone(contract, body, row) || !hasKeyOnAicore(contract, key, row)))
        continue;
      const std::string &file = body.fileOf(row);
      if (failed(importInstance(texts[file], contract.filePath(file), contract, row, key, *result, diagnostics)))
        return {};
    }
  return result;
}

void setWorkspaceTypes(Contract &contract, const ContractBody &body, const std::vector<unsigned> &typeRows) {
  std::string reason;
  if (contract.workspace.empty() || !contractKind(contract, reason))
    return;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<te::TeDialect, func::FuncDialect>();
  // The import reports what is wrong.
  ScopedDiagnosticHandler ignored(&context, [](mlir::Diagnostic &) { return success(); });
  const std::vector<ShapeKey> keys = shapeKeys(contract);
  for (unsigned row : typeRows) {
    if (row >= contract.typeRows())
      return;
    Diagnostics unreported;
    const std::string path = contract.filePath(body.fileOf(row));
    std::optional<std::string> text = readBody(path, unreported);
    if (text)
      takeUnused(*text, path, context, unreported);
    const std::optional<std::string> instance =
        text ? instantiateTe(*text, contract, row, keys.front(), path, unreported) : std::nullopt;
    OwningOpRef<ModuleOp> parsed;
    if (instance)
      parsed = parseInstance(context, *instance, path, axisFrame(contract, keys.front()));
    func::FuncOp function = parsed ? functionOf(*parsed, contract, row) : func::FuncOp();
    if (!function)
      continue;
    for (auto [tensor, type] : llvm::zip_equal(contract.workspace, typesOfWorkspace(function, contract)))
      tensor.types[row] = type;
  }
}

} // namespace opc
