// The parser reports to a language server where each value is defined; the text at that place is the name.

#include "lowering/import/ValueNames.h"

#include "dialect/te/Reader.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace opc {

/// "%count" gives "count"; empty for "%0" and anything that is not a name.
static StringRef nameAt(SMRange range) {
  if (!range.isValid())
    return {};
  StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
  if (!text.consume_front("%") || text.empty() || llvm::isDigit(text.front()))
    return {};
  bool isName = llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return isName ? text : StringRef();
}

static Location named(StringRef name, Location place) {
  return NameLoc::get(StringAttr::get(place.getContext(), name), place);
}

OwningOpRef<ModuleOp> parseWithNames(MLIRContext &context, const llvm::SourceMgr &sources) {
  AsmParserState state;
  OwningOpRef<ModuleOp> module = te::parseModule(sources, ParserConfig(&context), state);
  if (!module)
    return {};
  for (const AsmParserState::OperationDefinition &definition : state.getOpDefs()) {
    if (definition.resultGroups.size() != 1 || definition.op->getNumResults() != 1)
      continue;
    if (StringRef name = nameAt(definition.resultGroups.front().definition.loc); !name.empty())
      definition.op->setLoc(named(name, definition.op->getLoc()));
  }
  for (const AsmParserState::BlockDefinition &definition : state.getBlockDefs())
    for (auto [argument, source] : llvm::zip(definition.block->getArguments(), definition.arguments))
      if (StringRef name = nameAt(source.loc); !name.empty())
        argument.setLoc(named(name, argument.getLoc()));
  return module;
}

} // namespace opc
