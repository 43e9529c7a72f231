// Passes of the lowering to the CPU. See Passes.td.

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

/// Attributes of functions that AICoreToLoops makes. They describe the function to its caller.
///
/// The number of tensors, which are the first arguments.
inline constexpr llvm::StringLiteral kTensorsAttr = "cpu.tensors";
/// The size of each buffer in bytes; buffers are the last arguments.
inline constexpr llvm::StringLiteral kBuffersAttr = "cpu.buffers";
/// Set if blocks depend on each other through atomic adds.
inline constexpr llvm::StringLiteral kInOrderAttr = "cpu.in_order";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lowering/cpu/Passes.h.inc"

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_PASSES_H
