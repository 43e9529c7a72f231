// Builds a class for a kernel. Methods and control flow are in KernelClass.cpp, scalar ops in Scalars.cpp, tiles and
// calls in Calls.cpp.

#ifndef OPC_LOWERING_EMIT_ASCENDC_KERNELCLASS_H
#define OPC_LOWERING_EMIT_ASCENDC_KERNELCLASS_H

#include "lowering/emit/ascendc/Helpers.h"
#include "lowering/emit/ascendc/PipeSplit.h"
#include "lowering/emit/ascendc/TilePlaces.h"
#include "lowering/emit/cpp/Markers.h"
#include "lowering/emit/cpp/Names.h"
#include "lowering/emit/kernel/KernelInterface.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "llvm/ADT/DenseMap.h"

namespace opc {

class KernelClassBuilder {
public:
  /// `tilingType` is the struct of the tiling data; `helpers` records the helpers that the class calls.
  KernelClassBuilder(mlir::OpBuilder &builder, mlir::func::FuncOp kernel, const KernelInterface &interface,
                     llvm::StringRef tilingType, HelperSet &helpers)
      : b(builder), kernel(kernel), interface(interface), tilingType(tilingType), helpers(helpers) {}

  /// Appends the class at the insertion point.
  mlir::LogicalResult build(llvm::StringRef className);

private:
  // KernelClass.cpp
  mlir::LogicalResult checkScalars();
  void findInitOps();
  void declareFields();
  mlir::LogicalResult buildInit();
  mlir::LogicalResult buildProcess();
  mlir::LogicalResult buildStage(unsigned index);
  mlir::emitc::FuncOp openMethod(llvm::StringRef name, llvm::ArrayRef<mlir::Type> parameters);
  void closeMethod();
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation *op);
  mlir::LogicalResult emitFor(mlir::scf::ForOp loop);
  mlir::LogicalResult emitIf(mlir::scf::IfOp branch);
  mlir::LogicalResult emitStageCalls();
  mlir::Value declareVariable(mlir::Value carried);
  void assign(mlir::ValueRange from, llvm::ArrayRef<mlir::Value> variables);

  // Scalars.cpp
  mlir::LogicalResult emitScalar(mlir::Operation *op);
  mlir::FailureOr<mlir::Value> scalarResult(mlir::Operation *op);
  mlir::Value binaryResult(mlir::Location loc, mlir::Type type, ScalarOp instruction,
                           llvm::ArrayRef<mlir::Value> operands);
  mlir::Value launchValue(unsigned field, mlir::Type type);
  /// The printed value of a kernel's value in the current method.
  mlir::Value use(mlir::Value value);
  mlir::Value literal(mlir::Type type, const llvm::Twine &text);
  mlir::Value constantLiteral(mlir::TypedAttr constant);
  mlir::Value call(mlir::Location loc, mlir::Type type, llvm::StringRef callee, mlir::ValueRange operands,
                   mlir::ArrayAttr order = {}, mlir::ArrayAttr templates = {});
  mlir::Type cppType(mlir::Type type);
  std::string wantedName(mlir::Value value);
  void define(mlir::Value value, mlir::Value printed);

  // Calls.cpp
  mlir::LogicalResult emitPipeOp(aicore::PipeOpInterface op);
  mlir::LogicalResult emitCopy(mlir::Operation *op, mlir::Value from, mlir::Value to);
  mlir::LogicalResult emitVector(aicore::VectorOpInterface op);
  mlir::LogicalResult emitMerge(aicore::VectorOpInterface op);
  /// The tiles of an intrinsic as LocalTensors: destination, then sources.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> tilesOf(aicore::VectorOpInterface op);
  void emitCall(mlir::Operation *op, llvm::StringRef callee, mlir::ValueRange operands, mlir::ArrayAttr order = {},
                mlir::ArrayAttr templates = {});
  mlir::LogicalResult emitScalarRead(aicore::ScalarReadOp op);
  mlir::LogicalResult emitScalarWrite(aicore::ScalarWriteOp op);
  void emitFlag(mlir::Operation *op, llvm::StringRef call, aicore::Pipe from, aicore::Pipe to, mlir::Value id);
  // CubeCalls.cpp
  mlir::LogicalResult emitCube(mlir::Operation *op);
  mlir::LogicalResult emitLoadNz(aicore::LoadNzOp load);
  mlir::LogicalResult emitLoadFractals(aicore::LoadFractalsOp load);
  mlir::LogicalResult emitLoadIm2col(aicore::LoadIm2colOp load);
  mlir::LogicalResult emitFixpipe(aicore::FixpipeOp fixpipe);
  mlir::Value sizeOf(mlir::Value size);
  mlir::Value unitsOf(mlir::Value size, int64_t unit);
  /// The LocalTensor of a tile, declared once in a method where it is visible.
  mlir::FailureOr<mlir::Value> tileOf(mlir::Operation *user, mlir::Value memref);
  mlir::Value valueOf(const Polynomial &polynomial);
  /// The text of an offset with a placeholder for each value, for verbatim(). The values are appended to `operands`.
  std::string textOf(const Polynomial &polynomial, llvm::SmallVectorImpl<mlir::Value> &operands);
  void verbatim(mlir::Location loc, const llvm::Twine &text, mlir::ValueRange operands = {});

  mlir::OpBuilder &b;
  mlir::func::FuncOp kernel;
  const KernelInterface &interface;
  llvm::StringRef tilingType;
  HelperSet &helpers;

  llvm::SmallVector<mlir::Operation *> initOps;
  llvm::DenseMap<mlir::Value, std::string> fields; ///< values of Init that other methods use
  NameScope classNames, methodNames;
  mlir::scf::ForOp tileLoop; ///< the loop that is split into methods; null if there is none
  Stage stages[std::size(kStages)];
  llvm::DenseMap<mlir::Value, mlir::Value> values; ///< of the current method
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> tiles;
  bool inInit = false;
};

} // namespace opc

#endif // OPC_LOWERING_EMIT_ASCENDC_KERNELCLASS_H
