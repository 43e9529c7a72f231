// Passes of the CPU form. See Passes.td.

#ifndef OPC_LOWERING_CPU_PASSES_H
#define OPC_LOWERING_CPU_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace opc::cpu {

/// What AICoreToLoops says about a function for whoever calls it: attributes of the function.
/// Number of tensors, the first arguments.
inline constexpr llvm::StringLiteral kTensorsAttr = "cpu.tensors";
/// Bytes of each buffer, the last arguments.
inline constexpr llvm::StringLiteral kBuffersAttr = "cpu.buffers";
/// Blocks depend on each other through atomic adds.
inline constexpr llvm::StringLiteral kInOrderAttr = "cpu.in_order";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lowering/cpu/Passes.h.inc"

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_PASSES_H
