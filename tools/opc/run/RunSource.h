// `opc run --source kernel.cpp`: a kernel in Ascend C on the simulator.

#ifndef OPC_TOOLS_OPC_RUN_RUNSOURCE_H
#define OPC_TOOLS_OPC_RUN_RUNSOURCE_H

#include "tools/opc/Command.h"
#include "tools/opc/run/KernelSource.h"
#include "tools/opc/run/SimFlags.h"

namespace opc::tool {

/// Options of `opc run` that go with --source.
struct SourceRunOptions {
  SourceOptions source;
  std::string tiling, outputShapes, outputTypes;
  std::string chip = "Ascend310B1";
  std::string cann; ///< "8.1", "9.1"; empty: names of both
  std::string autoSync = "on";
  uint64_t tilingKey = 0;
  int64_t blocks = 1;
  unsigned timeout = 10;
  bool given() const { return !source.path.empty(); }
  /// The first given option that requires --source; empty when there is none.
  std::string stray() const;
};

void addSourceOptions(Arguments &arguments, SourceRunOptions &options);

/// The common arguments of `opc run`: tensors in files, the trace, the simulator's flags.
struct SourceRunFiles {
  std::vector<std::string> inputs, outputs;
  std::string trace;
  SimFlags sim;
};

ExitCode runSource(const SourceRunOptions &options, const SourceRunFiles &files, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_RUNSOURCE_H
