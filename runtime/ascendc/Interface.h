// The whole interface except tiling data, whose macros depend on the operator: a compiler may precompile it for
// all kernels.

#ifndef OPC_RUNTIME_ASCENDC_INTERFACE_H
#define OPC_RUNTIME_ASCENDC_INTERFACE_H

#include "runtime/ascendc/Copies.h"
#include "runtime/ascendc/Cube.h"
#include "runtime/ascendc/Debug.h"
#include "runtime/ascendc/Device.h"
#include "runtime/ascendc/Move.h"
#include "runtime/ascendc/Reduce.h"
#include "runtime/ascendc/SoftMax.h"
#include "runtime/ascendc/Sync.h"
#include "runtime/ascendc/Vector.h"

#if __has_include("runtime/ascendc/MissingCalls.h")
#include "runtime/ascendc/MissingCalls.h"
#endif

#endif // OPC_RUNTIME_ASCENDC_INTERFACE_H
