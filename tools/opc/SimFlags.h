// Options of commands that run on the simulator: its checks, the order of its pipes, and its numerics.

#ifndef OPC_TOOLS_OPC_SIMFLAGS_H
#define OPC_TOOLS_OPC_SIMFLAGS_H

#include "runtime/device/sim/SimDevice.h"
#include "tools/opc/Command.h"

#include <string>

namespace opc::tool {

/// What loads and stores cost on the simulator.
struct MemoryFlags {
  std::string rates = "file";
  bool l2 = false;
  bool given() const { return rates != "file" || l2; }
};

struct SimFlags {
  std::string sanitize, order = "time", numerics = "exact", seed, figures;
  bool portable = false;
  MemoryFlags memory;
  bool given() const {
    return !sanitize.empty() || order != "time" || numerics != "exact" || !seed.empty() || !figures.empty() ||
           portable || memory.given();
  }
};

/// --memory-rates and --l2.
void addMemoryFlags(Arguments &arguments, MemoryFlags &flags);
/// The settings of these flags. Reports E0104 for an unknown name, and for rates beside a file of figures.
MemoryModel memoryModel(const MemoryFlags &flags, const std::string &figures, Diagnostics &diagnostics);

/// --sanitize, --order, --numerics, --seed, --portable, --memory-rates, --l2 and --target-figures.
void addSimFlags(Arguments &arguments, SimFlags &flags);

/// --target-figures: a file of `opc target calibrate`.
Option addTargetFigures(Arguments &arguments, std::string &value);

/// The chip of a file of figures; nullopt after reporting E0600 or E0120, and without an error for an empty path.
std::optional<Target> readFigures(const std::string &path, Diagnostics &diagnostics);

/// The chip for a folder's kernels: the one that the manifest names, with the costs of a file of figures if there is
/// one. Returns nullopt after reporting E0500 for an unknown chip, E0120 when the file is for another chip.
std::optional<Target> targetOf(const std::string &name, const std::optional<Target> &figures, const std::string &path,
                               Diagnostics &diagnostics);

/// The settings of the flags. Reports E0104 for invalid names and numbers, for devices other than the simulator, and
/// for a seed that nothing uses.
SimSettings simSettings(const SimFlags &flags, const std::string &device, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SIMFLAGS_H
