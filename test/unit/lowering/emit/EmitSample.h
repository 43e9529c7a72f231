// IR text for the tests of the emitters, and parsing it.

#ifndef OPC_TEST_UNIT_LOWERING_EMIT_EMITSAMPLE_H
#define OPC_TEST_UNIT_LOWERING_EMIT_EMITSAMPLE_H

#include "dialect/aicore/AICoreDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <memory>
#include <string>

namespace opc {

inline std::unique_ptr<mlir::MLIRContext> emitContext() {
  auto context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  context->loadDialect<aicore::AICoreDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                       mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
  return context;
}

inline mlir::OwningOpRef<mlir::ModuleOp> parseSample(mlir::MLIRContext &context, const std::string &text) {
  return mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context));
}

/// A tiling function with the given straight line, from %n and %b to the fields block_num, p, q, and a kernel for it.
inline std::string tilingSample(const std::string &body, const std::string &p, const std::string &q) {
  return R"(func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">},
      %b: index {aicore.size = #aicore.size<max_blocks>})
      -> (index {aicore.name = "block_num"}, index {aicore.name = "p"}, index {aicore.name = "q"})
      attributes {aicore.tiling} {
    %one = arith.constant 1 : index
  )" + body +
         "\n    return %one, " + p + ", " + q + R"( : index, index, index
  }
  func.func @k(%x: memref<?xf32, #aicore.space<gm>> {aicore.name = "x"})
      attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
    %p = aicore.tiling_data "p" max 4294967295 : index
    return
  })";
}

} // namespace opc

#endif // OPC_TEST_UNIT_LOWERING_EMIT_EMITSAMPLE_H
