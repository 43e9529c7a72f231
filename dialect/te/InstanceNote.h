// Names the instance of a body that an error is about. All type rows and shape keys share the lines of one text, so a
// location does not identify the instance. A stage that works on a copy of its module, which is gone afterwards,
// therefore attaches the name of the instance to every error as a note.

#ifndef OPC_DIALECT_TE_INSTANCENOTE_H
#define OPC_DIALECT_TE_INSTANCENOTE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

namespace opc::te {

/// Attaches the note while it lives: create it on the stack before work on an instance. It returns failure, so errors
/// go on to the handler that the caller of the stage installed.
class InstanceNote {
public:
  static constexpr llvm::StringLiteral kPrefix = "in the kernel '";

  explicit InstanceNote(mlir::func::FuncOp instance)
      : handler(instance.getContext(), [instance](mlir::Diagnostic &diagnostic) mutable {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            diagnostic.attachNote() << kPrefix << instance.getName() << "'";
          return mlir::failure();
        }) {}

private:
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace opc::te

#endif // OPC_DIALECT_TE_INSTANCENOTE_H
