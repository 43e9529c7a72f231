// Options of commands that run on the simulator: what it looks for, and in which order its pipes
// take their steps.

#ifndef OPC_TOOLS_OPC_SIMFLAGS_H
#define OPC_TOOLS_OPC_SIMFLAGS_H

#include "runtime/device/sim/SimDevice.h"
#include "tools/opc/Command.h"

#include <string>

namespace opc::tool {

struct SimFlags {
  std::string sanitize, order = "time", seed;
  bool given() const { return !sanitize.empty() || order != "time" || !seed.empty(); }
};

/// --sanitize, --order and --seed.
void addSimFlags(CLI::App &app, SimFlags &flags);

/// The settings that the flags stand for. Errors (E0104) for names and numbers that are none, for
/// another device than the simulator, and for a seed without an order to choose.
SimSettings simSettings(const SimFlags &flags, const std::string &device, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SIMFLAGS_H
