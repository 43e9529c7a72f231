// Ascend C for the simulator: the header that kernels include, written from public documentation of the chip's
// programming interface.
//
// A kernel that is compiled with it by a stock compiler (g++ 11 or clang 14 and later, C++17) computes nothing:
// each call is passed to the machine of KernelMachine.h with its addresses, counts, flags and the line of the
// kernel. `opc run --source kernel.cpp` compiles a kernel, records it and runs the recorded program on the
// simulator (docs/rationale/ascendc-in.md).
//
// Calls that Ascend 310B lacks do not compile, with an error that says so.

#ifndef OPC_RUNTIME_ASCENDC_KERNEL_OPERATOR_H
#define OPC_RUNTIME_ASCENDC_KERNEL_OPERATOR_H

#include "runtime/ascendc/Interface.h"
#include "runtime/ascendc/Tiling.h"

#endif // OPC_RUNTIME_ASCENDC_KERNEL_OPERATOR_H
