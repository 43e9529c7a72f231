// The state of an emission: the registers of values and the locations of memrefs. Control flow and the program as a
// whole are in EmitSimulator.cpp, scalar ops in Scalars.cpp, memrefs in Views.cpp, aicore ops in PipeOps.cpp.

#ifndef OPC_LOWERING_EMIT_SIMULATOR_EMITTER_H
#define OPC_LOWERING_EMIT_SIMULATOR_EMITTER_H

#include "lowering/diagnostic/Origin.h"
#include "lowering/emit/simulator/EmitSimulator.h"
#include "lowering/emit/simulator/ScalarCode.h"

#include "dialect/aicore/AICoreOps.h"
#include "dialect/aicore/index/ViewShape.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace opc {

/// The memory that a memref value denotes. Offset and strides are in bytes; offsets on the chip count in
/// the windows of its memories (Memories.h). A size is nullopt if it is that of a tensor, which a kernel does not know.
struct View : ViewShape<Term, std::optional<Term>> {
  ProgramOperand::Space space = ProgramOperand::None;
  uint16_t owner = 0; ///< buffer or tensor
  ElementType type = ElementType::UInt8;
  Term base; ///< address of the owner, from which `memref.reinterpret_cast` counts

  ViewShape<Term, std::optional<Term>> &shape() { return *this; }
};

class SimulatorEmitter {
public:
  SimulatorEmitter(mlir::func::FuncOp kernel, const KernelInterface &interface, const Target &target)
      : kernel(kernel), interface(interface), target(target) {}

  mlir::FailureOr<SimulatorProgram> emit();

private:
  // EmitSimulator.cpp
  mlir::LogicalResult emitArguments();
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation *op);
  mlir::LogicalResult emitFor(mlir::scf::ForOp loop);
  mlir::LogicalResult emitIf(mlir::scf::IfOp branch);
  mlir::LogicalResult carry(mlir::ValueRange from, llvm::ArrayRef<uint16_t> to);
  mlir::FailureOr<llvm::SmallVector<uint16_t>> carriedRegisters(mlir::Operation *op, mlir::ValueRange values);

  // Scalars.cpp: `handled` is set if the op is a scalar op.
  mlir::LogicalResult emitScalarOp(mlir::Operation *op, bool &handled);
  uint16_t wrapped(uint16_t value, unsigned bits);
  mlir::LogicalResult emitConstant(mlir::Operation *op, mlir::TypedAttr value);
  mlir::LogicalResult emitCompare(mlir::Operation *op);

  // Views.cpp
  /// Numbers of view shapes: constants, or registers of the program.
  struct TermMath {
    SimulatorEmitter &emitter;
    Term of(mlir::OpFoldResult number) { return emitter.term(number); }
    Term add(Term a, Term b) { return emitter.code.add(a, b); }
    Term multiply(Term a, Term b) { return emitter.code.multiply(a, b); }
  };
  mlir::LogicalResult emitViewOp(mlir::Operation *op, bool &handled);
  mlir::LogicalResult emitBuffer(aicore::BufferOp buffer);
  mlir::LogicalResult emitSubview(mlir::memref::SubViewOp subview);
  mlir::LogicalResult emitReinterpretCast(mlir::memref::ReinterpretCastOp cast);
  mlir::FailureOr<const View *> viewOf(mlir::Operation *op, mlir::Value memref);

  // PipeOps.cpp
  mlir::LogicalResult emitPipeOp(aicore::PipeOpInterface op);
  mlir::LogicalResult fillCopy(mlir::Operation *op, mlir::Value from, mlir::Value to, PipeInstruction &instruction);
  mlir::LogicalResult fillVector(aicore::VectorOpInterface op, PipeInstruction &instruction);
  // CubeOps.cpp
  mlir::LogicalResult fillCube(mlir::Operation *op, PipeInstruction &instruction);
  mlir::LogicalResult emitLoadFractals(aicore::LoadFractalsOp load, PipeInstruction instruction);
  void fillImage(aicore::LoadIm2colOp load, PipeInstruction &instruction);
  mlir::LogicalResult emitStoreNz(aicore::StoreNzOp store, PipeInstruction instruction);
  void issueInLoop(PipeInstruction instruction, mlir::Value source, mlir::Value destination, Term trips, Term along,
                   Term across);
  Term wholeUnits(mlir::Value size, int64_t unit);

  mlir::LogicalResult fillScalarAccess(mlir::Operation *op, mlir::Value tile, mlir::Value index,
                                       ProgramOperand &operand);
  mlir::FailureOr<ProgramOperand> operandOf(mlir::Operation *op, mlir::Value tile);
  mlir::FailureOr<uint16_t> place(mlir::Operation *op);

  Term term(mlir::Value value) { return terms.lookup(value); }
  Term term(mlir::OpFoldResult value);
  uint16_t registerOf(mlir::Value value) { return code.registerOf(terms.lookup(value)); }
  void define(mlir::Value value, Term term) { terms[value] = term; }

  mlir::func::FuncOp kernel;
  const KernelInterface &interface;
  const Target &target;
  SimulatorProgram program;
  ScalarCode code;
  llvm::DenseMap<mlir::Value, Term> terms;
  llvm::DenseMap<mlir::Value, View> views;
};

} // namespace opc

#endif // OPC_LOWERING_EMIT_SIMULATOR_EMITTER_H
