// The names of a body's values. MLIR drops the names in a text, but the emitted kernel is read by people who know the
// body. So the name of each value is kept in its location.

#ifndef OPC_LOWERING_IMPORT_VALUENAMES_H
#define OPC_LOWERING_IMPORT_VALUENAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace opc {

/// Parses a module. A value `%count` gets the location NameLoc("count", <its location>). Numbered values and ops with
/// several results are not named. Returns null after an error, which was sent to the context's handler.
mlir::OwningOpRef<mlir::ModuleOp> parseWithNames(mlir::MLIRContext &context, const llvm::SourceMgr &sources);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_VALUENAMES_H
