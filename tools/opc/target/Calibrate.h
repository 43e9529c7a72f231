// `opc target calibrate`.

#ifndef OPC_TOOLS_OPC_TARGET_CALIBRATE_H
#define OPC_TOOLS_OPC_TARGET_CALIBRATE_H

#include "tools/opc/Command.h"

namespace opc::tool {

void declareCalibrate(Declaration &declaration);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_TARGET_CALIBRATE_H
