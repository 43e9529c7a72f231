// One operator from contract to the files of its op folder: the only place that knows the order of all stages.
//
// Callers see no MLIR: `opc compile`, `opc test` and what a cache miss calls link this and nothing below it.

#ifndef OPC_LOWERING_PIPELINES_COMPILE_H
#define OPC_LOWERING_PIPELINES_COMPILE_H

#include "lowering/emit/host/HostOperator.h"
#include "lowering/pipelines/UbTable.h"
#include "lowering/schedule/Explanation.h"
#include "ops/contract/Shapes.h"
#include "runtime/target/Target.h"

#include <string>
#include <utility>
#include <vector>

namespace opc {

struct CompileOptions {
  const Target *target = nullptr;     ///< the chip; required
  const ContractBody *body = nullptr; ///< one of the contract's; nullptr: its first
  std::vector<unsigned> typeRows;     ///< empty: all that the body serves
  /// Levels of CPU that the kernel library is compiled for, of one architecture, as cpuLevelNames() orders them;
  /// empty: v3 and v4 of x86-64. A body by hand has one form, of the first level.
  std::vector<std::string> cpuLevels;
  /// Stop after this phase (one of phaseNames()) and print the module; empty: go to the end.
  std::string stopAfter;
  /// With stopAfter: fills `schedules` and `ubTables` alone and prints no module.
  bool explainOnly = false;
  /// Fills `ubTables`.
  bool explainPlan = false;
  /// Of the inputs, by name: a static operator, which takes these shapes alone; none: a dynamic one. Kernels of a te
  /// body know every size that follows.
  StaticShapes shapes;
  /// A remark for each flag and barrier: which two accesses it orders, at which distance.
  bool explainSync = false;
  /// Whether flags and barriers are proved. A kernel that is not is for the simulator's sanitizers.
  bool prove = true;
  /// Barriers of the vector pipe too, inserted and proved: emitted sources then carry to chips on which it does not
  /// complete in order.
  bool portable = false;
  /// The contract under the type and name that the artefacts carry; nullptr: those it was written with. It differs
  /// in nothing else.
  const Contract *renamed = nullptr;
};

/// A file of the op folder, by its path in it.
struct CompiledFile {
  std::string path;
  std::string bytes;
};

struct CompileResult {
  std::string module;                    ///< with stopAfter: the module, as opc-opt parses it
  std::vector<KernelSchedule> schedules; ///< what was chosen, by kernel; none for a body by hand
  std::vector<UbTable> ubTables;         ///< with explainPlan: of each kernel
  /// Kernels whose schedule does not fit UB, with what would: the compilation has failed.
  std::vector<ScheduleRefusal> refused;
  std::vector<CompiledFile> files; ///< without: every file of the folder, manifest.json among them
  std::vector<HostKernel> kernels; ///< what the host side is written from, in the manifest's order
  /// Milliseconds of each stage in its order, for --timing.
  std::vector<std::pair<std::string, double>> timings;
};

/// Phases that --stop-after takes, in order.
const std::vector<std::string> &phaseNames();

/// A level of CPU that kernel libraries can be compiled for.
struct CpuLevelName {
  std::string name;         ///< "x86-64-v3", as manifests have it
  std::string shortName;    ///< "v3"
  std::string architecture; ///< "x86_64"; a library has levels of one
};
/// Those of an architecture stand together, the plainest first.
std::vector<CpuLevelName> cpuLevelNames();

/// Errors go to the diagnostics; the result is empty then. The same input gives the same bytes.
CompileResult compileOperator(const Contract &contract, const CompileOptions &options, Diagnostics &diagnostics);

/// The passes of one way of a compilation, as opc-opt's --pass-pipeline takes them.
struct PipelineText {
  std::string name; ///< "te", "schedule", "aicore" or "cpu"
  std::string text; ///< "builtin.module(te-verify-bound,...)"
};
/// Those that compileOperator runs under these options, in its order. Static shapes are not in the text: a pass has
/// them from who makes it.
std::vector<PipelineText> pipelinesOf(const Contract &contract, const CompileOptions &options);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_COMPILE_H
