// Reading text with te ops. The assembly format of te has no operand types, and the interface that MLIR gives to the
// parser of an op cannot look up the type of a name. But MLIR's parser records each value in an AsmParserState, which
// is meant for language servers, as soon as the value is defined. So text with te ops is parsed here, with such a
// state, and the parsers of te ops look up their operands in it. docs/rationale/te.md compares this with other ways.

#ifndef OPC_DIALECT_TE_READER_H
#define OPC_DIALECT_TE_READER_H

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SourceMgr.h"

namespace opc::te {

/// Parses the text of `sources`, as mlir::parseSourceFile does, into a module, which is the one in the text or is put
/// around it. `state` has to be new; it receives where each value is defined. The config's context parses one text at
/// a time. Returns null after an error, which was sent to the context's handler.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(const llvm::SourceMgr &sources, const mlir::ParserConfig &config,
                                              mlir::AsmParserState &state);

/// The same for a text in memory; `name` is the file in its locations.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::StringRef text, mlir::MLIRContext &context,
                                              llvm::StringRef name = "");

/// The values of a text while it is parsed, by name.
class NamedValues {
public:
  explicit NamedValues(const mlir::AsmParserState &state) : state(state) {}

  /// The last value above that is called `name`, "%x"; of a group of results, `%x:2`, the first. Null if there is none.
  /// A name that is known here is found with its value. A name that is not known may be found too: a region of an op
  /// that is still being parsed may be complete, and an op may hide the names around its region.
  mlir::Value find(llvm::StringRef name);

private:
  void readOps();
  void readBlocks();
  size_t readArguments(const mlir::AsmParserState::BlockDefinition &block, size_t begin);
  void add(const mlir::AsmParserState::SMDefinition &source, mlir::Value value);

  const mlir::AsmParserState &state;
  size_t numOps = 0;    ///< ops of the state whose results are in `named`
  size_t numBlocks = 0; ///< blocks of the state whose arguments are in `named`, or that are in `open`
  /// A block whose header may still be read.
  struct OpenBlock {
    const mlir::AsmParserState::BlockDefinition *definition;
    size_t numArguments; ///< of them are in `named`
  };
  llvm::SmallVector<OpenBlock> open;
  llvm::StringMap<llvm::SmallVector<mlir::Value, 1>> named; ///< in the order of the text
};

} // namespace opc::te

#endif // OPC_DIALECT_TE_READER_H
