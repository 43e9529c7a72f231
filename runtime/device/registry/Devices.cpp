#include "runtime/device/registry/Devices.h"

#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/device/null/NullDevice.h"
#include "runtime/device/sim/SimDevice.h"

namespace opc {

const std::vector<std::string> &deviceNames() {
  static const std::vector<std::string> names = {"cpu", "sim", "null"};
  return names;
}

std::unique_ptr<Device> createDevice(const std::string &name, int threads, Diagnostics &diagnostics) {
  if (name == "cpu")
    return createCpuDevice(threads);
  if (name == "sim")
    return createSimDevice();
  if (name == "null")
    return createNullDevice();
  std::string nearest = nearestName(name, deviceNames());
  diagnostics.error(Code::E0107, {}, "expects the device cpu, sim or null, found '" + printable(name) + "'", {},
                    nearest.empty() ? "--device=sim needs nothing but this machine"
                                    : "did you mean '" + nearest + "'?");
  return nullptr;
}

} // namespace opc
