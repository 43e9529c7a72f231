// Ascend C for the simulator: the header that kernels include, written from the public facts of the
// chip's programming interface.
//
// A kernel compiled with it by a stock compiler (g++ 11 or clang 14 and later, C++17) computes
// nothing: each call tells the machine behind KernelMachine.h what was asked for, with addresses,
// counts and flags as they are, and the line of the kernel. `opc run --source kernel.cpp` compiles
// a kernel, records it and runs what it recorded on the simulator (docs/rationale/ascendc-in.md).
//
// What Ascend 310B lacks does not compile here, and says so.

#ifndef OPC_RUNTIME_DEVICE_SIM_ASCENDC_KERNEL_OPERATOR_H
#define OPC_RUNTIME_DEVICE_SIM_ASCENDC_KERNEL_OPERATOR_H

#include "runtime/device/sim/ascendc/Copies.h"
#include "runtime/device/sim/ascendc/Debug.h"
#include "runtime/device/sim/ascendc/Move.h"
#include "runtime/device/sim/ascendc/Reduce.h"
#include "runtime/device/sim/ascendc/Sync.h"
#include "runtime/device/sim/ascendc/Tiling.h"
#include "runtime/device/sim/ascendc/Vector.h"

#if __has_include("runtime/device/sim/ascendc/MissingCalls.h")
#include "runtime/device/sim/ascendc/MissingCalls.h"
#endif

#endif // OPC_RUNTIME_DEVICE_SIM_ASCENDC_KERNEL_OPERATOR_H
