#include "dialect/te/Reader.h"

#include "dialect/te/TeDialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace opc::te {

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

/// Lets the parsers of te ops find the values of a text, until it is destroyed. Does nothing in a context without te.
class ValueScope {
public:
  ValueScope(MLIRContext &context, const AsmParserState &state)
      : dialect(static_cast<TeDialect *>(context.getOrLoadDialect(TeDialect::getDialectNamespace()))), values(state) {
    if (dialect)
      dialect->namedValues = &values;
  }
  ~ValueScope() {
    if (dialect)
      dialect->namedValues = nullptr;
  }
  ValueScope(const ValueScope &) = delete;
  ValueScope &operator=(const ValueScope &) = delete;

private:
  TeDialect *dialect;
  NamedValues values;
};

} // namespace

OwningOpRef<ModuleOp> parseModule(const llvm::SourceMgr &sources, const ParserConfig &config, AsmParserState &state) {
  MLIRContext &context = *config.getContext();
  Block block;
  {
    const ValueScope scope(context, state);
    if (failed(parseAsmSourceFile(sources, &block, config, &state)))
      return {};
  }
  StringRef file = sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  return mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(&block, &context,
                                                                          FileLineColLoc::get(&context, file, 1, 1));
}

OwningOpRef<ModuleOp> parseModule(StringRef text, MLIRContext &context, StringRef name) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  AsmParserState state;
  return parseModule(sources, ParserConfig(&context), state);
}

//===----------------------------------------------------------------------===//
// Values by name
//===----------------------------------------------------------------------===//

/// Whether the op around a block is still being parsed. Its regions join it when it is complete; only the op around the
/// whole text is there from the beginning, and is in no block.
static bool isOpen(Block *block) {
  Operation *parent = block->getParentOp();
  return !parent || !parent->getBlock();
}

Value NamedValues::find(StringRef name) {
  readOps();
  readBlocks();
  auto found = named.find(name);
  if (found == named.end())
    return {};
  SmallVector<Value, 1> &definitions = found->second;
  while (!definitions.empty() && !isOpen(definitions.back().getParentBlock()))
    definitions.pop_back(); // an op that is complete stays so
  return definitions.empty() ? Value() : definitions.back();
}

void NamedValues::readOps() {
  auto ops = state.getOpDefs();
  size_t end = size_t(std::distance(ops.begin(), ops.end()));
  for (; numOps < end; ++numOps) {
    const AsmParserState::OperationDefinition &definition = *std::next(ops.begin(), ptrdiff_t(numOps));
    for (const auto &group : definition.resultGroups)
      add(group.definition, definition.op->getResult(group.startIndex));
  }
}

/// A block is known to the state from its first mention, in a branch or at its beginning; its arguments follow, one by
/// one. It is complete once it is in its region.
void NamedValues::readBlocks() {
  auto blocks = state.getBlockDefs();
  size_t end = size_t(std::distance(blocks.begin(), blocks.end()));
  for (; numBlocks < end; ++numBlocks)
    open.push_back({&*std::next(blocks.begin(), ptrdiff_t(numBlocks)), 0});
  llvm::erase_if(open, [&](OpenBlock &block) {
    block.numArguments = readArguments(*block.definition, block.numArguments);
    return block.definition->block->getParent() != nullptr;
  });
}

size_t NamedValues::readArguments(const AsmParserState::BlockDefinition &block, size_t begin) {
  for (; begin < block.arguments.size(); ++begin)
    add(block.arguments[begin], block.block->getArgument(unsigned(begin)));
  return begin;
}

void NamedValues::add(const AsmParserState::SMDefinition &source, Value value) {
  const SMRange &range = source.loc;
  if (range.isValid())
    named[StringRef(range.Start.getPointer(), size_t(range.End.getPointer() - range.Start.getPointer()))].push_back(
        value);
}

} // namespace opc::te
