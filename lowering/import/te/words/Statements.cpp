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

/// The words behind the name of an operation: what it combines to, keywords, dimensions; no values.
static SmallVector<StringRef> wordsIn(StringRef operands) {
  SmallVector<StringRef> words;
  while (!operands.empty()) {
    const bool isValue = operands.consume_front("%");
    const StringRef word = operands.take_while(BodyLines::isWordLetter);
    if (!isValue && !word.empty())
      words.push_back(word);
    operands = operands.drop_front(isValue ? word.size() : std::max<size_t>(word.size(), 1));
  }
  return words;
}

/// The names of dimensions after the keyword: those in brackets after `axes`, and those after `along`.
static SmallVector<StringRef> namedIn(StringRef operands, StringRef keyword) {
  SmallVector<StringRef> names;
  const SmallVector<StringRef> words = wordsIn(operands);
  const auto *found = llvm::find(words, keyword);
  if (found == words.end())
    return names;
  StringRef text = operands.drop_front(size_t(found->end() - operands.begin())).ltrim();
  const StringRef separators = text.consume_front("[") ? "," : ",+*";
  while (true) {
    text = text.ltrim();
    const StringRef name = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!name.empty() && !llvm::isDigit(name.front()))
      names.push_back(name);
    text = text.drop_front(name.size()).ltrim();
    if (name.empty() || text.empty() || !separators.contains(text.front()))
      return names;
    text = text.drop_front();
  }
}

/// The misspelt keyword of an operation that names dimensions; empty if it is there, or if no word is near it.
static StringRef misspelt(StringRef operands, StringRef keyword) {
  const SmallVector<StringRef> words = wordsIn(operands);
  StringRef nearest;
  for (StringRef word : words)
    if (nearestName(word.str(), {keyword.str()}) == keyword)
      nearest = word;
  return llvm::is_contained(words, keyword) ? StringRef() : nearest;
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
    size_t behind = 0; // the values before
    for (const std::string &value : BodyLines::valuesIn(operands)) {
      const size_t place = operands.find(value, behind);
      behind = place + value.size();
      if (llvm::is_contained(lines.values(number), value))
        continue;
      emitError(at(operands.substr(place)))
          << "'" << operation << "' op [value_c5] expects a value that is defined above, found '" << value << "'";
      return true;
    }
    SmallVector<StringRef> names;
    if (!rule.empty())
      names = namedIn(operands, keyword);
    if (operation == "te.sort" && !names.empty()) {
      if (!llvm::is_contained(wordsIn(operands), "to")) {
        emitError(at(names.front())) << "'te.sort' expected 'to'";
        return true;
      }
      llvm::append_range(names, namedIn(operands, "to"));
      if (names.size() == 2 && names.front() == names.back() && llvm::is_contained(dimensions, names.front())) {
        InFlightDiagnostic error = emitError(at(names.back()));
        error << "'te.sort' op [sort_c2] expects a dimension of results that they have in the place of '"
              << names.front() << "', found '" << names.back() << "'";
        error.attachNote() << "fix: another name, K, whose size is the same: 'equals: " << names.front()
                           << "' below 'dimensions'";
        return true;
      }
    }
    for (StringRef name : names) {
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
