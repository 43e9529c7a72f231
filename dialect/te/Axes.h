// What the axes of a body's reductions mean.
//
// A contract says [B, N, M]; the body is compiled for tensors of two dimensions, tensor<?x?xf16>, of which the first
// stands for B and N together. An axis in the text is one of the contract's, by number or by name; in the IR it is
// one of the tensor's.
//
//   contract [B, N, M]    text axes [2], [-1] or [M]    IR axes [1]
//                         text axes [1] or [N]          refused: no kernel reduces N alone
//   contract [...S, N]    text axes [1]                 refused: it may be any of them
//
// Whoever parses a body sets a frame for it; without one, as in a module that a compiler printed, axes are
// those of the tensors.

#ifndef OPC_DIALECT_TE_AXES_H
#define OPC_DIALECT_TE_AXES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

#include <string>
#include <vector>

namespace opc::te {

/// The dimensions of a contract that the tensors of one instance of a body stand for.
struct AxisFrame {
  enum Reduces {
    Nothing, ///< no dimension of its own: [...S]
    Last,    ///< tensors are (front, last): [...S, N]
    Given,   ///< those of `#axes`, which are the tensors' own
  } reduces = Nothing;
  std::vector<std::string> front; ///< "B", "...S", "8"; of Last: all in front of the last
  std::string last;               ///< of Last: "N"
  std::string shape;              ///< of the inputs, for messages: "[...S]"
};

/// Lives while a body is parsed in a context.
class AxisScope {
public:
  AxisScope(mlir::MLIRContext &context, const AxisFrame &frame);
  ~AxisScope();
  AxisScope(const AxisScope &) = delete;
  AxisScope &operator=(const AxisScope &) = delete;

private:
  mlir::MLIRContext &context;
};

/// `[0, -1]`, `[N]`, one whole number, or an attribute that holds numbers, as axes of a value of type `operand`.
/// Rules axes_c2 and axes_c3.
mlir::ParseResult parseAxes(mlir::OpAsmParser &parser, mlir::Type operand, mlir::DenseI64ArrayAttr &axes);
void printAxes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type operand, mlir::DenseI64ArrayAttr axes);

} // namespace opc::te

#endif // OPC_DIALECT_TE_AXES_H
