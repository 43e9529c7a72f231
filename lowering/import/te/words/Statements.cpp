#include "lowering/import/te/words/Statements.h"

#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/import/te/words/BodyWords.h"
#include "ops/contract/read/UnusedStatements.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace opc {

/// The operation of a statement: the word after its results, or at the start of a text without any.
static StringRef operationOf(StringRef statement) {
  StringRef operation = (statement.contains('=') ? statement.split('=').second : statement).ltrim();
  return operation.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
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
