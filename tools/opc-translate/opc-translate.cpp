// opc-translate: runs the emitters on a textual module and prints their output, for tests and for inspecting
// single stages.
//
//   --aicore-to-simulator   the simulator program of each kernel at phase synced
//   --aicore-to-tiling      the bytecode of each kernel's tiling function
//   --aicore-to-ascendc     the kernel source of an operator whose kernels these are
//   --aicore-to-host        the header with its tiling data and the host's tiling functions

#include "lowering/emit/ascendc/EmitAscendC.h"
#include "lowering/emit/simulator/EmitSimulator.h"
#include "lowering/emit/simulator/ProgramText.h"
#include "lowering/emit/tiling/ScalarText.h"
#include "lowering/emit/tiling/TilingBytecode.h"

#include "dialect/aicore/AICoreDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace opc;

static void registerDialects(DialectRegistry &registry) {
  registry
      .insert<aicore::AICoreDialect, arith::ArithDialect, func::FuncDialect, memref::MemRefDialect, scf::SCFDialect>();
}

static LogicalResult forEachKernel(Operation *op, llvm::function_ref<LogicalResult(func::FuncOp)> translate) {
  for (auto function : op->getRegion(0).getOps<func::FuncOp>())
    if (isKernel(function) && failed(translate(function)))
      return failure();
  return success();
}

// The operator's name is the common start of its kernels' names; the kernels have the tiling keys 0, 1, ... in order.
static FailureOr<AscendCText> toAscendC(Operation *op) {
  auto module = cast<ModuleOp>(op);
  AscendCOperator whole;
  for (auto function : module.getOps<func::FuncOp>())
    if (isKernel(function)) {
      whole.kernels.push_back({function.getName().str(), whole.kernels.size()});
      whole.name = function.getName().rsplit('_').first.str();
    }
  FailureOr<OwningOpRef<ModuleOp>> emitted = buildAscendC(module, whole);
  if (failed(emitted))
    return failure();
  return printAscendC(**emitted, whole.name);
}

int main(int argc, char **argv) {
  TranslateFromMLIRRegistration simulator(
      "aicore-to-simulator", "the simulator's program of each kernel",
      [](Operation *op, raw_ostream &os) {
        return forEachKernel(op, [&](func::FuncOp kernel) -> LogicalResult {
          FailureOr<SimulatorProgram> program = emitSimulatorProgram(kernel, *findTarget("Ascend310B"));
          if (succeeded(program))
            printProgram(*program, os);
          return program;
        });
      },
      registerDialects);
  TranslateFromMLIRRegistration tiling(
      "aicore-to-tiling", "the bytecode of each kernel's tiling function",
      [](Operation *op, raw_ostream &os) {
        return forEachKernel(op, [&](func::FuncOp kernel) -> LogicalResult {
          FailureOr<KernelInterface> interface = readKernelInterface(kernel);
          if (failed(interface))
            return failure();
          FailureOr<TilingFunction> function = emitTilingBytecode(*interface);
          if (succeeded(function))
            printTiling(*function, os);
          return function;
        });
      },
      registerDialects);
  TranslateFromMLIRRegistration ascendc(
      "aicore-to-ascendc", "the kernel source of an operator",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        FailureOr<AscendCText> text = toAscendC(op);
        if (succeeded(text))
          os << text->kernelSource;
        return text;
      },
      registerDialects);
  TranslateFromMLIRRegistration host(
      "aicore-to-host", "the header with tiling data and tiling functions",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        FailureOr<AscendCText> text = toAscendC(op);
        if (succeeded(text))
          os << text->tilingHeader;
        return text;
      },
      registerDialects);
  return failed(mlirTranslateMain(argc, argv, "opc-translate: artefacts of the operator compiler as text\n")) ? 1 : 0;
}
