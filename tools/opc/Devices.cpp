#include "tools/opc/Devices.h"

#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/device/sim/SimDevice.h"

namespace opc::tool {

const std::vector<std::string> &deviceNames() {
  static const std::vector<std::string> names = {"cpu", "sim"};
  return names;
}

std::unique_ptr<Device> makeDevice(const std::string &name, Diagnostics &diagnostics) {
  if (name == "cpu")
    return createCpuDevice();
  if (name == "sim")
    return createSimDevice();
  std::string nearest = nearestName(name, deviceNames());
  diagnostics.error(Code::E0107, {},
                    "expects the device cpu or sim, found '" + printable(name) + "'", {},
                    nearest.empty() ? "--device=sim needs nothing but this machine"
                                    : "did you mean '" + nearest + "'?");
  return nullptr;
}

} // namespace opc::tool
