// Text forms and rules of the ops.

#include "dialect/graph/GraphOps.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace opc::graph;

#define GET_OP_CLASSES
#include "dialect/graph/GraphOps.cpp.inc"

/// Turns a name of the file into the name of an SSA value: letters, digits and '_'.
static std::string valueName(StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) ? c : '_';
  // A plain number would look like the printer's own names.
  if (!result.empty() && llvm::isDigit(result.front()))
    result.insert(0, "v");
  return result;
}

//===- model and function: a name, arguments, attributes, a body -------------===//

static ParseResult parseWithArguments(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true, /*allowAttrs=*/true) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> attributes;
  for (const OpAsmParser::Argument &argument : arguments)
    attributes.push_back(argument.attrs ? argument.attrs : builder.getDictionaryAttr({}));
  if (llvm::any_of(arguments,
                   [](const OpAsmParser::Argument &argument) { return argument.attrs && !argument.attrs.empty(); }))
    result.addAttribute("arg_attrs", builder.getArrayAttr(attributes));
  return parser.parseRegion(*result.addRegion(), arguments);
}

static void printWithArguments(OpAsmPrinter &printer, Operation *op, StringRef name, Region &body,
                               ArrayAttr attributes) {
  printer << ' ';
  printer.printSymbolName(name);
  printer << '(';
  llvm::interleaveComma(llvm::enumerate(body.getArguments()), printer, [&](auto argument) {
    DictionaryAttr own = attributes ? cast<DictionaryAttr>(attributes[argument.index()]) : DictionaryAttr();
    printer.printRegionArgument(argument.value(), own ? own.getValue() : ArrayRef<NamedAttribute>());
  });
  printer << ')';
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), {SymbolTable::getSymbolAttrName(), "arg_attrs"});
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

/// graph_c4, and one dictionary for each argument.
static LogicalResult verifyBody(Operation *op, Region &body, ArrayAttr outputs, ArrayAttr attributes) {
  Block &block = body.front();
  auto output = block.empty() ? OutputOp() : dyn_cast<OutputOp>(block.back());
  if (!output)
    return op->emitOpError("[graph_c4] expects 'graph.output' at its end");
  if (output.getNumOperands() != outputs.size())
    return op->emitOpError("[graph_c4] expects a value for each of ")
           << outputs.size() << " outputs, found " << output.getNumOperands();
  if (!attributes)
    return success();
  if (attributes.size() != block.getNumArguments())
    return op->emitOpError("[graph_c4] expects attributes for each of ")
           << block.getNumArguments() << " arguments, found " << attributes.size();
  for (Attribute own : attributes)
    for (NamedAttribute each : cast<DictionaryAttr>(own))
      if (each.getName() != GraphDialect::kNameAttr || !isa<StringAttr>(each.getValue()))
        return op->emitOpError("[graph_c4] expects '")
               << GraphDialect::kNameAttr << "', a text, at an argument, found '" << each.getName().strref() << "'";
  return success();
}

/// Arguments by the names of the inputs.
static void nameArguments(Region &region, ArrayAttr attributes, OpAsmSetValueNameFn setName) {
  if (!attributes || region.empty())
    return;
  for (auto [argument, own] : llvm::zip(region.getArguments(), attributes))
    if (auto name = cast<DictionaryAttr>(own).getAs<StringAttr>(GraphDialect::kNameAttr))
      setName(argument, valueName(name.getValue()));
}

void ModelOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(region, getArgAttrsAttr(), setName);
}
void FunctionOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(region, getArgAttrsAttr(), setName);
}

ParseResult ModelOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseWithArguments(parser, result);
}
void ModelOp::print(OpAsmPrinter &printer) {
  printWithArguments(printer, *this, getSymName(), getBody(), getArgAttrsAttr());
}
LogicalResult ModelOp::verify() {
  return verifyBody(*this, getBody(), getOutputs(), getArgAttrsAttr());
}

ParseResult FunctionOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseWithArguments(parser, result);
}
void FunctionOp::print(OpAsmPrinter &printer) {
  printWithArguments(printer, *this, getSymName(), getBody(), getArgAttrsAttr());
}
LogicalResult FunctionOp::verify() {
  return verifyBody(*this, getBody(), getOutputs(), getArgAttrsAttr());
}

//===- node -------------------------------------------------------------------===//

void NodeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  for (auto [result, name] : llvm::zip(getResults(), getResultNames()))
    setName(result, valueName(cast<StringAttr>(name).getValue()));
}

LogicalResult NodeOp::verify() {
  if (getOp().empty())
    return emitOpError("[graph_c1] expects the name of an operator, found none");
  if (getResultNames().size() != getNumResults())
    return emitOpError("[graph_c1] expects a name for each of ")
           << getNumResults() << " results, found " << getResultNames().size();
  size_t names = getGraphs() ? getGraphs()->size() : 0;
  if (names != getBodies().size())
    return emitOpError("[graph_c2] expects a name for each of ")
           << getBodies().size() << " regions in 'graphs', found " << names;
  for (Region &body : getBodies())
    if (body.front().empty() || !isa<OutputOp>(body.front().back()))
      return emitOpError("[graph_c4] expects 'graph.output' at the end of a region");
  return success();
}

//===- instance, choice, branch, host: ops with names of several results -------===//

static void nameResults(ResultRange results, ArrayAttr names, OpAsmSetValueNameFn setName) {
  for (auto [result, name] : llvm::zip(results, names))
    setName(result, valueName(cast<StringAttr>(name).getValue()));
}

/// graph_c7
static LogicalResult verifyNames(Operation *op, ArrayAttr names, std::optional<ArrayAttr> places) {
  if (names.size() != op->getNumResults())
    return op->emitOpError("[graph_c7] expects a name for each of ")
           << op->getNumResults() << " results, found " << names.size();
  if (places && places->size() != op->getNumResults())
    return op->emitOpError("[graph_c7] expects a place for each of ")
           << op->getNumResults() << " results, found " << places->size();
  return success();
}

void InstanceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResults(getResults(), getResultNames(), setName);
}
void ChooseOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResults(getResults(), getResultNames(), setName);
}
void BranchOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResults(getResults(), getResultNames(), setName);
}
void HostOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResults(getResults(), getResultNames(), setName);
}

LogicalResult InstanceOp::verify() {
  return verifyNames(*this, getResultNames(), getPlaces());
}

/// graph_c10: the condition, and one list of the values.
static LogicalResult verifyChoice(Operation *op, Type condition, ValueRange values) {
  auto truth = dyn_cast<RankedTensorType>(condition);
  if (!truth || !truth.getElementType().isInteger(1) || !truth.hasStaticShape() || truth.getNumElements() != 1)
    return op->emitOpError("[graph_c10] expects one truth value as condition, found ") << condition;
  if (!llvm::equal(values.getTypes(), op->getResultTypes()))
    return op->emitOpError("[graph_c10] expects values of the types of its results in both lists");
  return success();
}

LogicalResult ChooseOp::verify() {
  for (ValueRange values : {getThens(), getElses()})
    if (failed(verifyChoice(*this, getCondition().getType(), values)))
      return failure();
  return verifyNames(*this, getResultNames(), std::nullopt);
}

LogicalResult BranchOp::verify() {
  for (Region *steps : {&getThenSteps(), &getElseSteps()}) {
    Block &block = steps->front();
    auto output = block.empty() ? OutputOp() : dyn_cast<OutputOp>(block.back());
    if (!output || block.getNumArguments() != 0)
      return emitOpError("[graph_c4] expects no arguments and 'graph.output' at the end of a region");
    if (failed(verifyChoice(*this, getCondition().getType(), output.getValues())))
      return failure();
  }
  return verifyNames(*this, getResultNames(), getPlaces());
}

LogicalResult HostOp::verify() {
  auto rows = getNumResults() == 2 ? dyn_cast<RankedTensorType>(getResult(0).getType()) : RankedTensorType();
  auto count = rows ? dyn_cast<RankedTensorType>(getResult(1).getType()) : RankedTensorType();
  if (!count || rows.getRank() == 0 || !count.getElementType().isInteger(64) || count.getRank() != 0)
    return emitOpError(
        "[graph_c11] expects a result with a first dimension and the number of its rows, one 64-bit integer");
  return verifyNames(*this, getResultNames(), getPlaces());
}

//===- constant ---------------------------------------------------------------===//

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), valueName(getName()));
}

/// The type of a constant's value; null for other attributes.
static Type typeOfConstant(Attribute value) {
  if (auto elements = dyn_cast<ElementsAttr>(value))
    return elements.getShapedType();
  if (auto sparse = dyn_cast<SparseAttr>(value))
    return SparseTensorType::get(value.getContext(), sparse.getType());
  return {};
}

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  Attribute value;
  if (parser.parseAttribute(name, "name", result.attributes) || parser.parseOptionalAttrDict(result.attributes))
    return failure();
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseAttribute(value, "value", result.attributes))
    return failure();
  Type type = typeOfConstant(value);
  if (!type)
    return parser.emitError(place, "[graph_c6] expects elements or #graph.sparse, found ") << value;
  result.addTypes(type);
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getNameAttr();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"name", "value"});
  printer << ' ' << getValue();
}

LogicalResult ConstantOp::verify() {
  Type type = typeOfConstant(getValue());
  if (type != getResult().getType())
    return emitOpError("[graph_c6] expects the type of its value, found ") << getResult().getType();
  return success();
}

//===- view -------------------------------------------------------------------===//

LogicalResult ViewOp::verify() {
  auto from = cast<TensorType>(getOperand().getType()), to = cast<TensorType>(getResult().getType());
  if (from.getElementType() != to.getElementType())
    return emitOpError("[graph_c5] expects one type of elements, found ")
           << from.getElementType() << " and " << to.getElementType();
  if (from.hasStaticShape() && to.hasStaticShape() && from.getNumElements() != to.getNumElements())
    return emitOpError("[graph_c5] expects one number of elements, found ")
           << from.getNumElements() << " and " << to.getNumElements();
  return success();
}

//===- part and join ----------------------------------------------------------===//

void PartOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), valueName(getName()));
}

LogicalResult PartOp::verify() {
  auto from = cast<TensorType>(getOperand().getType()), to = cast<TensorType>(getResult().getType());
  if (from.getElementType() != to.getElementType())
    return emitOpError("[graph_c8] expects one type of elements, found ")
           << from.getElementType() << " and " << to.getElementType();
  if (!from.hasStaticShape() || !to.hasStaticShape())
    return emitOpError("[graph_c8] expects sizes that are numbers");
  const int64_t start = static_cast<int64_t>(getStart()), most = from.getNumElements();
  if (start < 0 || start > most || to.getNumElements() > most - start)
    return emitOpError("[graph_c8] expects a part of ")
           << most << " elements, found " << to.getNumElements() << " from " << start << " on";
  return success();
}

void JoinOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), valueName(getName()));
}

LogicalResult JoinOp::verify() {
  auto to = cast<TensorType>(getResult().getType());
  int64_t elements = 0;
  for (Value operand : getOperands()) {
    auto from = cast<TensorType>(operand.getType());
    if (from.getElementType() != to.getElementType())
      return emitOpError("[graph_c9] expects one type of elements, found ")
             << from.getElementType() << " and " << to.getElementType();
    if (!from.hasStaticShape() || llvm::AddOverflow(elements, from.getNumElements(), elements))
      return emitOpError("[graph_c9] expects sizes that are numbers");
  }
  if (!to.hasStaticShape() || elements != to.getNumElements())
    return emitOpError("[graph_c9] expects as many elements as its operands have, ") << elements << ", found " << to;
  return success();
}
