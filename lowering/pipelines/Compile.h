// Compiles one operator from its contract to the files of its op folder. Only this stage knows the order of all stages.
//
// Callers see no MLIR: `opc compile`, `opc test` and the kernel cache link only this.

#ifndef OPC_LOWERING_PIPELINES_COMPILE_H
#define OPC_LOWERING_PIPELINES_COMPILE_H

#include "lowering/emit/host/HostOperator.h"
#include "lowering/pipelines/PipelineText.h"
#include "lowering/pipelines/UbTable.h"
#include "lowering/schedule/Explanation.h"
#include "ops/contract/Shapes.h"
#include "runtime/target/Target.h"

#include <string>
#include <utility>
#include <vector>

namespace opc {

struct CompileOptions {
  const Target *target = nullptr;     ///< target chip; required
  const ContractBody *body = nullptr; ///< one of the contract's bodies; nullptr: the first
  std::vector<unsigned> typeRows;     ///< empty: all rows that the body serves
  /// CPU levels that the kernel library is compiled for, of one architecture and in the order of cpuLevelNames();
  /// empty: v3 and v4 of x86-64. A body by hand is compiled only for the first level.
  std::vector<std::string> cpuLevels;
  /// Levels of the machine that will run the kernels: if any of cpuLevels are among them, only the last of those is
  /// compiled. Empty: all of cpuLevels.
  std::vector<std::string> machineCpuLevels;
  /// Whether the folder has kernels for the CPU. An operator that the CPU alone serves has them in any case.
  bool cpuKernels = true;
  /// Stop after this phase (one of phaseNames()) and print the module; empty: compile to the end.
  std::string stopAfter;
  /// With stopAfter: only fills in `schedules` and `ubTables`, and prints no module.
  bool explainOnly = false;
  /// Fills in `ubTables`.
  bool explainPlan = false;
  /// Shapes of the inputs, by name, for a static operator, which accepts only these; empty for a dynamic one. Kernels
  /// of a te body then know every size that follows from them.
  StaticShapes shapes;
  /// Keeps the objects of the CPU library beside it, so that a model can link them again with others.
  bool keepObjects = false;
  /// Emits a remark for each flag and barrier: the two accesses that it orders, and their distance.
  bool explainSync = false;
  /// Whether flags and barriers are proved. A kernel without proof is meant for the simulator's sanitizers.
  bool prove = true;
  /// Also insert and prove barriers on the vector pipe. The emitted sources then work on chips where that pipe does
  /// not complete in order.
  bool portable = false;
  /// How kernels order FIX and V. A direct flag assumes that the chip has one.
  FixToV fixToV = FixToV::Relay;
  /// The contract under the type and name for the artefacts; nullptr: those in the contract. There must be no other
  /// difference.
  const Contract *renamed = nullptr;
};

/// A file of the op folder, with its path in the folder.
struct CompiledFile {
  std::string path;
  std::string bytes;
};

struct CompileResult {
  std::string module;                    ///< with stopAfter: the module, as opc-opt parses it
  std::vector<KernelSchedule> schedules; ///< chosen schedules, by kernel; empty for a body by hand
  std::vector<UbTable> ubTables;         ///< with explainPlan: one for each kernel
  /// Kernels whose schedule does not fit UB, with suggested fixes. The compilation has then failed.
  std::vector<ScheduleRefusal> refused;
  std::vector<CompiledFile> files; ///< without stopAfter: every file of the folder, including manifest.json
  std::vector<HostKernel> kernels; ///< input of the host emitters, in the manifest's order
  /// Milliseconds of each stage in order, for --timing.
  std::vector<std::pair<std::string, double>> timings;
};

/// The phases that --stop-after accepts, in order.
const std::vector<std::string> &phaseNames();

/// A CPU level that kernel libraries can be compiled for.
struct CpuLevelName {
  std::string name;         ///< "x86-64-v3", as in manifests
  std::string shortName;    ///< "v3"
  std::string architecture; ///< "x86_64"; all levels of a library have the same
};
/// Levels of one architecture are adjacent, the most basic first.
std::vector<CpuLevelName> cpuLevelNames();

/// Errors go to the diagnostics, and the result is then empty. The same input gives the same bytes.
CompileResult compileOperator(const Contract &contract, const CompileOptions &options, Diagnostics &diagnostics);

/// The pipelines that compileOperator runs with these options, in order. Static shapes are not part of the text,
/// since a pass gets them from its creator.
std::vector<PipelineText> pipelinesOf(const Contract &contract, const CompileOptions &options);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_COMPILE_H
