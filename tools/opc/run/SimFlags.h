// Options of commands that run on the simulator: what it looks for, in which order its pipes take their steps, and
// what its functions give.

#ifndef OPC_TOOLS_OPC_RUN_SIMFLAGS_H
#define OPC_TOOLS_OPC_RUN_SIMFLAGS_H

#include "runtime/device/sim/SimDevice.h"
#include "tools/opc/Command.h"

#include <string>

namespace opc::tool {

struct SimFlags {
  std::string sanitize, order = "time", numerics = "exact", seed, figures;
  bool portable = false;
  bool given() const {
    return !sanitize.empty() || order != "time" || numerics != "exact" || !seed.empty() || !figures.empty() || portable;
  }
};

/// --sanitize, --order, --numerics, --seed, --portable and --target-figures.
void addSimFlags(Arguments &arguments, SimFlags &flags);

/// --target-figures: a file of `opc target calibrate`.
Option addTargetFigures(Arguments &arguments, std::string &value);

/// The chip of a file of figures; nothing, with E0600 or E0120. An empty path is no file and no error.
std::optional<Target> readFigures(const std::string &path, Diagnostics &diagnostics);

/// The chip on which a folder's kernels run: the one that the manifest names, or, by a file of figures for it, that
/// with other costs. Nothing, with E0500 for a chip nobody knows, E0120 where the file is of another one.
std::optional<Target> targetOf(const std::string &name, const std::optional<Target> &figures, const std::string &path,
                               Diagnostics &diagnostics);

/// The settings that the flags stand for. Errors (E0104) for names and numbers that are none, for another device than
/// the simulator, and for a seed without an order or errors to choose.
SimSettings simSettings(const SimFlags &flags, const std::string &device, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_SIMFLAGS_H
