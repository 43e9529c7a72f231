#include "lowering/import/te/words/Statements.h"

#include "dialect/te/TeOps.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/import/te/words/BodyLines.h"
#include "lowering/import/te/words/BodyWords.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/read/UnusedStatements.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace opc {

/// The operation of a statement: the word after its results, or at the start of a text without any.
static StringRef operationOf(StringRef statement) {
  StringRef operation = (statement.contains('=') ? statement.split('=').second : statement).ltrim();
  return operation.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

/// The rule that an operation has for the dimensions that it names; empty for operations that name none.
static StringRef ruleOfDimensions(StringRef operation) {
  if (operation.starts_with("te.reduce_") || operation.starts_with("te.arg_"))
    return "axes_c3";
  return llvm::StringSwitch<StringRef>(operation)
      .Case("te.scan", "scan_c2")
      .Case("te.sort", "sort_c2")
      .Case("te.iota", "iota_c2")
      .Case("te.gather", "gather_c2")
      .Case("te.scatter", "scatter_c2")
      .Case("te.slice", "slice_c1")
      .Case("te.stack", "stack_c2")
      .Case("te.concat", "concat_c2")
      .Default("");
}

/// The names in the shapes of a contract, of terms and factors too.
static std::vector<std::string> dimensionsOf(const Contract &contract) {
  std::vector<std::string> names;
  auto add = [&](const std::string &name) {
    if (!name.empty() && !llvm::is_contained(names, name))
      names.push_back(name);
  };
  for (size_t i = 0; i < contract.inputs.size() + contract.outputs.size(); ++i)
    for (const ContractDim &dim : flatDims(contract.tensorAt(i).shape)) {
      if (dim.kind != ContractDim::Fixed)
        add(dim.name);
      for (const ContractDim &term : dim.terms)
        for (const ContractDim &leaf : leavesOf(term))
          if (leaf.kind != ContractDim::Fixed)
            add(leaf.name);
    }
  for (const ContractDimension &dimension : contract.dimensions)
    add(dimension.name);
  return names;
}

/// The names of dimensions in a statement: those in brackets after `axes`, and those after `along`.
static SmallVector<StringRef> namedIn(StringRef statement) {
  SmallVector<StringRef> names;
  auto isNameLetter = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  auto takeNames = [&](StringRef text, StringRef separators) {
    while (true) {
      text = text.ltrim();
      const StringRef name = text.take_while(isNameLetter);
      if (!name.empty() && !llvm::isDigit(name.front()))
        names.push_back(name);
      text = text.drop_front(name.size()).ltrim();
      if (name.empty() || text.empty() || !separators.contains(text.front()))
        return;
      text = text.drop_front();
    }
  };
  StringRef axes = statement.split(" axes").second.ltrim();
  if (axes.consume_front("["))
    takeNames(axes, ",");
  takeNames(statement.split(" along ").second, ",+*");
  return names;
}

/// The misspelt keyword of an operation that names dimensions; empty if it is there, or if no word is near it.
static StringRef misspelt(StringRef words, StringRef keyword) {
  StringRef nearest;
  while (!words.empty()) {
    words = words.ltrim();
    const StringRef word = words.take_until([](char c) { return llvm::isSpace(c) || c == ','; });
    if (word == keyword)
      return {};
    if (!word.starts_with("%") && nearestName(word.str(), {keyword.str()}) == keyword)
      nearest = word;
    words = words.drop_front(std::max<size_t>(word.size(), 1));
  }
  return nearest;
}

/// The input with a dimension; null if there is none.
static const ContractTensor *inputWith(const Contract &contract, StringRef name) {
  for (const ContractTensor &input : contract.inputs)
    for (const ContractDim &dim : flatDims(input.shape))
      if (dim.kind != ContractDim::Fixed && dim.name == name)
        return &input;
  return nullptr;
}

bool reportUnknownName(const std::string &text, const std::string &path, const Contract &contract, MLIRContext &context,
                       Diagnostics &diagnostics) {
  DiagnosticBridge bridge(context, diagnostics, Code::E0300, Location{path});
  const BodyWords words(text, contract);
  bridge.setWords(&words);
  const BodyLines lines(text);
  const std::vector<std::string> dimensions = dimensionsOf(contract);
  for (auto [index, whole] : llvm::enumerate(lines.all())) {
    const unsigned number = unsigned(index) + 1;
    const StringRef line = whole, statement = line.split("//").first, operation = operationOf(statement);
    if (!RegisteredOperationName::lookup(operation, &context) || !operation.starts_with("te."))
      continue;
    auto at = [&](StringRef word) {
      return FileLineColLoc::get(&context, path, number, unsigned(word.data() - line.data()) + 1);
    };
    const StringRef operands = statement.drop_front(size_t(operation.end() - statement.begin()));
    const StringRef rule = ruleOfDimensions(operation);
    const StringRef keyword = rule == "axes_c3" ? "axes" : "along";
    // As the parser reports both.
    if (const StringRef word = misspelt(operands, keyword); !rule.empty() && !word.empty()) {
      emitError(at(word)) << "'" << operation << "' expected '" << keyword << "'";
      return true;
    }
    const StringRef form = operands.ltrim().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (operation == "te.scan" && !form.empty() && !te::symbolizeScanForm(form)) {
      SmallVector<StringRef> forms;
      for (uint32_t value = 0; value <= te::getMaxEnumValForScanForm(); ++value)
        forms.push_back(te::stringifyScanForm(*te::symbolizeScanForm(value)));
      emitError(at(form)) << "'te.scan' expected one of [" << llvm::join(forms, ", ") << "], got: " << form;
      return true;
    }
    for (const std::string &value : BodyLines::valuesIn(operands)) {
      if (llvm::is_contained(lines.values(number), value))
        continue;
      emitError(at(operands.substr(operands.find(value))))
          << "'" << operation << "' op [value_c5] expects a value that is defined above, found '" << value << "'";
      return true;
    }
    for (StringRef name : rule.empty() ? SmallVector<StringRef>() : namedIn(statement)) {
      if (llvm::is_contained(dimensions, name))
        continue;
      const std::string nearest = nearestName(name.str(), dimensions);
      InFlightDiagnostic error = emitError(at(name));
      error << "'" << operation << "' op [" << rule << "] expects a dimension of the contract, found '" << name << "'";
      error.attachNote() << "fix: "
                         << (nearest.empty() ? "the dimensions are " + llvm::join(dimensions, ", ")
                                             : "did you mean '" + nearest + "'?");
      return true;
    }
    // What another operation makes is not gathered from.
    const std::vector<std::string> values = BodyLines::valuesIn(operands);
    const SmallVector<StringRef> along = namedIn(statement);
    const ContractTensor *input = along.empty() ? nullptr : inputWith(contract, along.front());
    if (operation == "te.gather" && input && !values.empty() &&
        llvm::none_of(contract.inputs, [&](const ContractTensor &each) { return "%" + each.name == values.front(); })) {
      InFlightDiagnostic error = emitError(at(operation));
      error << "'te.gather' op [gather_c2] expects an input that has '" << along.front() << "', as it is, found '"
            << values.front() << "'";
      error.attachNote() << "fix: gather from '%" << input->name << "', and compute with what comes of it";
      return true;
    }
  }
  return false;
}

bool reportUnknownOperation(const std::string &text, const std::string &path, const Contract &contract,
                            MLIRContext &context, Diagnostics &diagnostics) {
  DiagnosticBridge bridge(context, diagnostics, Code::E0300, Location{path});
  const BodyWords words(text, contract);
  bridge.setWords(&words);
  auto [line, rest] = StringRef(text).split('\n');
  for (unsigned number = 1; !line.empty() || !rest.empty(); std::tie(line, rest) = rest.split('\n'), ++number) {
    const StringRef name = operationOf(line.split("//").first);
    if (!name.starts_with("te.") || RegisteredOperationName::lookup(name, &context))
      continue;
    emitError(FileLineColLoc::get(&context, path, number, unsigned(name.data() - line.data()) + 1))
        << "custom op '" << name << "' is unknown";
    return true;
  }
  return false;
}

void takeUnused(std::string &text, const std::string &path, MLIRContext &context, Diagnostics &diagnostics) {
  std::vector<UnusedStatement> unused = unusedStatements(text);
  llvm::erase_if(unused, [&](const UnusedStatement &each) {
    return !RegisteredOperationName::lookup(operationOf(StringRef(text).slice(each.begin, each.end)), &context);
  });
  for (const UnusedStatement &each : unused) {
    const StringRef before = StringRef(text).take_front(each.begin);
    const size_t line = before.rfind('\n') == StringRef::npos ? 0 : before.rfind('\n') + 1;
    diagnostics.warning(Code::E0314, {path, unsigned(before.count('\n')) + 1, unsigned(each.begin - line) + 1},
                        "expects statements that a result needs, found '%" + each.value +
                            "', which none depends on and which is left out",
                        "bind_c22", "return it, use it, or remove it");
  }
  leaveOut(unused, text);
}

} // namespace opc
