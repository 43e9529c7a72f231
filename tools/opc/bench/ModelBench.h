// `opc bench` of a model folder.

#ifndef OPC_TOOLS_OPC_BENCH_MODELBENCH_H
#define OPC_TOOLS_OPC_BENCH_MODELBENCH_H

#include "runtime/core/model/LoadedModel.h"
#include "tools/opc/Command.h"

#include <string>

namespace opc::tool {

struct ModelBenchFlags {
  std::string folder, device, output, commit;
  std::string shapes; ///< of the inputs, in the syntax of --input_shape; empty: the largest
  unsigned warmups = 3, runs = 50;
  uint64_t seed = 310;
};

/// Measures loading, steady runs, and each step by itself; prints the record, and writes it to `output`.
ExitCode benchModelFolder(const ModelBenchFlags &flags, Context &context);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_BENCH_MODELBENCH_H
