#include "lowering/import/te/words/BodyWords.h"

#include "dialect/te/Inference.h"
#include "dialect/te/TeDialect.h"
#include "lowering/import/te/words/Phrases.h"
#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

namespace opc {

using llvm::StringRef;

BodyWords::BodyWords(const std::string &text, const Contract &contract) : body(text) {
  std::string parameters, results;
  for (const ContractTensor &input : writtenInputs(contract))
    parameters += (parameters.empty() ? "%" : ", %") + input.name + ": !" + input.name;
  for (const ContractAttribute &attribute : contract.attributes)
    if (attribute.binding == Binding::Launch) {
      launchAttributes.push_back(attribute.name);
      parameters += ", %" + attribute.name +
                    (attribute.type == AttributeType::Float ? ": f32"
                     : attribute.type == AttributeType::Int ? ": i64"
                                                            : ": i1");
    }
  for (const ContractTensor &output : contract.outputs) {
    outputs.push_back(output.name);
    results += (results.empty() ? "!" : ", !") + output.name;
  }
  signature = "@" + contract.name + "(" + parameters + ") -> " + (outputs.size() == 1 ? results : "(" + results + ")");
  for (const ContractTensor &input : writtenInputs(contract))
    if (isAbsent(contract, input)) {
      numbers.emplace_back("%" + input.name, input.name);
      presences.emplace_back(input.name, input.presence);
    }
  findNumbers();
  // "!x = tensor<?xf16> #scale = 0.5 : f64": each name begins with ! or #.
  StringRef rest = body.all().front();
  while (!rest.empty()) {
    size_t start = rest.find_first_of("!#");
    if (start == StringRef::npos)
      break;
    rest = rest.drop_front(start);
    StringRef name = rest.take_front(1 + rest.drop_front().take_while(BodyLines::isWordLetter).size());
    rest = rest.drop_front(name.size());
    StringRef value = rest;
    if (!value.consume_front(" = "))
      continue;
    aliases.emplace_back(name.str(), value.take_until([](char c) { return c == ' '; }).str());
  }
}

void BodyWords::findNumbers() {
  auto inputOf = [&](const std::string &name) {
    auto found = llvm::find_if(numbers, [&](const auto &number) { return number.first == name; });
    return found == numbers.end() ? std::string() : found->second;
  };
  for (const std::string &line : body.all()) {
    const std::vector<std::string> names = BodyLines::valuesIn(line);
    if (numbers.empty() || names.size() < 2 || !StringRef(line).contains("= te."))
      continue;
    if (std::all_of(names.begin() + 1, names.end(), [&](const auto &name) { return !inputOf(name).empty(); }))
      numbers.emplace_back(names.front(), inputOf(names[1]));
  }
}

/// "return %y, %mean : !y, !mean".
std::string BodyWords::returnText() const {
  std::string values, types;
  for (const std::string &name : outputs) {
    values += (values.empty() ? "%" : ", %") + name;
    types += (types.empty() ? "!" : ", !") + name;
  }
  return "return " + values + " : " + types;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string wordsOfType(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor)
    return "'" + textOf(type) + "'";
  std::string shape;
  for (int64_t size : tensor.getShape())
    shape += (shape.empty() ? "" : ", ") + (mlir::ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  return textOf(tensor.getElementType()) + " of shape [" + shape + "]" + (te::isOfEach(type) ? kOfEach.str() : "");
}

std::string BodyWords::messageOf(const mlir::Diagnostic &diagnostic) const {
  std::string message;
  llvm::raw_string_ostream os(message);
  for (const mlir::DiagnosticArgument &argument : diagnostic.getArguments())
    if (argument.getKind() == mlir::DiagnosticArgument::DiagnosticArgumentKind::Type)
      os << wordsOfType(argument.getAsType());
    else
      argument.print(os);
  return message;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Results of a function, reported as bind_c11.
bool BodyWords::explainResults(Diagnostic &record) const {
  StringRef message = record.message;
  auto asRule = [&](std::string text) {
    record.rule = "bind_c11";
    record.code = Code::E0310;
    record.message = std::move(text);
    record.fix = "the contract's outputs in their order: '" + returnText() + "'";
    return true;
  };
  auto count = [](StringRef text) { return text.take_while(llvm::isDigit).str(); };
  if (message.starts_with("has ") && message.contains("but enclosing function")) {
    size_t returns = message.rfind("returns ");
    std::string expected = count(message.drop_front(returns + 8));
    return asRule("expects " + expected + (expected == "1" ? " value" : " values") +
                  " after 'return', as many as the function has results, found " + count(message.drop_front(4)));
  }
  if (message.starts_with("type of return operand ")) {
    StringRef rest = message.drop_front(23);
    size_t first = rest.find('('), end = rest.find(") doesn't match");
    size_t second = rest.find("result type (");
    size_t last = rest.rfind(") in function");
    return asRule("expects result " + count(rest) + " to be " + rest.slice(second + 13, last).str() + ", found " +
                  rest.slice(first + 1, end).str());
  }
  if (message.contains("must be the last operation in the parent block")) {
    record.message = "expects nothing after 'return' but '}'";
    record.fix = "write operations before 'return'";
    return true;
  }
  if (message.contains("block with no terminator")) {
    record.message = "the body ends without 'return'";
    record.fix = "end it with the outputs and their types: '" + returnText() + "'";
    return true;
  }
  return false;
}

bool BodyWords::explainFunction(Diagnostic &record) const {
  StringRef message = record.message;
  auto say = [&](std::string text, std::string fix) {
    record.message = std::move(text);
    record.fix = std::move(fix);
    return true;
  };
  if (message.contains("'@'-identifier for symbol name"))
    return say("expects the function's name, which begins with '@'", "'func.func " + signature + " {'");
  if (message.contains("redefinition of symbol named"))
    return say("expects functions of different names, found '@" + printable(quoted(message)) + "' again",
               "one function serves all type rows; '@NAME_ROW' serves one");
  if (message.contains("must have the SymbolTable trait"))
    return say("expects no function inside of a function", "write its operations where they are used");
  if (message.contains("symbol declaration cannot have public visibility")) {
    record.rule = "bind_c9";
    record.code = Code::E0310;
    return say("expects a function with its text in braces, found none",
               "'{', operations, '" + returnText() + "', '}'");
  }
  if (message.ends_with("expected ':'") && StringRef(body.lineOf(record.location)).ltrim().starts_with("func.func"))
    return say("expects ':' and a type after each parameter", "'func.func " + signature + " {'");
  if (message.ends_with("expected ':'"))
    return say("expects ':' and types here", "types come after a colon, as in '" + returnText() + "'");
  if (message == "expected ','" && !body.operationOf(record.location).empty())
    return say("'" + body.operationOf(record.location) + "' expects ',' and another operand here",
               kOperations.str() + " shows how each operation is written");
  if (message.contains("in file metadata dictionary") || message.contains("expected '#-}'"))
    return say("expects nothing after the functions of a body", "leave '{-#' and what follows out");
  return false;
}

/// The keywords of an enum, from a message of its parser.
static std::vector<std::string> choices(StringRef message) {
  std::vector<std::string> words;
  size_t open = message.find("one of ["), close = message.find(']', open);
  if (open != StringRef::npos && close != StringRef::npos) {
    llvm::SmallVector<StringRef> parts;
    message.slice(open + 8, close).split(parts, ", ");
    for (StringRef part : parts)
      words.push_back(part.str());
    return words;
  }
  if (message.contains("for a comparison"))
    for (uint32_t value = 0; value <= te::getMaxEnumValForPredicate(); ++value)
      words.push_back(te::stringifyPredicate(*te::symbolizePredicate(value)).str());
  if (message.contains("for how the quotient of mod is rounded"))
    for (uint32_t value = 0; value <= te::getMaxEnumValForModForm(); ++value)
      words.push_back(te::stringifyModForm(*te::symbolizeModForm(value)).str());
  if (message.contains("for the formula of gelu"))
    for (uint32_t value = 0; value <= te::getMaxEnumValForGeluForm(); ++value)
      words.push_back(te::stringifyGeluForm(*te::symbolizeGeluForm(value)).str());
  return words;
}

/// Keywords of an operation, between its operands.
bool BodyWords::explainOperation(Diagnostic &record) const {
  StringRef message = record.message;
  std::string operation = body.operationOf(record.location);
  if (std::vector<std::string> words = choices(message); !words.empty()) {
    // The parser may already be at the start of the next line.
    size_t got = message.rfind("got: ");
    std::string found = got == StringRef::npos ? body.wordAt(record.location) : message.substr(got + 5).str();
    std::string name = quoted(message);
    record.message =
        "'" + name + "' expects one of " + llvm::join(words, ", ") + " here, found '" + printable(found) + "'";
    record.fix = llvm::StringSwitch<std::string>(found)
                     .Cases({"==", "equal"}, "eq")
                     .Case("sum", "add")
                     .Cases({"product", "prod"}, "mul")
                     .Case("max", "maximum")
                     .Case("min", "minimum")
                     .Cases({"!=", "not_equal"}, "ne")
                     .Cases({"<", "less"}, "lt")
                     .Cases({"<=", "less_equal"}, "le")
                     .Cases({">", "greater"}, "gt")
                     .Cases({">=", "greater_equal"}, "ge")
                     .Cases({"exact", "none"}, "erf")
                     .Cases({"down"}, "floor")
                     .Cases({"up"}, "ceil")
                     .Cases({"zero", "truncate"}, "trunc")
                     .Default({});
    if (found == "<" && StringRef(body.lineOf(record.location)).contains("<="))
      record.fix = "le";
    if (found == ">" && StringRef(body.lineOf(record.location)).contains(">="))
      record.fix = "ge";
    if (record.fix.empty() || !llvm::is_contained(words, record.fix))
      record.fix = nearestName(found, words);
    record.fix = record.fix.empty() ? kOperations.str() + " shows how each operation is written"
                                    : "did you mean '" + record.fix + "'?";
    return true;
  }
  if (message.starts_with("'te.") && message.contains(" expected '")) {
    std::string name = quoted(message), word = quoted(message, message.find(" expected '"));
    record.message =
        "'" + name + "' expects '" + word + "' here, found '" + printable(body.wordAt(record.location)) + "'";
    record.fix = word == "axes"                      ? "as in '%y = " + name + " %x axes [-1] keep'"
                 : word == "to" && name == "te.iota" ? std::string("as in '%row = te.iota along N to !y'")
                 : name == "te.scan"                 ? std::string("as in '%y = te.scan sum %x along N'")
                 : name == "te.sort"                 ? std::string("as in '%y = te.sort %x along N to K'")
                 : name == "te.scatter" ? std::string("as in '%y = te.scatter add %u into %x by %p along V'")
                 : word == "to"         ? "as in '%y = " + name + " %x to !y'"
                                        : kOperations.str() + " shows how each operation is written";
    return true;
  }
  return false;
}

bool BodyWords::explainText(Diagnostic &record) const {
  StringRef message = record.message;
  std::string found = body.wordAt(record.location), line = body.lineOf(record.location);
  if (message.contains("unexpected character")) {
    if (!found.empty() && static_cast<unsigned char>(found.front()) < 0x80)
      found.resize(1);
    record.message = "expects no '" + printable(found) + "' here";
    bool isAscii = found.size() == 1;
    record.fix = found == ";"   ? "a line ends without it"
                 : found == "$" ? "values begin with '%'"
                 : isAscii      ? "comments begin with '//', values with '%', types with '!'"
                                : "outside of comments a body is ASCII";
    return true;
  }
  if (message.contains("invalid attribute name")) {
    record.message = "expects a name after '#'";
    record.fix = "comments begin with '//'; '#NAME' is an attribute that is bound when compiling";
    return true;
  }
  if (message.contains("string literal")) {
    record.message = "expects a text in quotes to end in its line";
    record.fix = "a body has no texts: leave it out";
    return true;
  }
  if (!message.contains("expected operation name in quotes"))
    return false;
  record.message = "expects an operation here" + (found.empty() ? std::string() : ", found '" + printable(found) + "'");
  std::string operation = body.operationOf(record.location);
  if (found == "," && !operation.empty())
    record.fix = "'" + operation + "' takes no more operands; a number has a point, not a comma";
  else if (found == ":" && StringRef(line).contains("func.func"))
    record.fix = "the results come after '->', as in '-> !y {'";
  else if (found == ":")
    record.fix = "types of te are inferred: nothing follows the operands";
  else if (found == "/")
    record.fix = "comments begin with '//'";
  else if (found == "=")
    record.fix = "an alias is defined in the first line, a value begins with '%'";
  else if (!found.empty() && (found.front() == '!' || found.front() == '#'))
    record.fix = "the author's own aliases come before the function";
  else if (found == "}" || found.empty())
    record.fix = "one '}' ends the function";
  else if (!found.empty() && found.front() == '%')
    record.fix = "one operation to a line, as '%y = te.neg %x': te has no signs for arithmetic";
  else
    record.fix = "one to a line, as '%y = te.neg %x'; 'return %y : !y' and '}' end a body";
  return true;
}

/// The words that may follow the operands of an operation, in their order.
static std::vector<std::string> wordsOf(StringRef operation) {
  if (operation == "te.scan")
    return {"along", "exclusive", "reverse"};
  if (operation == "te.sort")
    return {"along", "to", "descending", "places"};
  if (operation == "te.cast")
    return {"to", "round", "saturate"};
  return {"axes", "keep"};
}

/// A word that the parser takes for an operation of func because it has no dialect prefix.
void BodyWords::explainWord(Diagnostic &record, StringRef word, StringRef nearest) const {
  std::string line = body.lineOf(record.location);
  StringRef before = StringRef(line).take_front(record.location.column - 1);
  if (!before.empty() && (llvm::isDigit(before.back()) || before.back() == '.')) {
    record.code = Code::E0300;
    record.message = "expects a number without letters after it, found '" + printable(word.str()) + "'";
    record.fix = "leave them out; ': f32' after a number gives it a type";
    return;
  }
  std::string operation = body.operationOf(record.location);
  StringRef start = before.rtrim();
  if (!start.empty() && !start.ends_with("=") && !operation.empty()) {
    record.code = Code::E0300;
    record.message = "'" + operation + "' has no word '" + printable(word.str()) + "'";
    record.fix.clear();
    const std::vector<std::string> words = wordsOf(operation);
    if (llvm::is_contained(words, word)) {
      record.message = "'" + operation + "' takes no '" + word.str() + "' here";
      record.fix = "each of these words comes once, in this order: " + llvm::join(words, ", ");
      return;
    }
    for (const std::string &known : words)
      if (word.starts_with(known))
        record.fix = "did you mean '" + known + "'?";
    if (record.fix.empty())
      record.fix = meant(word.str(), words);
    if (record.fix.empty())
      record.fix = kOperations.str() + " shows how each operation is written";
    return;
  }
  if (llvm::is_contained({"def", "func", "function", "fn", "fun", "void"}, word))
    record.fix = "a body is 'func.func " + signature + " {', operations, '" + returnText() + "', '}'";
  else if (!nearest.empty())
    record.fix = "operations begin with their dialect: did you mean '" + nearest.str() + "'?";
}

void BodyWords::explainUnknown(Diagnostic &record, StringRef name, StringRef nearest) const {
  if (!name.contains('.'))
    return explainWord(record, name, nearest);
  std::string scope = outOfScope(name.substr(name.find('.') + 1).str());
  if (!scope.empty())
    record.fix = "docs/reference/scope.md has, under '" + scope + "', what comes nearest to it";
  else if (nearest.empty())
    record.fix = kOperations.str() + " lists the operations of te";
  else
    record.fix = "did you mean '" + nearest.str() + "'?";
}

/// The fix for an error, if the rule alone determines it.
std::string BodyWords::fixOfRule(const Diagnostic &record) const {
  StringRef rule = record.rule, message = record.message;
  if (rule == "value_c1" || rule == "bind_c3" || rule == "bind_c4" || rule == "bind_c5")
    return "'func.func " + signature + " {'";
  if (rule == "value_c2")
    return "'te.cast' changes the type of elements; a number with a point is a float";
  if (rule == "fold_c1")
    return "'te.fold' is for an input with 'count' in the contract; 'te.reduce_sum' and others go along dimensions";
  if (rule == "fold_c2")
    return "'%all = te.fold add %x' makes one of them";
  if (rule == "gather_c1")
    return "te.gather takes what it gathers from first, then an input of int32 or int64";
  if (rule == "iota_c1")
    return "name a result as the header does, '!y', or a value: 'te.iota along N to !y'";
  if (rule == "scan_c1")
    return "'te.broadcast %x to !y' gives a number the shape of a result";
  if (rule == "value_c3" || rule == "broadcast_c1")
    return "sizes that are not equal have to be 1; 'te.broadcast' stretches its first operand to "
           "the "
           "shape of the second";
  if (rule == "value_c4" && message.contains("for truth values"))
    return "'te.compare' makes truth values: '%c = te.compare lt %x, %y'";
  if (rule == "value_c4")
    return message.contains("truth values")
               ? "'te.cast %c to f32' makes 1 and 0 of truth values, 'te.select' chooses by them"
               : "'te.cast' to a float type first";
  if (rule == "select_c1")
    return "'te.compare' makes truth values: '%c = te.compare lt %x, %y'";
  if (rule == "cast_c1")
    return kNumberTypes.str();
  if (rule == "cast_c2")
    return "leave 'round' out";
  if (rule == "cast_c3")
    return "leave 'unsigned' out: a type says it, as ui8";
  if (rule == "constant_c1")
    return "a number of that type, or another type after ':'";
  if (rule == "bind_c11")
    return "the contract's outputs in their order: 'func.func " + signature + " {', '" + returnText() + "'";
  if (rule == "bind_c9" && message.contains("named '"))
    return "'func.func " + signature + " {'";
  if (rule == "bind_c9")
    return "one function for all type rows, and nothing else: 'func.func " + signature + " {'";
  if (rule == "bind_c14")
    return "fewer operations: each is compiled for every type row and shape";
  if (rule == "body_c1" || rule == "body_c2")
    return "leave the attribute out: the compiler sets those of te";
  return {};
}

/// An operation needs a tensor, but a number replaces the input: explains this with the contract.
void BodyWords::explainAbsent(Diagnostic &record) const {
  StringRef message = record.message;
  const bool hasNoNames = message.contains("where no contract names the dimensions");
  if (!hasNoNames && !message.contains("found the scalar") && !message.contains("expects a tensor") &&
      !message.contains("expects tensors") && !message.contains("expects an input") &&
      !message.contains("expects a value that is"))
    return;
  // From the last one on: the first may be the result.
  const std::vector<std::string> names = BodyLines::valuesIn(body.lineOf(record.location));
  for (const std::string &name : llvm::reverse(names))
    for (const auto &[number, input] : numbers) {
      if (number != name)
        continue;
      const auto presence = llvm::find_if(presences, [&, &input = input](auto &one) { return one.first == input; });
      if (hasNoNames)
        record.message = "'" + printable(body.operationOf(record.location)) + "' op expects a tensor to reduce";
      record.message += "; where '" + presence->second + "' is false, a number replaces '" + input + "', and '" + name +
                        "' has no dimensions";
      record.fix = "give it those of another value: 'te.broadcast " + name + " to %x', or '!y' of a result";
      return;
    }
}

void BodyWords::explain(Diagnostic &record) const {
  // Messages of the parser start with an operation, and those of verifiers with the function.
  for (StringRef prefix : {"custom op ", "'func.func' op ", "'func.return' op ", "'builtin.module' op "})
    if (StringRef(record.message).starts_with(prefix))
      record.message.erase(0, prefix.size());
  if (record.rule.empty() && StringRef(record.message).contains("expected"))
    body.moveToWord(record.location, StringRef(record.message).contains("expected operation name in quotes"));
  (void)(explainValue(record) || explainType(record) || explainNumber(record) || explainResults(record) ||
         explainOperation(record) || explainFunction(record) || explainText(record));
  explainAbsent(record);
  if (record.fix.empty())
    record.fix = fixOfRule(record);
}

//===----------------------------------------------------------------------===//
// Names of other frameworks
//===----------------------------------------------------------------------===//

std::string outOfScope(std::string_view operation) {
  std::string name = StringRef(operation).lower();
  name.erase(std::remove(name.begin(), name.end(), '_'), name.end());
  return llvm::StringSwitch<std::string>(name)
      .Cases({"dot", "gemm", "bmm", "einsum", "linear", "attention", "inner"}, "matrix products")
      .Cases({"conv", "conv1d", "conv2d", "conv3d", "convolution", "maxpool", "avgpool", "pool"}, "windows")
      .Cases({"transpose", "permute", "reshape", "view", "flatten", "squeeze", "unsqueeze"}, "layout")
      .Cases({"cat", "split", "chunk", "pad", "tile", "repeat", "roll"}, "layout")
      .Cases({"gather", "scatter", "embedding", "index", "take", "onehot", "nonzero"}, "index")
      .Cases({"topk", "argmax", "argmin", "sort", "argsort", "unique"}, "order")
      .Cases({"cumsum", "cumprod", "scan", "cummax", "lstm", "gru", "loop", "while", "if", "for"}, "scan")
      .Cases({"dropout", "random", "rand", "randn", "normal", "uniform", "bernoulli"}, "random numbers")
      .Cases({"tan", "log2", "log10", "exp2", "sinh", "cosh", "asin", "acos", "atan", "atan2", "cbrt"}, "functions")
      .Cases({"bitwiseand", "bitwiseor", "bitwisexor", "bitwisenot", "shl", "shr", "popcount"}, "bits")
      .Cases({"softmax", "logsoftmax", "layernorm", "batchnorm", "rmsnorm", "groupnorm"}, "compositions")
      .Cases({"instancenorm", "crossentropy", "mse", "silu", "elu", "hardswish", "mish", "clamp", "clip"},
             "compositions")
      .Cases({"square", "softsign", "variance", "var", "std", "norm", "prod"}, "compositions")
      .Default({});
}

} // namespace opc
