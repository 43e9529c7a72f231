// One kernel, its mutants, and who of the two checkers finds them.

#ifndef OPC_TEST_MUTANTS_KERNELMUTANTS_H
#define OPC_TEST_MUTANTS_KERNELMUTANTS_H

#include "test/mutants/Launches.h"
#include "test/mutants/Mutations.h"

#include "runtime/program/SimulatorProgram.h"

#include "mlir/IR/BuiltinOps.h"

namespace opc::mutants {

struct Score {
  unsigned mutants = 0, killed = 0, byVerifier = 0, bySanitizer = 0, byNumbers = 0;
  unsigned same = 0; ///< not mutants: the same accesses, dataflow and order
  /// Not mutants: exchanged ops that make another kernel in order; with `numbers` those whose results are
  /// the kernel's own.
  unsigned otherFlow = 0;
  unsigned impossible = 0;                                     ///< changes that the IR does not allow there
  std::map<std::string, std::pair<unsigned, unsigned>> byKind; ///< killed, all
  std::vector<std::string> survivors;
};

/// Which mutants are made: all, or a draw of at most so many of each kind.
struct Sample {
  unsigned ofKind = 0; ///< 0: all
  uint64_t seed = 0;
  /// Exchanges that make another kernel in order are mutants too, killed by results that are not the kernel's own.
  bool numbers = false;
};

class KernelMutants {
public:
  using Launches = std::vector<std::unique_ptr<KernelLaunch>>;
  KernelMutants(mlir::func::FuncOp kernel, Launches launches, const Target &target);

  /// Runs the kernel as it is, and chooses the launches that show most: the smallest, those with the longest rows and
  /// the longest columns beside them, and of one block and of several the one that moves most tiles. What is wrong,
  /// empty when all is well.
  std::string prepare();
  /// Whether prepare() found no launch, or none that is short enough, and no mistake.
  bool isUnreached() const { return traces.empty() && !isWrong; }
  Score run(const Sample &sample);

private:
  std::optional<SimulatorProgram> emit(mlir::func::FuncOp kernel) const;
  /// A joined kernel is proved nest by nest, as it is when it is compiled.
  bool refusedByVerifier(mlir::ModuleOp module) const;
  bool refusedBySanitizer(const SimulatorProgram &program) const;
  std::optional<Trace> record(const SimulatorProgram &program, const KernelLaunch &launch,
                              const std::vector<unsigned> &ops) const;
  Verdict judge(const SimulatorProgram &program, const std::vector<unsigned> &ops) const;
  void chooseLaunches(std::vector<std::optional<Trace>> recorded);
  void tryOne(const Mutation &mutation, bool numbers, Score &score);
  using Results = std::vector<std::vector<uint8_t>>; ///< bytes of the outputs of all launches
  Results resultsOf(const SimulatorProgram &program) const;
  /// The same with infinities in place of all floats that are given.
  Results resultsOfInfinities(const SimulatorProgram &program) const;

  Launches launches;
  size_t mostSteps = 0; ///< of a launch that is looked at
  const Target &target;
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< the kernel and its tiling function alone
  mlir::func::FuncOp kernel;
  std::vector<mlir::Operation *> pipeOps;
  std::vector<Trace> traces;
  bool isWrong = false; ///< as it is, without a mutation
  std::vector<std::unique_ptr<Facts>> facts;
  Results results, infiniteResults; ///< of the kernel as it is
};

} // namespace opc::mutants

#endif // OPC_TEST_MUTANTS_KERNELMUTANTS_H
