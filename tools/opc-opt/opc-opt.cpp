// opc-opt: runs passes on a textual module, for tests and for inspecting single passes.

#include "dialect/aicore/AICoreDialect.h"
#include "dialect/graph/GraphDialect.h"
#include "dialect/te/TeDialect.h"
#include "lowering/aicore/Passes.h"
#include "lowering/cpu/Passes.h"
#include "lowering/emit/ascendc/EmitAscendC.h"
#include "lowering/graph/Passes.h"
#include "lowering/pipelines/Pipelines.h"
#include "lowering/schedule/Passes.h"
#include "lowering/te/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<opc::aicore::AICoreDialect, opc::graph::GraphDialect, opc::te::TeDialect, mlir::affine::AffineDialect,
                  mlir::arith::ArithDialect, mlir::bufferization::BufferizationDialect, mlir::cf::ControlFlowDialect,
                  mlir::emitc::EmitCDialect, mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                  mlir::tensor::TensorDialect>();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  opc::aicore::registerAICorePasses();
  opc::cpu::registerCpuPasses();
  opc::graph::registerGraphPasses();
  opc::te::registerTePasses();
  opc::registerSchedulePasses();
  opc::registerPipelines();
  opc::registerEmitAscendCPass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "opc-opt: passes of the operator compiler\n", registry));
}
