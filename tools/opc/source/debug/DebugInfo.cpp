#include "tools/opc/source/debug/DebugInfo.h"

#include "tools/opc/libraries/Libraries.h"

namespace opc::tool {

std::unique_ptr<DebugInfo> DebugInfo::open(const std::string &path, std::string &why) {
  static const auto read =
      reinterpret_cast<decltype(&opc_open_debug_info)>(libraryFunction("opc_debug_info", "opc_open_debug_info"));
  return std::unique_ptr<DebugInfo>(read(path, why));
}

} // namespace opc::tool
