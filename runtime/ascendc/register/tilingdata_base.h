// Forwards to the macros that declare tiling data, under the name that host files include.

#ifndef OPC_RUNTIME_ASCENDC_REGISTER_TILINGDATA_BASE_H
#define OPC_RUNTIME_ASCENDC_REGISTER_TILINGDATA_BASE_H

#include "runtime/ascendc/Tiling.h"

#endif // OPC_RUNTIME_ASCENDC_REGISTER_TILINGDATA_BASE_H
