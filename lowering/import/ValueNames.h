// The names of a body's values. MLIR forgets what a text calls its values; the emitted kernel is read by people who
// know the body, so each value's name is kept in its location.

#ifndef OPC_LOWERING_IMPORT_VALUENAMES_H
#define OPC_LOWERING_IMPORT_VALUENAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace opc {

/// Parses a module; a value `%count` gets the location NameLoc("count", its place). Numbered values and ops of
/// several results stay as they are. Null after an error, which went to the context's handler.
mlir::OwningOpRef<mlir::ModuleOp> parseWithNames(mlir::MLIRContext &context, const llvm::SourceMgr &sources);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_VALUENAMES_H
