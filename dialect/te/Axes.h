// Axes of a body's reductions: from the contract's dimensions to the tensor's.
//
// A contract declares [B, N, M]; the body is compiled for tensors of two dimensions, tensor<?x?xf16>, whose first
// dimension is B and N together. The text names an axis of the contract, by number or by name; the IR holds an axis
// of the tensor.
//
//   contract [B, N, M]    text axes [2], [-1] or [M]    IR axes [1]
//                         text axes [1] or [N]          refused: no kernel reduces N alone
//   contract [...S, N]    text axes [1]                 refused: it may be any of them
//   contract [N, C, ...S] text axes [C, S]              IR axes of all loops that C and S are
//
// The parser of a body sets an AxisFrame first (AxisScope). Without a frame, as in a module that the compiler
// printed, axes are those of the tensors.

#ifndef OPC_DIALECT_TE_AXES_H
#define OPC_DIALECT_TE_AXES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

#include <string>
#include <vector>

namespace opc::te {

/// The dimensions of a contract that the tensor dimensions of one instance of a body represent.
struct AxisFrame {
  enum Reduces {
    Nothing, ///< no dimension has a name: [...S]
    Last,    ///< tensors are (front, last): [...S, N]
    Given,   ///< the axes of `#axes`, which are axes of the tensors
    Domain,  ///< the dimensions of `domain` that are marked, all of them in each reduction of a result
    Product, ///< the dimensions of `domain` that are marked, in the one matrix product of the body; `rows` in
             ///< reductions of its results
  } reduces = Nothing;
  /// A dimension of a domain (ops/contract/domain/Domain.h).
  struct Dim {
    std::string name; ///< "N", "...S", "8"
    bool reduced = false;
  };
  std::vector<Dim> domain;
  bool hasProducts = false; ///< of Domain: some dimensions are factors of a contract's dimension, so axes cannot
                            ///< be numbers
  llvm::SmallVector<int64_t> reducedLoops; ///< of Domain: dimensions of tensors that have all loops
  unsigned loops = 0;                      ///< of Domain: dimensions of such tensors
  /// Of Domain: such tensors have each dimension, and reductions may be over different sets of the marked ones.
  bool isOfDims = false;
  /// Of Domain: such tensors have one dimension for all that are kept, one for all that are reduced, and one of size 1
  /// for each reduced dimension, which tells in the axes of a reduction which ones it is over.
  bool isOfRanges = false;
  /// Of Product: an operand of the matrix product.
  struct Operand {
    unsigned argument = 0; ///< of the body's function
    int64_t axis = 0;      ///< the axis of its tensor over which products are summed
    std::string name;      ///< of the input
  };
  Operand left, right;
  std::vector<std::string> rows;  ///< of Product: the dimensions of a row of its results; empty: none is reduced
  std::vector<std::string> front; ///< "B", "...S", "8"; of Last: all before the last
  std::string last;               ///< of Last: "N"
  std::string shape;              ///< of the inputs, for messages: "[...S]"
};

/// Sets the frame of a context while a body is parsed; the destructor removes it. `frame` must outlive the scope.
class AxisScope {
public:
  AxisScope(mlir::MLIRContext &context, const AxisFrame &frame);
  ~AxisScope();
  AxisScope(const AxisScope &) = delete;
  AxisScope &operator=(const AxisScope &) = delete;

private:
  mlir::MLIRContext &context;
};

/// Parses axes of a value of type `operand`: `[0, -1]`, `[N]`, one whole number, or an attribute that holds numbers.
/// Checks axes_c2 and axes_c3.
mlir::ParseResult parseAxes(mlir::OpAsmParser &parser, mlir::Type operand, mlir::DenseI64ArrayAttr &axes);
void printAxes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type operand, mlir::DenseI64ArrayAttr axes);

/// Parses `%a, %b axes [K]`, the operands of a matrix product and the dimensions over which it sums. In a body the
/// operands may be in any order; `axes` are the axes of the left and of the right one. Checks matmul_c2.
mlir::ParseResult parseProduct(mlir::OpAsmParser &parser, mlir::OpAsmParser::UnresolvedOperand &lhs,
                               mlir::Type &lhsType, mlir::OpAsmParser::UnresolvedOperand &rhs, mlir::Type &rhsType,
                               mlir::DenseI64ArrayAttr &axes);
void printProduct(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value lhs, mlir::Type lhsType,
                  mlir::Value rhs, mlir::Type rhsType, mlir::DenseI64ArrayAttr axes);

} // namespace opc::te

#endif // OPC_DIALECT_TE_AXES_H
