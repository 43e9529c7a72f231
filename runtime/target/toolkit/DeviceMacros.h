// Names that the toolchain's headers define as macros when kernels are compiled (DeviceMacros.def).

#ifndef OPC_RUNTIME_TARGET_TOOLKIT_DEVICEMACROS_H
#define OPC_RUNTIME_TARGET_TOOLKIT_DEVICEMACROS_H

#include <string_view>
#include <vector>

namespace opc {

struct DeviceMacro {
  enum Kind : unsigned char { Object, Function };
  std::string_view name;
  Kind kind = Object;
  std::string_view versions; ///< "8.1", "9.1" or "both"
};

/// All of DeviceMacros.def, in its order.
const std::vector<DeviceMacro> &deviceMacros();

/// Whether DeviceMacros.def has the name, as either kind.
bool isDeviceMacro(std::string_view name);
/// Whether a build may define a macro of this name from the name of a tensor:
/// DTYPE_<NAME>, ORIG_DTYPE_<NAME>, FORMAT_<NAME>.
bool isBuildMacro(std::string_view name);

} // namespace opc

#endif // OPC_RUNTIME_TARGET_TOOLKIT_DEVICEMACROS_H
