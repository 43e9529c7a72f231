// `opc run --source`: a kernel in Ascend C, or an operator with its host files, on the simulator.

#ifndef OPC_TOOLS_OPC_RUN_RUNSOURCE_H
#define OPC_TOOLS_OPC_RUN_RUNSOURCE_H

#include "tools/opc/Command.h"
#include "tools/opc/SimFlags.h"
#include "tools/opc/run/Expected.h"
#include "tools/opc/source/SourceRun.h"

namespace opc::tool {

/// The common arguments of `opc run`: tensors in files, the trace, the simulator's flags.
struct SourceRunFiles {
  SourceInputs inputs;
  std::vector<std::string> outputs;
  ExpectedFlags expected;
  std::string trace;
  SimFlags sim;
  unsigned loop = 1;
  bool allRows = false;
};

ExitCode runSource(const SourceRunOptions &options, const SourceRunFiles &files, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_RUNSOURCE_H
