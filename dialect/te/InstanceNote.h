// Which instance of a body an error is about. Type rows and shape keys share the lines of one text: a stage that works
// on a copy of its module, in which nobody can look afterwards, says the instance at work as a note on every error.

#ifndef OPC_DIALECT_TE_INSTANCENOTE_H
#define OPC_DIALECT_TE_INSTANCENOTE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

namespace opc::te {

/// Lives on the stack while an instance is worked on; errors pass it on their way to the handler of
/// whoever runs the stage.
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
