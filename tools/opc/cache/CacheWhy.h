// `opc cache why`: whether kernels are in the cache, and if not, how the nearest entry differs.

#ifndef OPC_TOOLS_OPC_CACHE_CACHEWHY_H
#define OPC_TOOLS_OPC_CACHE_CACHEWHY_H

#include "tools/opc/Command.h"

namespace opc::tool {

void declareWhy(Declaration &declaration);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_CACHE_CACHEWHY_H
