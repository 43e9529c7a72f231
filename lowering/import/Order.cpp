// MLIR does not keep names. Names of values are in their locations (ValueNames.h); names of aliases are read from the
// text again, starting from the location of the function or of its `return`.

#include "lowering/import/Order.h"

#include "lowering/diagnostic/DiagnosticBridge.h"
#include "ops/contract/Places.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <vector>

using namespace mlir;

namespace opc {

namespace {

/// A name in the text and its place; the name is empty if there is none.
struct Word {
  std::string name;
  Location place;
};

/// Scans a text by words, operators and brackets.
class Scanner {
public:
  Scanner(StringRef text, Location start) : text(text), place(std::move(start)) {
    for (unsigned line = 1; line < place.line && at < text.size(); ++at)
      line += text[at] == '\n';
    at = std::min(at + (place.column ? place.column - 1 : 0), text.size());
  }

  bool atEnd() {
    skipBlanks();
    return at >= text.size();
  }
  char peek() { return atEnd() ? '\0' : text[at]; }
  StringRef rest() { return atEnd() ? StringRef() : text.drop_front(at); }
  Location here() {
    skipBlanks();
    return place;
  }
  void step(size_t count = 1) {
    for (; count > 0 && at < text.size(); --count, ++at) {
      place.column = text[at] == '\n' ? 1 : place.column + 1;
      place.line += text[at] == '\n';
    }
  }
  bool take(StringRef expected) {
    if (!rest().starts_with(expected))
      return false;
    step(expected.size());
    return true;
  }
  StringRef word() {
    StringRef found =
        rest().take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-'; });
    step(found.size());
    return found;
  }
  /// "%up", "!up": the name after the sign; empty if there is something else.
  Word named(char sign) {
    Word found{{}, here()};
    if (peek() == sign) {
      step();
      found.name = word().str();
    }
    return found;
  }
  /// Skips to a ',' or a closing bracket outside of all brackets, or with `ofLine` to the end of the line.
  void skipItem(bool ofLine = false) {
    int depth = 0;
    while (at < text.size()) {
      char c = text[at];
      bool arrow = c == '>' && at > 0 && text[at - 1] == '-';
      if (depth == 0 && (c == ',' || c == ')' || c == '}' || (ofLine && c == '\n')))
        return;
      if (c == '"') {
        skipString();
        continue;
      }
      if (text.substr(at).starts_with("//")) {
        skipBlanks();
        continue;
      }
      depth += c == '(' || c == '<' || c == '[' || c == '{';
      depth -= c == ')' || (c == '>' && !arrow) || c == ']' || c == '}';
      step();
    }
  }

  void skipString() {
    step();
    while (at < text.size() && text[at] != '"' && text[at] != '\n')
      step(text[at] == '\\' ? 2 : 1);
    step();
  }

private:
  void skipBlanks() {
    while (at < text.size()) {
      if (llvm::isSpace(text[at]))
        step();
      else if (text.substr(at).starts_with("//"))
        step(std::min(text.find('\n', at), text.size()) - at);
      else
        return;
    }
  }
  StringRef text;
  size_t at = 0;
  Location place;
};

/// The aliases in a signature.
struct Signature {
  std::vector<Word> arguments, results;
};

} // namespace

static std::vector<Word> aliases(Scanner &scanner, bool named) {
  std::vector<Word> found;
  while (!scanner.atEnd() && scanner.peek() != ')') {
    if (named) {
      scanner.named('%');
      if (!scanner.take(":"))
        return found;
    }
    found.push_back(scanner.named('!'));
    scanner.skipItem();
    if (!scanner.take(","))
      break;
  }
  scanner.take(")");
  return found;
}

static Signature readSignature(func::FuncOp function, StringRef text) {
  Scanner scanner(text, locationOf(function.getLoc()));
  Signature signature;
  scanner.word(); // func.func
  while (!scanner.atEnd() && scanner.peek() != '@')
    scanner.word().empty() ? scanner.step() : void();
  scanner.step();
  if (scanner.peek() == '"')
    scanner.skipString();
  else
    scanner.word();
  if (!scanner.take("("))
    return signature;
  signature.arguments = aliases(scanner, /*named=*/true);
  if (!scanner.take("->"))
    return signature;
  if (scanner.take("("))
    signature.results = aliases(scanner, /*named=*/false);
  else
    signature.results.push_back(scanner.named('!'));
  return signature;
}

/// The aliases after "return %z, %y :".
static std::vector<Word> readReturn(Operation *end, StringRef text) {
  Scanner scanner(text, locationOf(end->getLoc()));
  std::vector<Word> found;
  scanner.word();
  while (!scanner.atEnd() && scanner.peek() != ':' && scanner.peek() != '}')
    scanner.step();
  if (!scanner.take(":"))
    return found;
  do {
    found.push_back(scanner.named('!'));
    scanner.skipItem(/*ofLine=*/true);
  } while (scanner.take(","));
  return found;
}

static Word nameOf(mlir::Location location) {
  auto named = dyn_cast<NameLoc>(location);
  return {named ? named.getName().str() : std::string(), locationOf(location)};
}

/// The index of the first word that has the name of another position; nullopt if there is none.
static std::optional<size_t> misplaced(const std::vector<Word> &words, const std::vector<std::string> &names) {
  for (size_t i = 0; i < words.size() && i < names.size(); ++i)
    for (size_t other = 0; other < names.size(); ++other) {
      bool isOther = other != i && words[i].name == names[other] && names[i] != names[other];
      bool hasOwn = other < words.size() && words[other].name == names[other];
      if (isOther && !hasOwn)
        return i;
    }
  return std::nullopt;
}

static bool hold(const std::vector<Word> &words, char sign, const std::vector<std::string> &names, StringRef what,
                 StringRef order, const std::string &fix, Diagnostics &diagnostics) {
  std::optional<size_t> wrong = misplaced(words, names);
  if (!wrong)
    return true;
  diagnostics.error(Code::E0310, words[*wrong].place,
                    ("expects " + what + "s in the order of the contract, " + order + ": " + what + " " +
                     std::to_string(*wrong) + " is '" + names[*wrong] + "', found '" + std::string(1, sign) +
                     words[*wrong].name + "'")
                        .str(),
                    "bind_c17", fix);
  return false;
}

static std::string joined(const std::vector<std::string> &names, StringRef before, StringRef behind) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + before.str() + name + (behind.empty() ? std::string() : behind.str() + name);
  return text;
}

bool isGeneric(Operation *op, StringRef text) {
  return Scanner(text, locationOf(op->getLoc())).peek() == '"';
}

bool checkOrder(func::FuncOp function, const Contract &contract, BodyLevel level, StringRef text,
                Diagnostics &diagnostics) {
  std::vector<std::string> inputs, outputs, all, parameters;
  for (const ContractTensor &tensor : writtenInputs(contract))
    inputs.push_back(tensor.name);
  for (const ContractTensor &tensor : contract.outputs)
    outputs.push_back(tensor.name);
  parameters = inputs;
  if (level == BodyLevel::AICore)
    parameters.insert(parameters.end(), outputs.begin(), outputs.end());
  for (const ContractAttribute &attribute : contract.attributes)
    if (attribute.binding == Binding::Launch)
      parameters.push_back(attribute.name);

  std::string order = "(" + joined(parameters, "%", "") + ")";
  std::string fix = level == BodyLevel::Te ? "write '@" + function.getName().str() + "(" + joined(inputs, "%", ": !") +
                                                 (parameters.size() > inputs.size() ? ", ..." : "") + ")'"
                                           : "write the arguments as " + order;
  std::vector<Word> values;
  for (BlockArgument argument : function.getArguments())
    values.push_back(nameOf(argument.getLoc()));
  // Another rule reports a wrong number of arguments.
  if (values.size() != parameters.size())
    return true;
  if (!hold(values, '%', parameters, "argument", order, fix, diagnostics))
    return false;
  // A body by hand has memrefs and returns nothing.
  if (level == BodyLevel::AICore)
    return true;
  Signature signature = readSignature(function, text);
  if (!hold(signature.arguments, '!', inputs, "argument", order, fix, diagnostics))
    return false;

  Operation *end = function.front().getTerminator();
  order = "(" + joined(outputs, "", "") + ")";
  fix = "write 'return " + joined(outputs, "%", "") + " : " + joined(outputs, "!", "") + "'";
  std::vector<Word> returned;
  for (Value value : end->getOperands()) {
    returned.push_back(nameOf(value.getLoc()));
    returned.back().place = locationOf(end->getLoc());
  }
  return hold(returned, '%', outputs, "result", order, fix, diagnostics) &&
         hold(signature.results, '!', outputs, "result", order, "write '-> (" + joined(outputs, "!", "") + ")'",
              diagnostics) &&
         hold(readReturn(end, text), '!', outputs, "result", order, fix, diagnostics);
}

} // namespace opc
