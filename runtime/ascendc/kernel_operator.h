// Ascend C for the simulator: the header that kernels include, written from the public facts of the
// chip's programming interface.
//
// A kernel compiled with it by a stock compiler (g++ 11 or clang 14 and later, C++17) computes nothing: each call
// tells the machine behind KernelMachine.h what was asked for, with addresses, counts and flags as they are, and
// the line of the kernel. `opc run --source kernel.cpp` compiles a kernel, records it and runs what it recorded on
// the simulator (docs/rationale/ascendc-in.md).
//
// What Ascend 310B lacks does not compile here, and says so.

#ifndef OPC_RUNTIME_ASCENDC_KERNEL_OPERATOR_H
#define OPC_RUNTIME_ASCENDC_KERNEL_OPERATOR_H

#include "runtime/ascendc/Copies.h"
#include "runtime/ascendc/Debug.h"
#include "runtime/ascendc/Move.h"
#include "runtime/ascendc/Reduce.h"
#include "runtime/ascendc/Sync.h"
#include "runtime/ascendc/Tiling.h"
#include "runtime/ascendc/Vector.h"

#if __has_include("runtime/ascendc/MissingCalls.h")
#include "runtime/ascendc/MissingCalls.h"
#endif

#endif // OPC_RUNTIME_ASCENDC_KERNEL_OPERATOR_H
