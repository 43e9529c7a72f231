#include "dialect/te/Syntax.h"

#include "dialect/te/Reader.h"
#include "dialect/te/TeOps.h"

#include "llvm/Support/Error.h"

using namespace mlir;

namespace opc::te {

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

ParseResult parseTypedOperand(OpAsmParser &parser, OpAsmParser::UnresolvedOperand &operand, Type &type) {
  if (parser.parseOperand(operand))
    return failure();
  NamedValues *values = parser.getContext()->getLoadedDialect<TeDialect>()->namedValues;
  if (!values)
    return parser.emitError(operand.location, "expects a text that te::parseModule reads: MLIR's parser alone does not "
                                              "know the types of operands");
  auto undefined = [&] {
    return parser.emitError(operand.location, "[value_c5] expects a value that is defined above, found '")
           << operand.name << "'";
  };
  Value value = values->find(operand.name);
  if (!value)
    return undefined();
  // The parser below refuses a number beyond a group that other results follow, and any number of an argument.
  if (auto result = dyn_cast<OpResult>(value)) {
    if (operand.number >= result.getOwner()->getNumResults() - result.getResultNumber())
      return parser.emitError(operand.location, "reference to invalid result number");
    value = result.getOwner()->getResult(result.getResultNumber() + operand.number);
  }
  type = value.getType();
  SmallVector<Value> resolved;
  if (parser.resolveOperand(operand, type, resolved))
    return failure();
  // The parser makes a placeholder for a name that it does not know here.
  return resolved.front() == value ? success() : ParseResult(undefined());
}

void printTypedOperand(OpAsmPrinter &printer, Operation *, Value operand, Type) {
  printer << operand;
}

ParseResult parseTypedOperands(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                               SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(
      [&] { return parseTypedOperand(parser, operands.emplace_back(), types.emplace_back()); });
}

void printTypedOperands(OpAsmPrinter &printer, Operation *, OperandRange operands, TypeRange) {
  printer << operands;
}

// In the notation of contracts: "P", "H*D", "A+2*D", "A[n]".
ParseResult parseDimension(OpAsmParser &parser, StringAttr &dim) {
  std::string text;
  for (bool more = true; more;) {
    StringRef name;
    int64_t size = 0;
    if (OptionalParseResult number = parser.parseOptionalInteger(size); number.has_value()) {
      if (failed(*number))
        return failure();
      text += std::to_string(size);
    } else if (failed(parser.parseOptionalKeyword(&name))) {
      return parser.emitError(parser.getCurrentLocation(), "expects the name of a dimension here, as N");
    } else {
      text += name;
      if (succeeded(parser.parseOptionalLSquare())) {
        if (parser.parseKeyword(&name) || parser.parseRSquare())
          return failure();
        text += ("[" + name + "]").str();
      }
    }
    char sign = succeeded(parser.parseOptionalPlus()) ? '+' : succeeded(parser.parseOptionalStar()) ? '*' : 0;
    more = sign != 0;
    if (more)
      text += sign;
  }
  dim = parser.getBuilder().getStringAttr(text);
  return success();
}

void printDimension(OpAsmPrinter &printer, Operation *, StringAttr dim) {
  printer << dim.getValue();
}

static ParseResult parseWay(OpAsmParser &parser, StringRef word, bool &way) {
  way = succeeded(parser.parseOptionalKeyword(word));
  if (!way)
    return success();
  Attribute value;
  SMLoc location = parser.getCurrentLocation();
  OptionalParseResult given = parser.parseOptionalAttribute(value);
  if (!given.has_value() || failed(*given))
    return given.has_value() ? failure() : success();
  auto number = dyn_cast<IntegerAttr>(value);
  if (!number || number.getValue().getActiveBits() > 1) {
    InFlightDiagnostic error = parser.emitError(location, "expects 0 or 1 after '") << word << "', found ";
    if (number)
      return error << number.getValue().getSExtValue();
    return error << value;
  }
  way = !number.getValue().isZero();
  return success();
}

ParseResult parseLastWay(OpAsmParser &parser, bool &last) {
  return parseWay(parser, "last", last);
}

void printLastWay(OpAsmPrinter &printer, Operation *, bool last) {
  printer << (last ? " last" : "");
}

ParseResult parseScanWays(OpAsmParser &parser, bool &exclusive, bool &reverse) {
  return failure(parseWay(parser, "exclusive", exclusive) || parseWay(parser, "reverse", reverse));
}

void printScanWays(OpAsmPrinter &printer, Operation *, bool exclusive, bool reverse) {
  if (exclusive)
    printer << " exclusive";
  if (reverse)
    printer << " reverse";
}

ParseResult parseSortWays(OpAsmParser &parser, bool &descending, bool &places) {
  if (failed(parseWay(parser, "descending", descending)))
    return failure();
  places = succeeded(parser.parseOptionalKeyword("places"));
  return success();
}

void printSortWays(OpAsmPrinter &printer, Operation *, bool descending, bool places) {
  if (descending)
    printer << " descending";
  if (places)
    printer << " places";
}

ParseResult parseDimensions(OpAsmParser &parser, ArrayAttr &dims) {
  SmallVector<Attribute> names;
  auto parseOne = [&]() -> ParseResult {
    StringAttr dim;
    if (parseDimension(parser, dim))
      return failure();
    names.push_back(dim);
    return success();
  };
  if (parser.parseCommaSeparatedList(parseOne))
    return failure();
  dims = parser.getBuilder().getArrayAttr(names);
  return success();
}

void printDimensions(OpAsmPrinter &printer, Operation *, ArrayAttr dims) {
  llvm::interleaveComma(dims.getAsValueRange<StringAttr>(), printer);
}

ParseResult parseValueOrShape(OpAsmParser &parser, std::optional<OpAsmParser::UnresolvedOperand> &operand, Type &type,
                              TypeAttr &shape) {
  Type named;
  OptionalParseResult result = parser.parseOptionalType(named);
  if (!result.has_value())
    return parseTypedOperand(parser, operand.emplace(), type);
  if (*result)
    return failure();
  shape = TypeAttr::get(named);
  return success();
}

void printValueOrShape(OpAsmPrinter &printer, Operation *, Value operand, Type, TypeAttr shape) {
  if (operand)
    printer << operand;
  else
    printer << shape.getValue();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ParseResult parseElement(OpAsmParser &parser, TypeAttr &element) {
  Type type;
  if (parser.parseType(type))
    return failure();
  element = TypeAttr::get(elementOf(type));
  return success();
}

void printElement(OpAsmPrinter &printer, Operation *, TypeAttr element) {
  printer << element.getValue();
}

//===----------------------------------------------------------------------===//
// te.constant
//===----------------------------------------------------------------------===//

/// Whether f64 can represent a number; a number out of range would read as infinity or as zero.
enum class Reach { InRange, TooLarge, TooSmall };

/// Classifies the float that `text` begins with, in the syntax of MLIR's lexer and without a sign. The buffer
/// is null-terminated.
static Reach reachOf(const char *text) {
  const char *end = text;
  auto skipDigits = [&] {
    while (llvm::isDigit(*end))
      ++end;
  };
  skipDigits();
  if (*end == '.')
    ++end;
  skipDigits();
  if ((*end == 'e' || *end == 'E') &&
      (llvm::isDigit(end[1]) || ((end[1] == '+' || end[1] == '-') && llvm::isDigit(end[2])))) {
    end += 2;
    skipDigits();
  }
  APFloat number(APFloat::IEEEdouble());
  llvm::Expected<APFloat::opStatus> status =
      number.convertFromString(StringRef(text, size_t(end - text)), APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return Reach::InRange; // not a float: the parser reports it
  }
  if (*status & APFloat::opOverflow)
    return Reach::TooLarge;
  return (*status & APFloat::opUnderflow) && number.isZero() ? Reach::TooSmall : Reach::InRange;
}

/// Parses a number as an f64 or i64 attribute.
static ParseResult parseNumber(OpAsmParser &parser, TypedAttr &value, Reach &reach) {
  Builder &builder = parser.getBuilder();
  SMLoc location = parser.getCurrentLocation();
  if (*location.getPointer() == '#') {
    Attribute attribute;
    if (parser.parseAttribute(attribute))
      return failure();
    // An element of a list: '#kernel_shape[0]'.
    if (auto list = dyn_cast<ArrayAttr>(attribute); list && succeeded(parser.parseOptionalLSquare())) {
      uint64_t element = 0;
      if (parser.parseInteger(element) || parser.parseRSquare())
        return failure();
      if (element >= list.size())
        return parser.emitError(location, "[constant_c1] expects an element from 0 to ")
               << int64_t(list.size()) - 1 << " of a list of " << list.size() << ", found " << element;
      attribute = list[element];
    }
    if (auto real = dyn_cast<FloatAttr>(attribute)) {
      value = builder.getF64FloatAttr(real.getValueAsDouble());
    } else if (auto integer = dyn_cast<IntegerAttr>(attribute); integer && integer.getValue().getBitWidth() <= 64) {
      bool truth = integer.getValue().getBitWidth() == 1;
      value = builder.getI64IntegerAttr(truth ? int64_t(integer.getValue().getZExtValue())
                                              : integer.getValue().getSExtValue());
    } else {
      return parser.emitError(location, "[constant_c1] expects an attribute that is a number, found ") << attribute;
    }
    return success();
  }
  bool negative = succeeded(parser.parseOptionalMinus());
  if (negative && *parser.getCurrentLocation().getPointer() == '-')
    return parser.emitError(location, "[constant_c1] expects one sign");
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word, {"inf", "nan", "true", "false"}))) {
    if (word == "true" || word == "false") {
      value = builder.getI64IntegerAttr(word == "true");
      return success();
    }
    double number = word == "inf" ? HUGE_VAL : std::nan("");
    value = builder.getF64FloatAttr(negative ? -number : number);
    return success();
  }
  APInt integer;
  OptionalParseResult isInteger = parser.parseOptionalInteger(integer);
  if (isInteger.has_value()) {
    if (failed(*isInteger))
      return failure();
    // The parser leaves room for a sign; te has no numbers of more than 64 bits.
    if (negative)
      integer = -integer.sext(integer.getBitWidth() + 1);
    if (integer.getSignificantBits() > 64)
      return parser.emitError(location, "[constant_c1] expects a whole number of 64 bits, found a longer one");
    value = builder.getI64IntegerAttr(integer.sextOrTrunc(64).getSExtValue());
    return success();
  }
  double number = 0;
  const char *text = parser.getCurrentLocation().getPointer();
  if (parser.parseFloat(number))
    return failure();
  reach = reachOf(text);
  value = builder.getF64FloatAttr(negative ? -number : number);
  return success();
}

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  TypedAttr value;
  TypeAttr element;
  SMLoc location = parser.getCurrentLocation();
  Reach reach = Reach::InRange;
  if (parseNumber(parser, value, reach))
    return failure();
  if (succeeded(parser.parseOptionalColon())) {
    if (parseElement(parser, element))
      return failure();
  } else {
    element = TypeAttr::get(isa<FloatAttr>(value) ? Type(builder.getF32Type()) : Type(builder.getI64Type()));
  }
  if (parser.parseOptionalAttrDict(state.attributes))
    return failure();
  Type type = element.getValue();
  // A whole number becomes a float where the element type is one.
  if (auto integer = dyn_cast<IntegerAttr>(value); integer && isa<FloatType>(type))
    value = builder.getF64FloatAttr(double(integer.getInt()));
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.value = value;
  properties.element = element;
  std::string wrong = wrongConstant(value, type);
  if (wrong.empty() && reach != Reach::InRange)
    wrong = outOfReach(type, reach == Reach::TooLarge);
  if (!wrong.empty())
    return parser.emitError(location, "[constant_c1] " + wrong);
  state.addTypes(type);
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer << " ";
  if (auto real = dyn_cast<FloatAttr>(getValue())) {
    APFloat number = real.getValue();
    if (number.isNaN() || number.isInfinity())
      printer << (number.isNegative() ? "-" : "") << (number.isNaN() ? "nan" : "inf");
    else
      printer.printFloat(number);
  } else {
    printer << cast<IntegerAttr>(getValue()).getInt();
  }
  printer << " : " << getElement();
  printer.printOptionalAttrDict((*this)->getDiscardableAttrDictionary().getValue());
}

} // namespace opc::te
