// The table of DeviceMacros.def, and the prefixes of macros that a build defines from the names of tensors.

#include "runtime/target/toolkit/DeviceMacros.h"

#include <unordered_set>

using namespace opc;

const std::vector<DeviceMacro> &opc::deviceMacros() {
  static const std::vector<DeviceMacro> macros = {
#define OPC_DEVICE_MACRO(NAME, KIND, VERSIONS) {NAME, DeviceMacro::KIND, VERSIONS},
#include "runtime/target/toolkit/DeviceMacros.def"
#undef OPC_DEVICE_MACRO
  };
  return macros;
}

bool opc::isDeviceMacro(std::string_view name) {
  static const std::unordered_set<std::string_view> names = [] {
    std::unordered_set<std::string_view> result;
    for (const DeviceMacro &macro : deviceMacros())
      result.insert(macro.name);
    return result;
  }();
  return names.count(name) != 0;
}

bool opc::isBuildMacro(std::string_view name) {
  for (std::string_view prefix : {"DTYPE_", "ORIG_DTYPE_", "FORMAT_"})
    if (name.substr(0, prefix.size()) == prefix)
      return true;
  return false;
}
