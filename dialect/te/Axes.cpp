// The type of a value determines its dimensions in the contract. A tensor of two dimensions is (front, last). A
// static 1 as first dimension marks a parameter, which has no front dimensions; a static 1 as last dimension is one
// that was reduced and kept. A tensor of one dimension has the front dimensions alone.

#include "dialect/te/Axes.h"

#include "dialect/te/Syntax.h"
#include "dialect/te/TeOps.h"
#include "runtime/diagnostic/Diagnostic.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace opc::te {

AxisScope::AxisScope(MLIRContext &context, const AxisFrame &frame) : context(context) {
  context.getOrLoadDialect<TeDialect>()->axisFrame = &frame;
}

AxisScope::~AxisScope() {
  context.getOrLoadDialect<TeDialect>()->axisFrame = nullptr;
}

namespace {

/// An axis as it is written in the text.
struct Item {
  std::string name; ///< empty: a number
  int64_t number = 0;

  std::string text() const { return name.empty() ? std::to_string(number) : name; }
};

/// Turns one list of axes into axes of the operand's tensor.
class AxisReader {
public:
  AxisReader(OpAsmParser &parser, SMLoc place, const AxisFrame &frame, RankedTensorType operand)
      : parser(parser), place(place), frame(frame), operand(operand) {
    if (frame.reduces == AxisFrame::Domain) {
      for (const AxisFrame::Dim &dim : frame.domain)
        dims.push_back(dim.name);
      return;
    }
    bool isParameter = operand.getRank() == 2 && operand.getDimSize(0) == 1;
    if (operand.getRank() > 0 && !isParameter)
      dims = frame.front;
    if (operand.getRank() == 2)
      dims.push_back(operand.getDimSize(1) == 1 ? "1" : frame.last);
  }

  ParseResult read(ArrayRef<Item> items, SmallVectorImpl<int64_t> &axes);

private:
  ParseResult readDomain(ArrayRef<Item> items, SmallVectorImpl<int64_t> &axes);
  ParseResult readSet(const std::vector<bool> &named, SmallVectorImpl<int64_t> &axes);
  ParseResult readOfRanges(const std::vector<bool> &named, SmallVectorImpl<int64_t> &axes);
  ParseResult readRows(ArrayRef<Item> items, SmallVectorImpl<int64_t> &axes);
  ParseResult refuseOperand(StringRef dimensions);
  InFlightDiagnostic error() { return parser.emitError(place, "[axes_c3] "); }
  FailureOr<size_t> dimOf(const Item &item);
  FailureOr<size_t> dimOfName(StringRef name);
  FailureOr<size_t> dimOfNumber(int64_t number);
  std::string shape() const { return "[" + llvm::join(dims, ", ") + "]"; }
  static bool isPack(StringRef dim) { return dim.starts_with("..."); }

  OpAsmParser &parser;
  SMLoc place;
  const AxisFrame &frame;
  RankedTensorType operand;
  std::vector<std::string> dims; ///< of the operand, in the contract
};

} // namespace

FailureOr<size_t> AxisReader::dimOfName(StringRef name) {
  auto pack = llvm::find(dims, ("..." + name).str());
  // In a domain the name of a pack means all its dimensions.
  if (frame.reduces == AxisFrame::Domain && pack != dims.end())
    return size_t(pack - dims.begin());
  if (pack != dims.end())
    return error() << "expects one dimension, found '" << name << "', which stands for any number of them in "
                   << shape();
  // A dimension that was reduced and kept has size 1 and still has its name.
  std::vector<std::string> names = dims;
  if (operand.getRank() == 2 && frame.reduces != AxisFrame::Domain)
    names.back() = frame.last;
  auto found = llvm::find(names, name);
  if (found != names.end() && std::find(found + 1, names.end(), name) != names.end())
    return error() << "expects a name that occurs once in " << shape() << ", found '" << name
                   << "', which occurs there twice";
  if (found != names.end() && !llvm::isDigit(name.front()))
    return size_t(found - names.begin());
  InFlightDiagnostic failed = error() << "expects an axis of " << shape() << ", found '" << name << "'";
  if (std::string nearest = nearestName(name.str(), names); !nearest.empty())
    failed.attachNote() << "fix: did you mean '" << nearest << "'?";
  return failed;
}

FailureOr<size_t> AxisReader::dimOfNumber(int64_t number) {
  if (frame.reduces == AxisFrame::Domain && frame.hasProducts) {
    InFlightDiagnostic failed = error() << "expects axes by their names where a dimension is a product or has "
                                        << (frame.isOfRanges ? "ranges" : "windows") << ", found " << number;
    failed.attachNote() << "fix: name the dimensions, which are " << shape();
    return failed;
  }
  auto pack = llvm::find_if(dims, [](const std::string &dim) { return isPack(dim); });
  auto count = int64_t(dims.size()), packAt = int64_t(pack - dims.begin());
  if (pack == dims.end() && (number < -count || number >= count)) {
    if (count == 0)
      return error() << "expects a dimension to reduce, found none in " << shape();
    return error() << "expects axes from " << -count << " to " << count - 1 << " in " << shape() << ", found "
                   << number;
  }
  int64_t at = number < 0 ? number + count : number;
  bool isKnown = pack == dims.end() || (number < 0 ? at > packAt : at < packAt);
  if (isKnown)
    return size_t(at);
  InFlightDiagnostic failed = error() << "expects an axis that is known in " << shape() << ", where '" << *pack
                                      << "' stands for any number of dimensions, found " << number;
  if (frame.reduces == AxisFrame::Domain)
    failed.attachNote() << "fix: name the dimensions";
  else
    failed.attachNote() << "fix: count from the last, [-1], or name the dimension, [" << frame.last << "]";
  return failed;
}

FailureOr<size_t> AxisReader::dimOf(const Item &item) {
  FailureOr<size_t> at = item.name.empty() ? dimOfNumber(item.number) : dimOfName(item.name);
  if (failed(at) || (operand.getRank() == 2 && *at + 1 == dims.size()))
    return at;
  InFlightDiagnostic failed = error() << "expects the last dimension";
  if (operand.getRank() == 2)
    failed << ", '" << frame.last << "',";
  failed << " of rows " << frame.shape << ", found axis " << item.text();
  if (dims[*at] != item.name)
    failed << ", which is '" << dims[*at] << "'";
  failed.attachNote() << "dimensions before the last are one loop of a kernel";
  failed.attachNote() << "fix: put the dimension that is reduced last in the contract, or reduce "
                         "'#axes' in an operator whose output says 'reduces'";
  return failed;
}

// The dimensions that a body reduces are the same loops in all its reductions. If a contract has a nest for each set of
// them, the body is parsed in the same way for all nests: the tensor has each dimension of the domain.
ParseResult AxisReader::readDomain(ArrayRef<Item> items, SmallVectorImpl<int64_t> &axes) {
  std::vector<bool> named(dims.size(), false);
  for (const Item &item : items) {
    FailureOr<size_t> at = item.name.empty() ? dimOfNumber(item.number) : dimOfName(item.name);
    if (mlir::failed(at))
      return failure();
    if (named[*at])
      return parser.emitError(place, "[axes_c2] expects each axis once, found ") << item.text() << " again";
    named[*at] = true;
  }
  if (frame.isOfDims)
    return readSet(named, axes);
  if (frame.isOfRanges)
    return readOfRanges(named, axes);
  std::string all;
  bool isWhole = true;
  for (auto [dim, isNamed] : llvm::zip_equal(frame.domain, named)) {
    isWhole &= dim.reduced == isNamed;
    if (dim.reduced)
      all += (all.empty() ? "" : ", ") + StringRef(dim.name).ltrim('.').str();
  }
  bool hasLoops = operand.getRank() == int64_t(frame.loops) &&
                  llvm::all_of(frame.reducedLoops, [&](int64_t loop) { return operand.isDynamicDim(unsigned(loop)); });
  if (!hasLoops)
    return refuseOperand(all);
  if (!isWhole) {
    InFlightDiagnostic failed = error() << "expects the reductions of one result to be over the same dimensions, here ["
                                        << all << "]";
    failed.attachNote()
        << "fix: name all of them; a result, or an operator, for each set of dimensions that is reduced";
    return failed;
  }
  llvm::append_range(axes, frame.reducedLoops);
  return success();
}

ParseResult AxisReader::refuseOperand(StringRef dimensions) {
  InFlightDiagnostic failed = error() << "expects an operand that has all of [" << dimensions
                                      << "], found one that was reduced or that is a parameter without them";
  failed.attachNote() << "fix: combine it with an input that has these dimensions first";
  return failed;
}

/// The dimensions of some nest, of which a body is parsed for all ranges of tensors.
ParseResult AxisReader::readOfRanges(const std::vector<bool> &named, SmallVectorImpl<int64_t> &axes) {
  std::string all;
  axes.push_back(1);
  int64_t next = 2;
  for (auto [dim, isNamed] : llvm::zip_equal(frame.domain, named)) {
    if (isNamed) {
      all += (all.empty() ? "" : ", ") + StringRef(dim.name).ltrim('.').str();
      axes.push_back(next);
    }
    next += dim.reduced;
  }
  const bool hasLoops = operand.getRank() == int64_t(frame.loops) && operand.isDynamicDim(1);
  return hasLoops ? ParseResult(success()) : refuseOperand(all);
}

/// One of the sets of dimensions that a body reduces.
ParseResult AxisReader::readSet(const std::vector<bool> &named, SmallVectorImpl<int64_t> &axes) {
  std::string all;
  bool hasLoops = operand.getRank() == int64_t(frame.loops);
  for (auto [dim, isNamed] : llvm::enumerate(named)) {
    if (!isNamed)
      continue;
    all += (all.empty() ? "" : ", ") + StringRef(frame.domain[dim].name).ltrim('.').str();
    axes.push_back(int64_t(dim));
    hasLoops = hasLoops && operand.isDynamicDim(unsigned(dim));
  }
  return hasLoops ? ParseResult(success()) : refuseOperand(all);
}

/// Results of a matrix product are reduced by rows: over all of the last dimensions, by name, since the dimensions of
/// the contract have those of its sum as well.
ParseResult AxisReader::readRows(ArrayRef<Item> items, SmallVectorImpl<int64_t> &axes) {
  SmallVector<std::string> named;
  bool areRows = true;
  for (const Item &item : items) {
    const std::string name = item.text();
    areRows &= llvm::is_contained(frame.rows, name) && !llvm::is_contained(named, name);
    named.push_back(name);
  }
  const bool hasRows = operand.getRank() == 2 && operand.isDynamicDim(1);
  if (areRows && hasRows && !named.empty() && named.size() == frame.rows.size()) {
    axes.push_back(1);
    return success();
  }
  InFlightDiagnostic failed = parser.emitError(place, "[matmul_c3] expects a reduction beside a matrix product to be "
                                                      "over whole rows of its results");
  if (!frame.rows.empty())
    failed << ", [" << llvm::join(frame.rows, ", ") << "]";
  if (!hasRows)
    failed << ", of a value that has them";
  failed.attachNote()
      << "fix: the last dimensions of a result, which the right matrix alone has; or an operator of its "
         "own for the reduction";
  return failed;
}

ParseResult AxisReader::read(ArrayRef<Item> items, SmallVectorImpl<int64_t> &axes) {
  if (frame.reduces == AxisFrame::Domain)
    return readDomain(items, axes);
  if (frame.reduces == AxisFrame::Product)
    return readRows(items, axes);
  if (frame.reduces == AxisFrame::Nothing) {
    InFlightDiagnostic failed = error() << "expects no reduction in an operator on " << frame.shape
                                        << ", whose contract gives no dimension a name";
    failed.attachNote() << "fix: name the last dimension, as in [...S, N], and reduce [-1]; an axis that "
                           "an attribute gives is N of [...A, N, ...B], with 'axis: NAME' at N under 'dimensions', and "
                           "'axes [N]'";
    return failed;
  }
  if (frame.reduces == AxisFrame::Given) {
    InFlightDiagnostic failed = error() << "expects '#axes' in an operator whose output says "
                                           "'reduces', as each launch says which they are";
    failed.attachNote() << "fix: write 'axes #axes'";
    return failed;
  }
  std::vector<bool> seen(dims.size(), false);
  for (const Item &item : items) {
    FailureOr<size_t> at = dimOf(item);
    if (mlir::failed(at))
      return failure();
    if (seen[*at])
      return parser.emitError(place, "[axes_c2] expects each axis once, found ") << item.text() << " again";
    seen[*at] = true;
    axes.push_back(operand.getRank() - 1);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// One number or name.
static ParseResult parseItem(OpAsmParser &parser, SMLoc place, SmallVectorImpl<Item> &items) {
  StringRef name;
  if (succeeded(parser.parseOptionalKeyword(&name))) {
    items.push_back({name.str(), 0});
    return success();
  }
  APInt number;
  OptionalParseResult isNumber = parser.parseOptionalInteger(number);
  if (isNumber.has_value() && failed(*isNumber))
    return failure();
  if (!isNumber.has_value() || number.getSignificantBits() > 64)
    return parser.emitError(place, "[axes_c2] expects axes as whole numbers, [0, -1], or names of "
                                   "dimensions, [N]");
  items.push_back({{}, number.sextOrTrunc(64).getSExtValue()});
  return success();
}

/// Reads axes from an attribute.
static ParseResult parseAttributeItems(OpAsmParser &parser, SMLoc place, SmallVectorImpl<Item> &items) {
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    for (int64_t number : array.asArrayRef())
      items.push_back({{}, number});
    return success();
  }
  SmallVector<Attribute> values = {attribute};
  if (auto array = dyn_cast<ArrayAttr>(attribute))
    values.assign(array.begin(), array.end());
  for (Attribute value : values) {
    auto integer = dyn_cast<IntegerAttr>(value);
    if (!integer || !integer.getType().isSignlessInteger(64))
      return parser.emitError(place, "[axes_c2] expects axes as whole numbers: [0, -1], found ") << attribute;
    items.push_back({{}, integer.getInt()});
  }
  return success();
}

ParseResult parseAxes(OpAsmParser &parser, Type operand, DenseI64ArrayAttr &axes) {
  SMLoc place = parser.getCurrentLocation();
  const AxisFrame *frame = parser.getContext()->getLoadedDialect<TeDialect>()->axisFrame;
  // The alias of the axes of a launch: its numbers are axes of the tensor already.
  StringRef text(place.getPointer()); // sources end with a zero
  bool isGiven = text.consume_front("#axes") &&
                 (text.empty() || (!llvm::isAlnum(text.front()) && !StringRef("_.$-").contains(text.front())));
  SmallVector<Item> items;
  if (succeeded(parser.parseOptionalLSquare())) {
    if (failed(parser.parseOptionalRSquare())) {
      if (parser.parseCommaSeparatedList([&] { return parseItem(parser, place, items); }) || parser.parseRSquare())
        return failure();
    }
  } else if (parseAttributeItems(parser, place, items)) {
    return failure();
  }
  SmallVector<int64_t> numbers;
  auto tensor = dyn_cast<RankedTensorType>(operand);
  bool counts = frame && tensor && !(isGiven && frame->reduces == AxisFrame::Given);
  if (counts) {
    if (AxisReader(parser, place, *frame, tensor).read(items, numbers))
      return failure();
  } else {
    for (const Item &item : items) {
      if (!item.name.empty())
        return parser.emitError(place, "[axes_c3] expects whole numbers where no contract names "
                                       "the dimensions, found '")
               << item.name << "'";
      numbers.push_back(item.number);
    }
  }
  axes = parser.getBuilder().getDenseI64ArrayAttr(numbers);
  return success();
}

/// The operand of a product for a value, possibly through its windows, or through elementwise operations on it and on
/// inputs that are no operands; null for others.
static const AxisFrame::Operand *operandOf(const AxisFrame &frame, Value value) {
  const AxisFrame::Operand *found = nullptr;
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (op && !op->hasTrait<Elementwise>() && !isa<WindowOp, ConstantOp>(op))
      return nullptr;
    if (op)
      values.insert(op->operand_begin(), op->operand_end());
    auto argument = dyn_cast<BlockArgument>(values[i]);
    for (const AxisFrame::Operand *operand : {&frame.left, &frame.right})
      if (argument && argument.getArgNumber() == operand->argument) {
        if (found)
          return nullptr;
        found = operand;
      }
  }
  return found;
}

/// Checks that the items are the dimensions over which the body sums, each once.
static ParseResult checkSummed(OpAsmParser &parser, SMLoc place, const AxisFrame &frame, ArrayRef<Item> items) {
  SmallVector<std::string> summed, named;
  for (const AxisFrame::Dim &dim : frame.domain)
    if (dim.reduced)
      summed.push_back(dim.name);
  auto fail = [&](const std::string &found) {
    InFlightDiagnostic failed = parser.emitError(place, "[matmul_c2] expects the dimensions that both operands have "
                                                        "and no result has, by name, each once: found ")
                                << found;
    failed.attachNote() << "fix: 'axes [" << llvm::join(summed, ", ") << "]'";
    return failed;
  };
  for (const Item &item : items) {
    if (!llvm::is_contained(summed, item.text()) || llvm::is_contained(named, item.text()))
      return fail("'" + item.text() + "'");
    named.push_back(item.text());
  }
  if (named.size() != summed.size())
    return fail("[" + llvm::join(named, ", ") + "]");
  return success();
}

ParseResult parseProduct(OpAsmParser &parser, OpAsmParser::UnresolvedOperand &lhs, Type &lhsType,
                         OpAsmParser::UnresolvedOperand &rhs, Type &rhsType, DenseI64ArrayAttr &axes) {
  SMLoc start = parser.getCurrentLocation();
  if (parseTypedOperand(parser, lhs, lhsType) || parser.parseComma() || parseTypedOperand(parser, rhs, rhsType) ||
      parser.parseKeyword("axes"))
    return failure();
  SMLoc place = parser.getCurrentLocation();
  SmallVector<Item> items;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] { return parseItem(parser, place, items); }))
    return failure();
  const AxisFrame *frame = parser.getContext()->getLoadedDialect<TeDialect>()->axisFrame;
  if (!frame) {
    SmallVector<int64_t> numbers;
    for (const Item &item : items) {
      if (!item.name.empty())
        return parser.emitError(place, "[matmul_c2] expects an axis of each operand, as numbers, where no contract "
                                       "names the dimensions, found '")
               << item.name << "'";
      numbers.push_back(item.number);
    }
    axes = parser.getBuilder().getDenseI64ArrayAttr(numbers);
    return success();
  }
  // The contract's shapes determine the multiplied inputs, and its loops are those of their product.
  if (frame->reduces != AxisFrame::Product)
    return parser.emitError(start, "[matmul_c2] expects shapes of a matrix product in the contract");
  if (failed(checkSummed(parser, place, *frame, items)))
    return failure();
  SmallVector<Value> values;
  if (parser.resolveOperand(lhs, lhsType, values) || parser.resolveOperand(rhs, rhsType, values))
    return failure();
  const AxisFrame::Operand *first = operandOf(*frame, values[0]), *second = operandOf(*frame, values[1]);
  if (!first || !second || first == second) {
    InFlightDiagnostic failed = parser.emitError(start, "[matmul_c2] expects the two inputs that have the dimensions, "
                                                        "as they are or computed element by element: '")
                                << frame->left.name << "' and '" << frame->right.name << "'";
    failed.attachNote() << "fix: 'te.matmul %" << frame->left.name << ", %" << frame->right.name
                        << "'; a computation on both of them, or other than element by element, before the product "
                           "needs an operator of its own, a computation on the result belongs to this body";
    return failed;
  }
  if (first == &frame->right) {
    std::swap(lhs, rhs);
    std::swap(lhsType, rhsType);
  }
  axes = parser.getBuilder().getDenseI64ArrayAttr({frame->left.axis, frame->right.axis});
  return success();
}

void printProduct(OpAsmPrinter &printer, Operation *op, Value lhs, Type lhsType, Value rhs, Type,
                  DenseI64ArrayAttr axes) {
  printer << lhs << ", " << rhs << " axes ";
  printAxes(printer, op, lhsType, axes);
}

void printAxes(OpAsmPrinter &printer, Operation *, Type, DenseI64ArrayAttr axes) {
  printer << "[";
  llvm::interleaveComma(axes.asArrayRef(), printer);
  printer << "]";
}

} // namespace opc::te
